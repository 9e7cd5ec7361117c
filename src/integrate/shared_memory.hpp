// What a method keeps when its model exchanges the rows that it carries.
#pragma once

#include <libration/kit/stepper.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

namespace libration {

// Parts of the memory of a method that do not depend on the rows: the clock, so that times stay free of accumulated
// rounding, with the lengths of adaptive steps; the longest step; the counts of steps and evaluations. The first visit
// takes them, the next ones set them.
template <class S>
class SharedMemory final : public MemoryVisitor<S> {
  public:
    void array(std::string_view name, std::span<S> values) override {
        if (std::ranges::find(kept_arrays, name) == kept_arrays.end()) {
            return;
        }
        const auto [kept, is_new] = arrays_.try_emplace(std::string(name), values.begin(), values.end());
        if (!is_new) {
            std::ranges::copy(kept->second, values.begin());
        }
    }
    void integer(std::string_view name, std::int64_t& value) override {
        if (std::ranges::find(kept_integers, name) == kept_integers.end()) {
            return;
        }
        const auto [kept, is_new] = integers_.try_emplace(std::string(name), value);
        value = kept->second;
    }

  private:
    static constexpr std::array<std::string_view, 3> kept_arrays{"clock", "evaluations", "longest_step"};
    static constexpr std::array<std::string_view, 3> kept_integers{"steps_made", "rejected", "not_reversed"};
    std::map<std::string, std::vector<S>> arrays_;
    std::map<std::string, std::int64_t> integers_;
};

}  // namespace libration
