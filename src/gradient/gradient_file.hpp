// What a gradient has computed so far, in a file: the same call continues from there, with the same bits.
//
// The work consists of parts with names, such as the run and the way back. Each part keeps what it needs in order to
// continue, or, once it is finished, its result.
#pragma once

#include "methods/flat_memory.hpp"
#include "result/bytes.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace libration {

// Values to bytes, or back in the same order: one visit describes both. Structs have a `visit`.
class ProgressBytes {
  public:
    ProgressBytes() = default;  // writes
    explicit ProgressBytes(const std::string& bytes) : reader_(std::as_bytes(std::span(bytes))) {}

    template <class... T>
    void operator()(T&... values) {
        (one(values), ...);
    }
    [[nodiscard]] bool reads() const { return reader_.has_value(); }
    [[nodiscard]] std::string bytes() const {
        const auto all = writer_.bytes();
        return {reinterpret_cast<const char*>(all.data()), all.size()};
    }

    // The memory of a running method, which was started.
    template <class S>
    void memory(Stepper<S>& stepper) {
        const FlatMemory<S> flat(stepper);
        for (const auto values : flat.arrays) {
            for (auto& value : values) {
                one(value);
            }
        }
        for (auto* integer : flat.integers) {
            one(*integer);
        }
    }

  private:
    template <class T>
    void one(T& value) {
        if constexpr (requires { value.visit(*this); }) {
            value.visit(*this);
        } else if constexpr (requires { value.tangent; }) {
            (*this)(value.value, value.tangent);
        } else if (reader_) {
            reader_->take(value);
        } else {
            writer_.put(value);
        }
    }
    template <class T, std::size_t N>
    void one(std::array<T, N>& values) {
        for (auto& value : values) {
            one(value);
        }
    }
    template <class T>
        requires(!std::is_same_v<T, double> && !std::is_same_v<T, std::string>)
    void one(std::vector<T>& values) {
        std::uint64_t count = values.size();
        one(count);
        values.resize(count);
        for (auto& value : values) {
            one(value);
        }
    }
    template <class T>
    void one(std::optional<T>& value) {
        bool is_there = value.has_value();
        one(is_there);
        if (is_there) {
            one(value ? *value : value.emplace());
        } else {
            value.reset();
        }
    }

    ByteWriter writer_;
    std::optional<ByteReader> reader_;
};

// Names and values of all that decides the result.
using GradientSettings = std::vector<std::pair<std::string, std::string>>;

class GradientFile {
  public:
    // Takes what the file contains, if it is there. InputError if it belongs to other settings; FileError if it is
    // damaged, or cannot be written. It is written every so many `seconds`.
    GradientFile(std::string path, GradientSettings settings, bool overwrite, double seconds);

    // What was kept of a part; null: nothing.
    [[nodiscard]] const std::string* find(const std::string& part) const;
    // Whether it is time to keep something: more often would cost time, and less often would lose more work.
    [[nodiscard]] bool due() const;
    void keep(const std::string& part, const ProgressBytes& bytes);
    void write();
    // Of the calls before this one.
    [[nodiscard]] double seconds_before() const { return seconds_before_; }

  private:
    using Clock = std::chrono::steady_clock;
    void read();
    void require_same(const std::string& version, const GradientSettings& there) const;
    void visit_parts(ProgressBytes& bytes);

    std::string path_;
    GradientSettings settings_;
    double seconds_;
    std::map<std::string, std::string> parts_;
    double seconds_before_ = 0, writing_ = 0;
    Clock::time_point started_ = Clock::now(), kept_ = started_, written_ = started_;
};

// The result of a part: as it was kept, or made now and kept. `progress` may be null.
template <class Result, class Work>
Result finished_part(GradientFile* progress, const std::string& part, Work work) {
    const auto name = part + ", finished";
    Result result;
    if (const auto* kept = progress != nullptr ? progress->find(name) : nullptr) {
        ProgressBytes bytes(*kept);
        bytes(result);
        return result;
    }
    result = work();
    if (progress != nullptr) {
        ProgressBytes bytes;
        bytes(result);
        progress->keep(name, bytes);
    }
    return result;
}

}  // namespace libration
