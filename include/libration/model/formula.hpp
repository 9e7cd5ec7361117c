// Formulas over instances: one small expression and a table of what varies between instances.
#pragma once

#include <libration/expression/expression.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace [[gnu::visibility("default")]] libration {

// Integers, one per instance. Arithmetic progressions, as from plain ranges, are stored as three numbers; all others
// take four bytes per instance as long as their values fit.
class IndexColumn {
  public:
    [[nodiscard]] std::size_t size() const { return count_; }
    [[nodiscard]] bool is_range() const { return narrow_.empty() && wide_.empty(); }
    [[nodiscard]] std::int64_t operator[](std::size_t k) const {
        return !narrow_.empty() ? narrow_[k] : (!wide_.empty() ? wide_[k] : at_equal_steps(k));
    }

    // The expected number of values: an explicit column then allocates only once.
    void expect(std::size_t count) { expected_ = count; }

    void push_back(std::int64_t value) {
        if (is_range()) {
            if (count_ < 2) {
                (count_ == 0 ? first_ : step_) = count_ == 0 ? value : wrapped_difference(value, first_);
                ++count_;
                return;
            }
            if (value == at_equal_steps(count_)) {
                ++count_;
                return;
            }
            narrow_.reserve(expected_);
            for (std::size_t k = 0; k < count_; ++k) {
                store(at_equal_steps(k));
            }
        }
        store(value);
        ++count_;
    }

  private:
    // Increments may span the whole integer range: unsigned arithmetic wraps around safely.
    static std::int64_t wrapped_difference(std::int64_t a, std::int64_t b) {
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
    }
    [[nodiscard]] std::int64_t at_equal_steps(std::size_t k) const {
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(first_) + k * static_cast<std::uint64_t>(step_));
    }
    void store(std::int64_t value) {
        constexpr std::int64_t low = std::numeric_limits<std::int32_t>::min();
        constexpr std::int64_t high = std::numeric_limits<std::int32_t>::max();
        if (wide_.empty() && (value < low || value > high)) {
            wide_.reserve(expected_);
            wide_.assign(narrow_.begin(), narrow_.end());
            narrow_ = {};
            wide_.push_back(value);
        } else if (!wide_.empty()) {
            wide_.push_back(value);
        } else {
            narrow_.push_back(static_cast<std::int32_t>(value));
        }
    }

    std::int64_t first_ = 0, step_ = 0;
    std::size_t count_ = 0, expected_ = 0;
    std::vector<std::int32_t> narrow_;
    std::vector<std::int64_t> wide_;
};

// The values of the indices, one column per name. No name: one instance.
struct Instances {
    std::vector<std::string> names;
    std::vector<IndexColumn> columns;
    std::size_t count = 1;
    std::string table;      // where the instances are the rows of one: its name
    std::string over = {};  // otherwise the ranges as they stand after `for`; empty: they can only be listed
};

struct InstanceSum;

// A symbol of a formula whose value belongs to the instance: an index, an element of a list parameter, or a sum.
struct InstanceParameter {
    enum class Kind { index, element, sum };
    Expression symbol;
    Kind kind = Kind::index;
    IndexColumn integers;  // index: its values; element: positions in the list
    std::string list;      // element: name of the list parameter
    std::shared_ptr<const InstanceSum> sum;
};

struct Formula {
    Expression kernel;  // over instance parameters and the scalar parameters of the model
    std::size_t instances = 1;
    std::vector<InstanceParameter> parameters;
};

// Instance k is the sum of the next count[k] instances of the summand; if `running`, of its first count[k] instances:
// one pass over the summand then serves every instance.
struct InstanceSum {
    Formula summand;
    IndexColumn count;
    bool running = false;
};

}  // namespace libration
