// Memory to bytes and back: saving is visit and write, loading is visit and read.
#pragma once

#include <libration/kit/stepper.hpp>

#include <cstddef>
#include <vector>

namespace libration {

class CheckpointWriter final : public MemoryVisitor<double> {
  public:
    void array(std::string_view name, std::span<double> values) override;
    void integer(std::string_view name, std::int64_t& value) override;
    [[nodiscard]] const std::vector<std::byte>& bytes() const { return bytes_; }
    void clear() { bytes_.clear(); }

  private:
    void put(const void* data, std::size_t size);
    void header(std::string_view name, std::uint64_t count);
    std::vector<std::byte> bytes_;
};

// Throws an InputError if names or sizes do not agree with what was written.
class CheckpointReader final : public MemoryVisitor<double> {
  public:
    explicit CheckpointReader(std::span<const std::byte> bytes) : bytes_(bytes) {}
    void array(std::string_view name, std::span<double> values) override;
    void integer(std::string_view name, std::int64_t& value) override;
    [[nodiscard]] bool has(std::string_view name) override;

  private:
    void take(void* data, std::size_t size);
    void header(std::string_view name, std::uint64_t count);
    std::span<const std::byte> bytes_;
};

}  // namespace libration
