// Numbers and texts as bytes and back, for records that this program writes and reads itself.
#pragma once

#include <libration/text/error.hpp>

#include <bit>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace libration {

static_assert(std::endian::native == std::endian::little, "records are little-endian");

class ByteWriter {
  public:
    template <class T>
        requires std::is_arithmetic_v<T>
    void put(T value) { raw(&value, sizeof value); }
    void put(const std::string& text) {
        put(std::uint64_t{text.size()});
        raw(text.data(), text.size());
    }
    void put(const std::vector<double>& values) {
        put(std::uint64_t{values.size()});
        raw(values.data(), values.size() * sizeof(double));
    }
    void put(const std::vector<std::string>& texts) {
        put(std::uint64_t{texts.size()});
        for (const auto& text : texts) {
            put(text);
        }
    }
    [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

  private:
    void raw(const void* data, std::size_t size) {
        const auto* first = static_cast<const std::byte*>(data);
        bytes_.insert(bytes_.end(), first, first + size);
    }
    std::vector<std::byte> bytes_;
};

// FileError if the bytes end too early.
class ByteReader {
  public:
    explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}
    template <class T>
        requires std::is_arithmetic_v<T>
    void take(T& value) { raw(&value, sizeof value); }
    void take(std::string& text) {
        text.resize(size(1));
        raw(text.data(), text.size());
    }
    void take(std::vector<double>& values) {
        values.resize(size(sizeof(double)));
        raw(values.data(), values.size() * sizeof(double));
    }
    void take(std::vector<std::string>& texts) {
        texts.resize(size(sizeof(std::uint64_t)));
        for (auto& text : texts) {
            take(text);
        }
    }
    template <class T>
    T take() {
        T value{};
        take(value);
        return value;
    }

  private:
    std::size_t size(std::size_t each) {
        const auto count = take<std::uint64_t>();
        if (count > bytes_.size() / each) {
            throw FileError("a record is truncated");
        }
        return count;
    }
    void raw(void* data, std::size_t count) {
        if (bytes_.size() < count) {
            throw FileError("a record is truncated");
        }
        if (count > 0) {
            std::memcpy(data, bytes_.data(), count);
        }
        bytes_ = bytes_.subspan(count);
    }
    std::span<const std::byte> bytes_;
};

}  // namespace libration
