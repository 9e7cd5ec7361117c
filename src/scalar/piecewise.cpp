// Finding the piece and evaluating its polynomial.
#include "piecewise.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <mutex>

namespace libration {

namespace {

struct Kept {
    PiecewisePolynomial<double> rounded;
    PiecewisePolynomial<WideScalar> wide;
};

// Read without a lock while others are added: blocks never move.
constexpr std::size_t block_size = 4096, most_blocks = 4096;
using Block = std::array<std::atomic<const Kept*>, block_size>;
std::array<std::atomic<Block*>, most_blocks> blocks{};
std::atomic<std::size_t> kept_count{0};
std::mutex keeping;

// Null: there is none of that number.
const Kept* find_kept(double number) {
    if (!(number >= 0 && number < static_cast<double>(kept_count.load(std::memory_order_acquire)))) {
        return nullptr;
    }
    const auto index = static_cast<std::size_t>(number);
    return (*blocks[index / block_size].load(std::memory_order_acquire))[index % block_size].load(
        std::memory_order_acquire);
}

PiecewisePolynomial<double> rounded(const PiecewisePolynomial<WideScalar>& wide) {
    PiecewisePolynomial<double> result;
    for (const auto& knot : wide.knots) {
        result.knots.push_back(to_double(knot));
    }
    for (const auto& c : wide.coefficients) {
        result.coefficients.push_back({to_double(c[0]), to_double(c[1]), to_double(c[2]), to_double(c[3])});
    }
    result.first = to_double(wide.first);
    result.last = to_double(wide.last);
    return result;
}

// What is out of bounds, in a damaged graph for example, has the value of a high derivative: 0.
int derivative_number(double given) { return given >= piece_number && given <= 3 ? static_cast<int>(given) : 4; }

template <class R>
R evaluate(const PiecewisePolynomial<R>& f, R x, int derivative) {
    if (!(x == x)) {
        return x;
    }
    const auto above = std::upper_bound(f.knots.begin(), f.knots.end(), x);
    if (derivative == piece_number) {
        return static_cast<R>(above - f.knots.begin());
    }
    if (above == f.knots.begin() || above == f.knots.end()) {
        return derivative != 0 ? R{0} : (above == f.knots.begin() ? f.first : f.last);
    }
    const auto piece = static_cast<std::size_t>(above - f.knots.begin()) - 1;
    const auto& c = f.coefficients[piece];
    const R u = x - f.knots[piece];
    switch (derivative) {
        case 0: return c[0] + u * (c[1] + u * (c[2] + u * c[3]));
        case 1: return c[1] + u * (2 * c[2] + u * (3 * c[3]));
        case 2: return 2 * c[2] + u * (6 * c[3]);
        case 3: return 6 * c[3];
        default: return R{0};
    }
}

}  // namespace

std::optional<std::size_t> keep_piecewise(PiecewisePolynomial<WideScalar> function) {
    auto kept = std::make_unique<Kept>();
    kept->rounded = rounded(function);
    kept->wide = std::move(function);
    const std::lock_guard lock(keeping);
    const std::size_t number = kept_count.load(std::memory_order_relaxed);
    if (number >= block_size * most_blocks) {
        return std::nullopt;
    }
    auto& block = blocks[number / block_size];
    if (block.load(std::memory_order_relaxed) == nullptr) {
        block.store(new Block{}, std::memory_order_release);
    }
    (*block.load(std::memory_order_relaxed))[number % block_size].store(kept.release(), std::memory_order_release);
    kept_count.store(number + 1, std::memory_order_release);
    return number;
}

double interpolate(double x, double table, double derivative) {
    const auto* const kept = find_kept(table);
    return kept != nullptr ? evaluate(kept->rounded, x, derivative_number(derivative))
                           : std::numeric_limits<double>::quiet_NaN();
}

#ifdef LIBRATION_HAS_QUAD
Quad interpolate(Quad x, Quad table, Quad derivative) {
    const auto* const kept = find_kept(to_double(table));
    return kept != nullptr ? evaluate(kept->wide, x, derivative_number(to_double(derivative)))
                           : static_cast<Quad>(std::numeric_limits<double>::quiet_NaN());
}
#endif

}  // namespace libration
