// Recorded states in flat memory, one block a column, that numpy arrays can share and outlive.
#pragma once

#include <libration/integrate/run.hpp>
#include <libration/io/trajectory_file.hpp>
#include <libration/model/model.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>

namespace libration::python {

// Pages of memory that grow without being copied.
class Block {
  public:
    Block() = default;
    ~Block();
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;
    // Bytes that are there stay. Throws std::bad_alloc.
    void resize(std::size_t bytes);
    [[nodiscard]] std::byte* data() const { return data_; }

  private:
    std::byte* data_ = nullptr;
    std::size_t bytes_ = 0;
};

// How many numbers a state has.
struct StateSizes {
    std::size_t dimension = 0, multipliers = 0, observables = 0;
};

class Recording final : public Observer {
  public:
    // In the order of the names that Python uses.
    enum Column : std::size_t { t, step, energy, constraint, hidden, q, p, v, lambda, observables, columns };
    static constexpr std::array<const char*, columns> names{"t", "step", "energy", "constraint", "hidden",
                                                            "q", "p",    "v",      "lambda",     "observables"};

    explicit Recording(const StateSizes& sizes);
    // All rows of a file, without cells that a kill left unwritten.
    Recording(const TrajectoryFile& file, const StateSizes& sizes);

    // What follows from the others.
    static bool is_late(Column column) { return column == v || column == lambda || column == observables; }
    // Velocities, multipliers and observables are left out, to be computed from the rest when somebody asks for them.
    // To be said before reserve().
    void be_lazy() { lazy_ = true; }
    [[nodiscard]] bool is_lazy() const { return lazy_; }
    // Computes what was left out. Takes a while, and may be asked by several threads. `look` is called from time to
    // time; if it throws, all is as before.
    void complete(const Model& model, const std::function<void()>& look);

    // Address space for so many rows; memory is taken when rows come.
    void reserve(std::size_t rows);
    void see(const Sample& sample) override;
    void clear() { rows_ = 0; }
    // Gives back what was reserved and not used.
    void trim();

    [[nodiscard]] std::size_t rows() const { return rows_; }
    [[nodiscard]] std::size_t width(Column column) const { return widths_[column]; }
    [[nodiscard]] std::size_t row_bytes() const;
    [[nodiscard]] std::shared_ptr<const Block> block(Column column) const { return blocks_[column]; }
    // Numbers of a row; valid as long as nothing is added.
    [[nodiscard]] std::span<const double> values(Column column, std::size_t row) const;
    [[nodiscard]] Sample sample(std::size_t row) const;

  private:
    [[nodiscard]] bool is_left_out(std::size_t column) const { return lazy_ && is_late(static_cast<Column>(column)); }
    std::array<std::shared_ptr<Block>, columns> blocks_;
    std::array<std::size_t, columns> widths_{};
    std::size_t rows_ = 0, capacity_ = 0;
    std::atomic<bool> lazy_ = false;
    std::mutex completing_;
};

// Bytes of memory in this machine.
std::size_t physical_memory();

}  // namespace libration::python
