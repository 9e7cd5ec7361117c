// Programs that were compiled before, found by what they compute. A model keeps one store, which it shares with all
// models that differ from it in values only: their programs are equal, and are differentiated and compiled once.
//
// A key is a number for the purpose and lists of expressions. Equal expressions are one node, so that a key is compared
// by addresses, and nothing can be found that was made for other formulas. Threads may share a store.
#pragma once

#include "program.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <shared_mutex>
#include <unordered_map>

namespace libration {

using SharedProgram = std::shared_ptr<const Program>;

// What programs are for; the same formulas with another purpose have other programs.
enum class ProgramPurpose : std::uintptr_t { formula, potential, constraint, kinetic, hamiltonian, field, forces };

class ProgramStore {
  public:
    using Lists = std::initializer_list<std::span<const Expression>>;
    struct Programs : std::vector<SharedProgram> {
        using std::vector<SharedProgram>::vector;
        // Where outputs are the entries of a sparse matrix that are not identically zero: their rows and columns.
        std::vector<std::array<std::uint32_t, 2>> entries = {};
    };

    // What `make` gave when this key came first. Beyond some thousand keys nothing more is kept.
    std::shared_ptr<const Programs> find(ProgramPurpose purpose, Lists key, const std::function<Programs()>& make);

  private:
    using Addresses = std::vector<std::uintptr_t>;
    struct Hash {
        std::size_t operator()(const Addresses& key) const;
    };
    struct Entry {
        std::vector<Expression> alive;  // another expression must not get the address of one in the key
        std::shared_ptr<const Programs> programs;
    };
    struct LongList {
        std::vector<Expression> list;
        std::uintptr_t number = 0;
    };
    // Equal lists have one number.
    std::uintptr_t number_of(std::span<const Expression> list);

    std::shared_mutex mutex_;
    std::unordered_map<Addresses, Entry, Hash> entries_;
    std::unordered_multimap<std::size_t, LongList> long_lists_;  // by their hashes
};

// Through a store, or without one where there is none.
std::shared_ptr<const ProgramStore::Programs> stored(ProgramStore* store, ProgramPurpose purpose,
                                                     ProgramStore::Lists key,
                                                     const std::function<ProgramStore::Programs()>& make);
// compile(outputs, inputs, parameters)
SharedProgram compiled(ProgramStore* store, std::span<const Expression> outputs, std::span<const Expression> inputs,
                       std::span<const Expression> parameters);

}  // namespace libration
