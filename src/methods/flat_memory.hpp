// The memory of a running method as lists, in the order of its visit: where its arrays and integers lie now.
#pragma once

#include <libration/kit/stepper.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace libration {

// Valid until the method is asked to do something: accept() exchanges arrays.
template <class S>
class FlatMemory final : public MemoryVisitor<S> {
  public:
    FlatMemory() = default;
    explicit FlatMemory(Stepper<S>& stepper) { find(stepper); }
    void find(Stepper<S>& stepper) {
        arrays.clear();
        integers.clear();
        stepper.visit(*this);
    }
    void array(std::string_view, std::span<S> values) override { arrays.push_back(values); }
    void integer(std::string_view, std::int64_t& value) override { integers.push_back(&value); }

    [[nodiscard]] std::size_t size() const {
        std::size_t sum = 0;
        for (const auto& values : arrays) {
            sum += values.size();
        }
        return sum;
    }
    // All numbers, one array after the other.
    [[nodiscard]] std::vector<S*> entries() const {
        std::vector<S*> all;
        all.reserve(size());
        for (const auto& values : arrays) {
            for (auto& value : values) {
                all.push_back(&value);
            }
        }
        return all;
    }
    [[nodiscard]] std::vector<std::int64_t> integer_values() const {
        std::vector<std::int64_t> values;
        values.reserve(integers.size());
        for (const auto* place : integers) {
            values.push_back(*place);
        }
        return values;
    }

    std::vector<std::span<S>> arrays;
    std::vector<std::int64_t*> integers;
};

}  // namespace libration
