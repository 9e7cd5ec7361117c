// The memory of a stepper as flat lists.
#include "lane_stepper.hpp"

namespace libration {

namespace {

class Take final : public MemoryVisitor<double> {
  public:
    explicit Take(LaneMemory& memory) : memory_(&memory) {}
    void array(std::string_view, std::span<double> values) override {
        memory_->entries.insert(memory_->entries.end(), values.begin(), values.end());
    }
    void integer(std::string_view, std::int64_t& value) override { memory_->integers.push_back(value); }

  private:
    LaneMemory* memory_;
};

class Put final : public MemoryVisitor<double> {
  public:
    explicit Put(const LaneMemory& memory) : memory_(&memory) {}
    void array(std::string_view, std::span<double> values) override {
        for (auto& value : values) {
            value = memory_->entries[entry_++];
        }
    }
    void integer(std::string_view, std::int64_t& value) override { value = memory_->integers[integer_++]; }

  private:
    const LaneMemory* memory_;
    std::size_t entry_ = 0, integer_ = 0;
};

}  // namespace

LaneMemory memory_of(Stepper<double>& stepper) {
    LaneMemory memory;
    Take take(memory);
    stepper.visit(take);
    return memory;
}

void put_memory(const LaneMemory& memory, Stepper<double>& stepper) {
    Put put(memory);
    stepper.visit(put);
}

}  // namespace libration
