// Tangent vectors, four a dual number, and their orthonormal bases.
#include "lyapunov.hpp"
#include "integrate/redundancy.hpp"
#include "methods/good_step.hpp"
#include <libration/kit/method_record.hpp>

#include "walk.hpp"

#include <libration/kit/sparse_product.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace libration {

namespace {

using TangentScalar = Dual<double>;
using Tangent = std::vector<double>;  // dq, then dp

bool all_finite(std::span<const TangentScalar> values) {
    return std::ranges::all_of(values, [](const TangentScalar& x) { return std::isfinite(x.value); });
}

double tangent_product(const Tangent& a, const Tangent& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// Gram-Schmidt, modified, always twice: where much of a vector went away, once is not enough. Gives the length that
// each had left.
std::vector<double> orthonormalise(std::vector<Tangent>& basis) {
    std::vector<double> lengths;
    for (std::size_t k = 0; k < basis.size(); ++k) {
        for (int round = 0; round < 2; ++round) {
            for (std::size_t i = 0; i < k; ++i) {
                const double along = tangent_product(basis[i], basis[k]);
                for (std::size_t j = 0; j < basis[k].size(); ++j) {
                    basis[k][j] -= along * basis[i][j];
                }
            }
        }
        lengths.push_back(std::sqrt(tangent_product(basis[k], basis[k])));
        for (auto& value : basis[k]) {
            value /= lengths.back();
        }
    }
    return lengths;
}

// One trajectory with its basis. Each chunk of four vectors takes the steps of its own, always from the same state.
class Bundle {
  public:
    Bundle(const Model& model, const Method& method, const LyapunovOptions& options)
        : system_(make_system<TangentScalar>(model)), stepper_(model, method, *system_), method_(&method),
          d_(system_->dimension()), h_(options.step), start_time_(options.start_time), time_(options.start_time) {
        const auto given = start_state<TangentScalar>(model, *system_, from_double<TangentScalar>(options.start_time));
        const auto values = [&](const std::vector<TangentScalar>& own, const std::vector<double>* other) {
            std::vector<double> all(d_);
            for (std::size_t j = 0; j < d_; ++j) {
                all[j] = other == nullptr ? own[j].value : (j < other->size() ? (*other)[j] : 0);
            }
            return all;
        };
        q_ = values(given.q, options.start ? &options.start->q : nullptr);
        p_ = values(given.p, options.start ? &options.start->p : nullptr);
        low_.assign(d_, 0);
    }

    // Below 1 for a point that cannot move.
    [[nodiscard]] std::int64_t tangent_dimension() const {
        const auto& properties = system_->properties();
        const auto d = static_cast<std::int64_t>(d_), m = static_cast<std::int64_t>(system_->constraints());
        return properties.partitioned ? 2 * (d - m) - static_cast<std::int64_t>(properties.nonholonomic) : d;
    }

    // Vectors in general position: what a projection leaves of them are tangents, because it is the identity on the
    // manifold.
    void choose_basis(std::size_t count) {
        std::mt19937_64 random(1);
        const bool partitioned = system_->properties().partitioned;
        basis_.assign(count, Tangent(2 * d_, 0));
        for (auto& vector : basis_) {
            for (std::size_t j = 0; j < (partitioned ? 2 * d_ : d_); ++j) {
                vector[j] = std::ldexp(static_cast<double>(random() >> 11U), -52) - 1;
            }
        }
        Manifold<TangentScalar> manifold(*system_);
        for (std::size_t first = 0; first < count; first += dual_width) {
            load(first);
            const auto reached = manifold.project_position(from_double<TangentScalar>(time_), dual_q_, dual_p_);
            manifold.project_momentum(from_double<TangentScalar>(time_), dual_q_, dual_p_);
            if (reached != 1 || !all_finite(dual_p_)) {
                throw InputError(fmt::format("the state at t = {:.6g} cannot be projected onto the constraints: start "
                                             "from another row, or check for redundant constraints there",
                                             time_));
            }
            store(first, dual_q_, dual_p_);
        }
        for (const double length : orthonormalise(basis_)) {
            if (!(std::isfinite(length) && length > 0)) {
                throw InputError(fmt::format("fewer than {} independent tangent vectors were found at t = {:.6g}: "
                                             "compute fewer exponents, or check for redundant constraints there",
                                             count, time_));
            }
        }
    }

    // So many steps; what became of the lengths.
    std::vector<double> carry(std::int64_t steps) {
        std::vector<double> q, low, p;
        std::vector<TangentScalar> turns;
        for (std::size_t first = 0; first < basis_.size(); first += dual_width) {
            load(first);
            stepper_.start(Node<TangentScalar>{from_double<TangentScalar>(time_), dual_q_, dual_low_, dual_p_, turns_},
                           from_double<TangentScalar>(h_));
            for (std::int64_t n = 0; n < steps; ++n) {
                const auto report = stepper_.advance();
                if (!good_step(report)) {
                    throw InputError(fmt::format("the tangent map of {} fails after t = {:.6g}: use a smaller step "
                                                 "than {:.3g}, or a shorter duration",
                                                 method_->name(), time_ + static_cast<double>(n) * h_, h_));
                }
                stepper_.accept();
            }
            const auto node = stepper_.node();
            store(first, node.q, node.p);
            if (first == 0) {  // all chunks continue from here: their own states may differ in the last digit
                turns.assign(node.turns.begin(), node.turns.end());
                for (std::size_t j = 0; j < d_; ++j) {
                    q.push_back(node.q[j].value);
                    low.push_back(node.q_low.empty() ? 0 : node.q_low[j].value);
                    p.push_back(node.p[j].value);
                }
            }
        }
        q_ = std::move(q);
        low_ = std::move(low);
        p_ = std::move(p);
        turns_ = std::move(turns);
        steps_ += steps;
        auto lengths = orthonormalise(basis_);
        for (const double length : lengths) {
            if (!(std::isfinite(length) && length > 0)) {
                throw InputError(fmt::format("tangent vectors are no longer finite, or no longer independent, before t "
                                             "= {:.6g}: renormalize more often than every {} steps",
                                             time_ + static_cast<double>(steps) * h_, steps));
            }
        }
        time_ = start_time_ + static_cast<double>(steps_) * h_;
        return lengths;
    }

    [[nodiscard]] double tangent_residual() {
        std::vector<TangentScalar> G(system_->pattern().entries()), row(system_->constraints());
        double most = 0;
        load(0);
        system_->jacobian(from_double<TangentScalar>(time_), dual_q_, G);
        for (const auto& vector : basis_) {
            std::vector<TangentScalar> dq(d_);
            for (std::size_t j = 0; j < d_; ++j) {
                dq[j] = from_double<TangentScalar>(vector[j]);
            }
            apply_jacobian<TangentScalar>(system_->pattern(), G, dq, row);
            most = std::max(most, largest_of<TangentScalar>(row));
        }
        return most;
    }

  private:
    void load(std::size_t first) {
        dual_q_.assign(d_, lit<TangentScalar>(0));
        dual_low_ = dual_p_ = dual_q_;
        for (std::size_t j = 0; j < d_; ++j) {
            dual_q_[j].value = q_[j];
            dual_low_[j].value = low_[j];
            dual_p_[j].value = p_[j];
            for (std::size_t k = first; k < std::min(first + dual_width, basis_.size()); ++k) {
                dual_q_[j].tangent[k - first] = basis_[k][j];
                dual_p_[j].tangent[k - first] = basis_[k][d_ + j];
            }
        }
    }
    void store(std::size_t first, std::span<const TangentScalar> q, std::span<const TangentScalar> p) {
        for (std::size_t k = first; k < std::min(first + dual_width, basis_.size()); ++k) {
            for (std::size_t j = 0; j < d_; ++j) {
                basis_[k][j] = q[j].tangent[k - first];
                basis_[k][d_ + j] = p[j].tangent[k - first];
            }
        }
    }

    std::unique_ptr<System<TangentScalar>> system_;
    RowExchange<TangentScalar> stepper_;
    const Method* method_;
    std::size_t d_;
    double h_, start_time_, time_;
    std::int64_t steps_ = 0;
    std::vector<double> q_, low_, p_;
    std::vector<Tangent> basis_;
    std::vector<TangentScalar> dual_q_, dual_low_, dual_p_, turns_;
};

// The logarithms of one vector, summed up to each basis.
struct Growth {
    std::vector<double> sum{0.0};
    // The mean rate between two parts of the run, given as fractions of it.
    [[nodiscard]] double rate(const std::vector<double>& times, double from, double to) const {
        const auto last = static_cast<double>(sum.size() - 1);
        const auto a = static_cast<std::size_t>(std::floor(from * last)), b = static_cast<std::size_t>(to * last);
        return (sum[b] - sum[a]) / (times[b] - times[a]);
    }
};

constexpr double transient = 0.1;
constexpr int error_blocks = 9;

double standard_error(const Growth& growth, const std::vector<double>& times) {
    std::vector<double> rates;
    for (int k = 0; k < error_blocks; ++k) {
        const double width = (1 - transient) / error_blocks;
        rates.push_back(growth.rate(times, transient + k * width, transient + (k + 1) * width));
    }
    const double mean = std::accumulate(rates.begin(), rates.end(), 0.0) / error_blocks;
    double squares = 0;
    for (const double rate : rates) {
        squares += (rate - mean) * (rate - mean);
    }
    return std::sqrt(squares / (error_blocks * (error_blocks - 1)));
}

void check_lyapunov(const Model& model, const Method& method, const LyapunovOptions& options) {
    if (!method.is_map()) {
        throw InputError(
            fmt::format("{} is not a one-step method, so it has no tangent map: use a one-step method such as "
                        "rattle, lobatto(3) or dirac-gauss(2); without constraints verlet or gauss(2)",
                        method.name()));
    }
    const auto system = make_system<double>(model);
    if (const auto missing = unmet_needs(method, system->properties(), system->constraints()); !missing.empty()) {
        throw InputError(missing);
    }
    if (!(options.step != 0 && std::isfinite(options.step)) || options.renormalise < 1) {
        throw InputError("Lyapunov exponents need a nonzero step and a renormalization every 1 or more steps");
    }
    const double bases = std::abs(options.duration / options.step) / static_cast<double>(options.renormalise);
    if (!(bases >= 20)) {
        throw InputError(fmt::format("a duration of {:.6g} with a renormalization every {} steps has only {} of them; "
                                     "at least 20 are needed: make it longer, or renormalize more often",
                                     options.duration, options.renormalise, std::floor(bases)));
    }
}

// Of redundant constraints, the rows that suit the state from which the vectors start.
Model carrying_at_start(const Model& given, const LyapunovOptions& options) {
    auto model = carrying(given, options.start_time);
    if (!options.start) {
        return model;
    }
    const Node<double> node{options.start_time, options.start->q, {}, options.start->p};
    return with_rows_of_step(model, node, node);
}

}  // namespace

LyapunovExponents lyapunov_exponents(const Model& given, const Method& method, const LyapunovOptions& options) {
    const auto model = carrying_at_start(given, options);
    check_lyapunov(model, method, options);
    Bundle bundle(model, method, options);
    LyapunovExponents found;
    if (bundle.tangent_dimension() < 1) {
        throw InputError("there are at least as many constraints as coordinates: a system without degrees of freedom "
                         "has no Lyapunov exponents");
    }
    found.tangent_dimension = static_cast<std::size_t>(bundle.tangent_dimension());
    if (options.count > found.tangent_dimension) {
        throw InputError(fmt::format("there are {} exponents, the dimension of the tangent space, not {}",
                                     found.tangent_dimension, options.count));
    }
    bundle.choose_basis(options.count == 0 ? found.tangent_dimension : options.count);
    const auto bases =
        static_cast<std::int64_t>(std::round(std::abs(options.duration / options.step))) / options.renormalise;
    const double length = std::abs(options.step) * static_cast<double>(options.renormalise);
    std::vector<double> times{0.0};
    std::vector<Growth> growth(options.count == 0 ? found.tangent_dimension : options.count);
    for (std::int64_t n = 1; n <= bases; ++n) {
        const auto lengths = bundle.carry(options.renormalise);
        times.push_back(static_cast<double>(n) * length);
        for (std::size_t k = 0; k < growth.size(); ++k) {
            growth[k].sum.push_back(growth[k].sum.back() + std::log(lengths[k]));
        }
    }
    found.steps = bases * options.renormalise;
    found.tangent_residual = bundle.tangent_residual();
    found.time = times.back() - times[static_cast<std::size_t>(transient * static_cast<double>(bases))];
    const auto every = std::max<std::size_t>(1, times.size() / 1000);
    for (std::size_t n = every; n < times.size(); n += every) {
        found.t.push_back(times[n]);
    }
    for (const auto& one : growth) {
        found.exponents.push_back(one.rate(times, transient, 1));
        found.errors.push_back(std::max(standard_error(one, times),
                                        std::abs(found.exponents.back() - one.rate(times, transient / 2, 0.5))));
        auto& running = found.running.emplace_back();
        for (std::size_t n = every; n < times.size(); n += every) {
            const auto from = static_cast<std::size_t>(transient * static_cast<double>(n));
            running.push_back((one.sum[n] - one.sum[from]) / (times[n] - times[from]));
        }
    }
    return found;
}

}  // namespace libration
