// Columns of states.
#include "recording.hpp"

#include "integrate/state_reader.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

namespace libration::python {

namespace {

std::size_t whole_pages(std::size_t bytes) {
    static const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return (bytes + page - 1) / page * page;
}

constexpr std::size_t huge_page = std::size_t{2} << 20;

}  // namespace

std::size_t physical_memory() {
    return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

Block::~Block() {
    if (data_ != nullptr) {
        munmap(data_, bytes_);
    }
}

void Block::resize(std::size_t bytes) {
    bytes = whole_pages(std::max<std::size_t>(bytes, 1));
    if (bytes == bytes_) {
        return;
    }
    void* moved = data_ == nullptr
                      ? mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                      : mremap(data_, bytes_, bytes, MREMAP_MAYMOVE);
    if (moved == MAP_FAILED) {
        throw std::bad_alloc();
    }
    data_ = static_cast<std::byte*>(moved);
    bytes_ = bytes;
    if (bytes >= huge_page) {
        madvise(data_, bytes_, MADV_HUGEPAGE);  // fewer page faults; where it is refused, nothing is lost
    }
}

Recording::Recording(const StateSizes& sizes) {
    widths_.fill(1);
    for (const auto column : {q, p, v}) {
        widths_[column] = sizes.dimension;
    }
    widths_[lambda] = sizes.multipliers;
    widths_[observables] = sizes.observables;
    for (auto& block : blocks_) {
        block = std::make_shared<Block>();
    }
    reserve(1);
}

Recording::Recording(const TrajectoryFile& file, const StateSizes& sizes) : Recording(sizes) {
    const auto rows = static_cast<std::size_t>(file.rows());
    reserve(rows);
    // Memory is written by these sizes, whatever the file says.
    const auto read = [&](const std::string& name, std::size_t width) {
        auto numbers = file.read("/run/" + name);
        if (numbers.size() != rows * width) {
            throw FileError(fmt::format("/run/{} has {} numbers instead of {} rows of {}; the file is damaged or was "
                                        "changed: use an intact copy",
                                        name, numbers.size(), rows, width));
        }
        return numbers;
    };
    for (std::size_t column = 0; column < columns; ++column) {
        if (column == observables) {
            continue;
        }
        const auto numbers = read(names[column], widths_[column]);
        auto* to = blocks_[column]->data();
        if (column == step) {
            for (std::size_t row = 0; row < rows; ++row) {
                const auto number = static_cast<std::int64_t>(numbers[row]);  // exact up to 2^53
                std::memcpy(to + row * sizeof number, &number, sizeof number);
            }
        } else if (!numbers.empty()) {
            std::memcpy(to, numbers.data(), numbers.size() * sizeof(double));
        }
    }
    const auto known = file.observable_names();
    if (known.size() != widths_[observables]) {
        throw FileError(fmt::format("the file has {} observables instead of {}", known.size(), widths_[observables]));
    }
    for (std::size_t k = 0; k < known.size(); ++k) {
        const auto numbers = read("observables/" + known[k], 1);
        for (std::size_t row = 0; row < rows; ++row) {
            std::memcpy(blocks_[observables]->data() + (row * known.size() + k) * sizeof(double), &numbers[row],
                        sizeof(double));
        }
    }
    const auto is_nan = [](double value) { return std::isnan(value); };
    rows_ = rows;
    while (rows_ > 0 && (is_nan(values(t, rows_ - 1)[0]) || std::ranges::any_of(values(q, rows_ - 1), is_nan))) {
        --rows_;
    }
}

void Recording::reserve(std::size_t rows) {
    rows = std::max(rows, rows_);
    for (std::size_t column = 0; column < columns; ++column) {
        blocks_[column]->resize(is_left_out(column) ? 0 : rows * widths_[column] * sizeof(double));
    }
    capacity_ = rows;
}

void Recording::trim() { reserve(rows_); }

std::size_t Recording::row_bytes() const {
    std::size_t numbers = 0;
    for (const auto width : widths_) {
        numbers += width;
    }
    return numbers * sizeof(double);
}

void Recording::see(const Sample& sample) {
    if (rows_ == capacity_) {
        reserve(std::max<std::size_t>(1024, 2 * capacity_));
    }
    const auto number = [this](Column column, const auto& value) {
        static_assert(sizeof value == sizeof(double));
        std::memcpy(blocks_[column]->data() + rows_ * sizeof value, &value, sizeof value);
    };
    const auto vector = [this](Column column, std::span<const double> values) {
        const std::size_t bytes = widths_[column] * sizeof(double);
        if (bytes > 0) {
            std::memcpy(blocks_[column]->data() + rows_ * bytes, values.data(), bytes);
        }
    };
    number(t, sample.t);
    number(step, sample.step);
    number(energy, sample.energy);
    number(constraint, sample.constraint);
    number(hidden, sample.hidden);
    vector(q, sample.q);
    vector(p, sample.p);
    if (!lazy_.load(std::memory_order_relaxed)) {
        vector(v, sample.v);
        vector(lambda, sample.lambda);
        vector(observables, sample.observables);
    }
    ++rows_;
}

void Recording::complete(const Model& model, const std::function<void()>& look) {
    const std::lock_guard guard(completing_);
    if (!lazy_) {
        return;
    }
    std::array<std::size_t, 3> sizes{};
    const std::array left_out{v, lambda, observables};
    for (std::size_t k = 0; k < left_out.size(); ++k) {
        sizes[k] = widths_[left_out[k]] * sizeof(double);
        blocks_[left_out[k]]->resize(rows_ * sizes[k]);
    }
    StateReader reader(model, rows_);
    constexpr std::size_t between_looks = 4096;
    for (std::size_t row = 0; row < rows_; ++row) {
        if (row % between_looks == 0) {
            look();
        }
        const auto sample = reader.read(values(t, row)[0], values(q, row), values(p, row));
        const std::array found{sample.v, sample.lambda, sample.observables};
        for (std::size_t k = 0; k < left_out.size(); ++k) {
            if (sizes[k] > 0) {
                std::memcpy(blocks_[left_out[k]]->data() + row * sizes[k], found[k].data(), sizes[k]);
            }
        }
    }
    lazy_ = false;
}

std::span<const double> Recording::values(Column column, std::size_t row) const {
    const auto width = widths_[column];
    return {reinterpret_cast<const double*>(blocks_[column]->data()) + row * width, width};
}

Sample Recording::sample(std::size_t row) const {
    Sample sample;
    std::memcpy(&sample.step, blocks_[step]->data() + row * sizeof sample.step, sizeof sample.step);
    sample.t = values(t, row)[0];
    sample.q = values(q, row);
    sample.p = values(p, row);
    sample.v = values(v, row);
    sample.lambda = values(lambda, row);
    sample.observables = values(observables, row);
    sample.energy = values(energy, row)[0];
    sample.constraint = values(constraint, row)[0];
    sample.hidden = values(hidden, row)[0];
    return sample;
}

}  // namespace libration::python
