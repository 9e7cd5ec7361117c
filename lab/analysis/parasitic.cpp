// Filters for the parasitic components, applied along a run.
#include "parasitic.hpp"
#include "methods/good_step.hpp"
#include <libration/kit/method_record.hpp>

#include "coefficients/multistep_stability.hpp"
#include "integrate/method_warnings.hpp"
#include "integrate/start.hpp"
#include "manifold/manifold.hpp"
#include "methods/multistep_stepper.hpp"
#include <libration/kit/make_system.hpp>
#include <libration/methods/method.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <deque>

namespace libration {

namespace {

using Complex = std::complex<double>;

// Roots with their conjugates; of each pair the first is reported. A root off the circle is listed by its larger twin,
// and has the inverse beside it.
struct Roots {
    std::vector<Complex> all;
    std::vector<std::size_t> reported;
};

Roots all_roots(const std::vector<MultistepRoot>& half) {
    Roots roots;
    const auto add = [&](Complex zeta) {
        const auto is_known = [&](Complex other) { return std::abs(other - zeta) < 1e-9; };
        if (std::ranges::none_of(roots.all, is_known)) {
            roots.all.push_back(zeta);
        }
    };
    for (const auto& root : half) {
        const Complex zeta = std::polar(root.modulus, root.angle);
        roots.reported.push_back(roots.all.size());
        add(zeta);
        add(std::conj(zeta));
        add(1.0 / zeta);
        add(1.0 / std::conj(zeta));
    }
    return roots;
}

// Coefficients of (E - 1)^(k+2) prod_(j != i) (E - zeta_j), divided by the value at zeta_i. What is left of a sequence
// is z_i up to the factor zeta_i^n.
std::vector<Complex> filter(int k, const std::vector<Complex>& roots, std::size_t i) {
    std::vector<Complex> weights{1.0};
    const auto multiply = [&](Complex root) {  // by (E - root) / (zeta_i - root)
        weights.insert(weights.begin(), 0.0);
        for (std::size_t j = 0; j + 1 < weights.size(); ++j) {
            weights[j] -= root * weights[j + 1];
        }
        for (auto& weight : weights) {
            weight /= roots[i] - root;
        }
    };
    for (int n = 0; n < k + 2; ++n) {
        multiply(1.0);
    }
    for (std::size_t j = 0; j < roots.size(); ++j) {
        if (j != i) {
            multiply(roots[j]);
        }
    }
    return weights;
}

// The last values of a sequence of vectors, and the filters on them.
class Filtered {
  public:
    Filtered(int k, const std::vector<MultistepRoot>& half) {
        const auto roots = all_roots(half);
        for (const auto i : roots.reported) {
            filters_.push_back(filter(k, roots.all, i));
        }
    }
    void push(std::span<const double> values) {
        if (filters_.empty()) {
            return;
        }
        if (past_.size() == filters_[0].size()) {
            past_.pop_front();
        }
        past_.emplace_back(values.begin(), values.end());
    }
    [[nodiscard]] bool ready() const { return !filters_.empty() && past_.size() == filters_[0].size(); }
    // Real and imaginary parts.
    void component(std::size_t i, std::vector<double>& real, std::vector<double>& imaginary) const {
        std::ranges::fill(real, 0.0);
        std::ranges::fill(imaginary, 0.0);
        for (std::size_t n = 0; n < past_.size(); ++n) {
            for (std::size_t j = 0; j < real.size(); ++j) {
                real[j] += filters_[i][n].real() * past_[n][j];
                imaginary[j] += filters_[i][n].imag() * past_[n][j];
            }
        }
    }
    [[nodiscard]] std::size_t components() const { return filters_.size(); }

  private:
    std::vector<std::vector<Complex>> filters_;
    std::deque<std::vector<double>> past_;
};

double norm(std::span<const double> real, std::span<const double> imaginary) {
    double sum = 0;
    for (std::size_t j = 0; j < real.size(); ++j) {
        sum += real[j] * real[j] + imaginary[j] * imaginary[j];
    }
    return std::sqrt(sum);
}

class Watcher {
  public:
    Watcher(System<double>& system, const MultistepPair& pair, ParasiticWatch& watch)
        : system_(&system), watch_(&watch), G_(system.pattern().entries()), real_(system.dimension()),
          imaginary_(real_), reaction_real_(real_), reaction_imaginary_(real_), nu_real_(system.constraints()),
          nu_imaginary_(nu_real_), stability_(multistep_stability(pair)), positions_(pair.k, stability_.rho_roots),
          multipliers_(pair.k, system.constraints() > 0 ? stability_.sigma_roots : std::vector<MultistepRoot>{}) {
        for (const auto& root : stability_.rho_roots) {
            watch.components.push_back({true, root.modulus, root.angle, {}});
        }
        for (std::size_t i = 0; i < multipliers_.components(); ++i) {
            const auto& root = stability_.sigma_roots[i];
            watch.components.push_back({false, root.modulus, root.angle, {}});
        }
        largest_.resize(watch.components.size());
    }

    void see(double t, std::span<const double> q, std::span<const double> lambda) {
        positions_.push(q);
        multipliers_.push(lambda);
        std::size_t place = 0;
        for (std::size_t i = 0; i < positions_.components(); ++i, ++place) {
            if (positions_.ready()) {
                positions_.component(i, real_, imaginary_);
                keep(place, norm(real_, imaginary_));
            }
        }
        if (multipliers_.ready()) {
            system_->jacobian(t, q, G_);
        }
        for (std::size_t i = 0; i < multipliers_.components() && multipliers_.ready(); ++i, ++place) {
            multipliers_.component(i, nu_real_, nu_imaginary_);
            std::ranges::fill(reaction_real_, 0.0);
            std::ranges::fill(reaction_imaginary_, 0.0);
            add_transposed<double>(system_->pattern(), G_, nu_real_, reaction_real_);
            add_transposed<double>(system_->pattern(), G_, nu_imaginary_, reaction_imaginary_);
            keep(place, watch_->step * watch_->step * norm(reaction_real_, reaction_imaginary_));
        }
    }
    // Parts that are too short for the filters are omitted.
    void end_part(double t) {
        if (!positions_.ready()) {
            return;
        }
        watch_->t.push_back(t);
        for (std::size_t i = 0; i < largest_.size(); ++i) {
            watch_->components[i].largest.push_back(largest_[i]);
        }
        std::ranges::fill(largest_, 0.0);
    }

  private:
    void keep(std::size_t place, double size) {
        largest_[place] = std::isnan(size) || size > largest_[place] ? size : largest_[place];
    }
    System<double>* system_;
    ParasiticWatch* watch_;
    std::vector<double> G_, real_, imaginary_, reaction_real_, reaction_imaginary_, nu_real_, nu_imaginary_, largest_;
    MultistepStability stability_;
    Filtered positions_, multipliers_;
};

void check_watch(const Method& method, const ParasiticOptions& options, const System<double>& system) {
    if (method.record().name != "multistep" || method.claims().order == 2) {
        throw InputError(fmt::format("{}: only multistep(k, ...) with k >= 4 has parasitic components", method.name()));
    }
    if (const auto reason = unmet_needs(method, system.properties(), system.constraints()); !reason.empty()) {
        throw InputError(reason);
    }
    // The filters use 2 k positions, and the first k - 1 steps are those of the starter.
    const int fewest = 3 * method.claims().order;
    if (options.steps < fewest) {
        throw InputError(fmt::format(
            "the parasitic components of {} are visible after {} steps, and only {} are requested; use more steps",
            method.name(), fewest, options.steps));
    }
    if (options.step == 0 || !std::isfinite(options.step) || options.steps < 1 || options.rows < 1) {
        throw InputError("monitoring parasitic components needs a nonzero step size and at least one step");
    }
}

}  // namespace

ParasiticWatch watch_parasitic(const Model& model, const MethodSpec& spec, const ParasiticOptions& options) {
    const auto watched = method(spec, Doubts::accept);
    const auto system = make_system<double>(model);
    check_watch(watched, options, *system);
    auto start = start_state<double>(model, *system);
    if (options.project) {
        Manifold<double> manifold(*system);
        manifold.project_position(0, start.q, start.p);
        manifold.project_momentum(0, start.q, start.p);
    }
    if (const auto fault = start_fault(model, *system, start.q, start.p, 0); !fault.empty()) {
        throw InputError(fault);
    }
    ParasiticWatch watch{model.name, watched.name(), options.step, {}, {}, {}, {}};
    watch.warnings = method_warnings(watched, *system, start, {.step = options.step});
    Watcher watcher(*system, multistep_pair_of(spec), watch);
    const auto running = make_stepper<double>(watched, *system);
    auto& stepper = dynamic_cast<MultistepStepper<double>&>(*running);
    stepper.start(0, start.q, start.p, options.step);
    const std::int64_t part = std::max<std::int64_t>(1, (options.steps + options.rows - 1) / options.rows);
    double t = 0;
    for (std::int64_t n = 1; n <= options.steps; ++n) {
        const auto report = stepper.advance();
        if (!good_step(report)) {
            watch.failure = fmt::format("step {} (t = {:.6g}) failed", n, static_cast<double>(n) * options.step);
            break;
        }
        stepper.accept();
        t = static_cast<double>(n) * options.step;
        if (!stepper.starts()) {
            watcher.see(t, stepper.newest_position(), stepper.newest_multipliers());
        }
        if (n % part == 0) {
            watcher.end_part(t);
        }
    }
    if (watch.t.empty() || watch.t.back() != t) {
        watcher.end_part(t);
    }
    return watch;
}

}  // namespace libration
