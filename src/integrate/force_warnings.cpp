// Forces that contradict their class, seen by their power P = v^T f at states near the start.
#include "force_checks.hpp"

#include "manifold/manifold.hpp"
#include "system/applied_forces.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

namespace libration {

namespace {

constexpr int samples_beside_the_start = 16;
constexpr int fewest_samples = 4;       // a drive may well brake at one state
constexpr double sum_rounding = 1e-12;  // of a sum of products
constexpr double asymmetric = 1e-9;     // of derivatives, which may cancel

struct ForceSample {
    double t = 0;
    std::vector<double> q, v, lambda;
};

bool is_finite(const ForceSample& sample) {
    const auto finite = [](double x) { return std::isfinite(x); };
    return std::ranges::all_of(sample.q, finite) && std::ranges::all_of(sample.v, finite) &&
           std::ranges::all_of(sample.lambda, finite);
}

double largest_component(std::span<const double> values) {
    double most = 0;
    for (const double value : values) {
        most = std::max(most, std::abs(value));
    }
    return most;
}

// Numbers from -1 to 1 that look like chance and are the same everywhere: the generator splitmix64 [Steele, Lea, Flood
// 2014]. Not multiples of one irrational number: in a table of samples each coordinate would see every n-th one, and
// would cover a part of the range only where n times the number is nearly whole.
class Scatter {
  public:
    double next() {
        state_ += 0x9e3779b97f4a7c15ULL;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
        z ^= z >> 31U;
        return std::ldexp(static_cast<double>(z >> 11U), -52) - 1;
    }

  private:
    std::uint64_t state_ = 1;
};

class Sampler {
  public:
    Sampler(System<double>& system, const StartState<double>& start, const RunTimes& times)
        : system_(&system), manifold_(system), start_(&start), times_(times), v_(system.dimension()) {
        system.velocity(times.first, start.q, start.p, v_);
        speed_ = largest_component(v_) > 0 ? largest_component(v_) : 1;
        extent_ = largest_component(start.q) > 0 ? largest_component(start.q) : 1;
    }

    // The start, and states near it on the manifold, with velocities in all directions, over the time of the run.
    std::vector<ForceSample> all() {
        std::vector<ForceSample> samples;
        add(samples, times_.first, start_->q, start_->p);
        for (int k = 1; k <= samples_beside_the_start; ++k) {
            const double t = times_.first + (times_.last - times_.first) * k / samples_beside_the_start;
            auto q = start_->q;
            for (auto& x : q) {
                x += k % 2 == 0 ? 0 : 0.01 * extent_ * scatter_.next();
            }
            if (manifold_.project_position(t, q, start_->p) != 1) {
                q = start_->q;
            }
            std::vector<double> v(q.size()), p(q.size());
            for (auto& x : v) {
                x = speed_ * scatter_.next();
            }
            system_->apply_mass(t, q, v, p);
            manifold_.project_momentum(t, q, p);
            add(samples, t, q, p);
        }
        return samples;
    }

  private:
    void add(std::vector<ForceSample>& samples, double t, const std::vector<double>& q, const std::vector<double>& p) {
        ForceSample sample{t, q, std::vector<double>(q.size()), std::vector<double>(reaction_count(*system_))};
        system_->velocity(t, q, p, sample.v);
        if (system_->forces()->depend_on_multipliers()) {
            manifold_.multipliers(t, q, p, sample.lambda);
        }
        if (is_finite(sample)) {
            samples.push_back(std::move(sample));
        }
    }

    System<double>* system_;
    Manifold<double> manifold_;
    const StartState<double>* start_;
    RunTimes times_;
    std::vector<double> v_;
    double speed_ = 1, extent_ = 1;
    Scatter scatter_;
};

// What one force does at the samples.
struct Behaviour {
    const ForceSample* feeds = nullptr;  // where it feeds most, by its share of sum |v_i f_i|
    const ForceSample* takes = nullptr;
    double power_fed = 0, power_taken = 0;
    double share_fed = 0, share_taken = 0;
    int samples = 0;  // at which it does work
};

// The values of all forces at the samples, and their derivatives where somebody asks for them: computed once, since
// there may be thousands of forces.
class SampledForces {
  public:
    SampledForces(AppliedForces<double>& forces, std::span<const ForceSample> samples)
        : forces_(&forces), samples_(samples), slopes_(samples.size()) {
        for (const auto& sample : samples) {
            values_.emplace_back(forces.components().size());
            forces.values(sample.t, sample.q, sample.v, sample.lambda, values_.back());
        }
    }

    [[nodiscard]] std::span<const ForceSample> samples() const { return samples_; }
    [[nodiscard]] const AppliedForces<double>& forces() const { return *forces_; }
    [[nodiscard]] std::span<const double> values(std::size_t sample) const { return values_[sample]; }
    std::span<const double> slopes(std::size_t sample) {
        if (slopes_[sample].empty()) {
            const auto& at = samples_[sample];
            slopes_[sample].resize(forces_->slopes().size());
            forces_->slope_values(at.t, at.q, at.v, at.lambda, slopes_[sample]);
        }
        return slopes_[sample];
    }
    // The components of a force, and its slopes, stand side by side: the first one, and the one behind the last.
    [[nodiscard]] std::pair<std::size_t, std::size_t> components_of(std::size_t force) const {
        const auto found = std::ranges::equal_range(forces_->components(), static_cast<std::uint32_t>(force), {},
                                                    &AppliedForces<double>::Component::force);
        const auto first = static_cast<std::size_t>(found.begin() - forces_->components().begin());
        return {first, first + found.size()};
    }
    [[nodiscard]] std::pair<std::size_t, std::size_t> slopes_of(std::size_t force) const {
        const auto [first, last] = components_of(force);
        const auto place = [&](std::size_t component) {
            const auto found = std::ranges::lower_bound(forces_->slopes(), static_cast<std::uint32_t>(component), {},
                                                        &AppliedForces<double>::Slope::component);
            return static_cast<std::size_t>(found - forces_->slopes().begin());
        };
        return {place(first), place(last)};
    }

  private:
    AppliedForces<double>* forces_;
    std::span<const ForceSample> samples_;
    std::vector<std::vector<double>> values_, slopes_;
};

Behaviour behaviour(const SampledForces& sampled, std::size_t force) {
    Behaviour found;
    const auto [first, last] = sampled.components_of(force);
    for (std::size_t s = 0; s < sampled.samples().size(); ++s) {
        const auto& sample = sampled.samples()[s];
        const auto f = sampled.values(s);
        double power = 0, size = 0;
        for (std::size_t k = first; k < last; ++k) {
            const auto& component = sampled.forces().components()[k];
            power += sample.v[component.coordinate] * f[k];
            size += std::abs(sample.v[component.coordinate] * f[k]);
        }
        if (!std::isfinite(size) || !(std::abs(power) > sum_rounding * size)) {
            continue;
        }
        const double share = power / size;
        ++found.samples;
        if (share > found.share_fed) {
            found.feeds = &sample;
            found.power_fed = power;
            found.share_fed = share;
        }
        if (-share > found.share_taken) {
            found.takes = &sample;
            found.power_taken = power;
            found.share_taken = -share;
        }
    }
    return found;
}

// "at t = 0, v_x = 1, v_y = 0.5": the velocities that the force meets.
std::string place_of(const Model& model, const Force& force, const ForceSample& sample) {
    constexpr std::size_t most = 4;
    std::string text = fmt::format("at t = {:.6g}", sample.t);
    for (std::size_t k = 0; k < std::min(force.on.size(), most); ++k) {
        const auto i = force.on[k].coordinate;
        text += fmt::format(", v_{} = {:.6g}", model.coordinate_name(i), sample.v[i]);
    }
    return text + (force.on.size() > most ? ", ..." : "");
}

// The first of the symbols that the force contains; empty if none.
std::string first_used(const Force& force, std::span<const Expression> symbols) {
    for (const auto& component : force.on) {
        const auto used = symbols_of(std::array{component.value.value});
        const auto found = std::ranges::find_first_of(symbols, used);
        if (found != symbols.end()) {
            return found->text();
        }
    }
    return {};
}

// f_q of a force with a potential is symmetric. Says where it is not; empty if it is.
std::string asymmetry(const Model& model, SampledForces& sampled, std::size_t force) {
    const auto& forces = sampled.forces();
    const auto [first, last] = sampled.slopes_of(force);
    for (std::size_t s = 0; s < sampled.samples().size(); ++s) {
        const auto slopes = sampled.slopes(s);
        std::map<std::pair<std::size_t, std::size_t>, double> entries;
        double size = 0;
        for (std::size_t k = first; k < last; ++k) {
            const auto& [number, column] = forces.slopes()[k];
            const auto& component = forces.components()[number];
            if (column < model.dimension && std::isfinite(slopes[k])) {
                entries[{component.coordinate, column}] = slopes[k];
                size = std::max(size, std::abs(slopes[k]));
            }
        }
        for (const auto& [place, value] : entries) {
            const auto [i, j] = place;
            const auto mirrored = entries.find({j, i});
            const double other = mirrored == entries.end() ? 0 : mirrored->second;
            if (std::abs(value - other) > asymmetric * size) {
                const auto x = model.coordinate_name(i), y = model.coordinate_name(j);
                return fmt::format("has no potential: the derivative of its component on {0} with respect to {1} is "
                                   "{2:.6g}, that of its component on {1} with respect to {0} is {3:.6g}",
                                   x, y, value, other);
            }
        }
    }
    return {};
}

std::string contradiction(const Model& model, SampledForces& sampled, std::size_t number) {
    const auto& force = model.forces[number];
    const auto found = behaviour(sampled, number);
    switch (force.kind) {
        case ForceClass::dissipative:
            return found.feeds == nullptr
                       ? ""
                       : fmt::format(
                             "is declared dissipative but adds energy: its power is {:+.6g} {}; did you mean class = "
                             "\"driving\", or is its sign wrong?",
                             found.power_fed, place_of(model, force, *found.feeds));
        case ForceClass::driving:
            return found.feeds != nullptr || found.samples < fewest_samples
                       ? ""
                       : fmt::format(
                             "is declared driving but removes energy at all sampled states: its power is {:+.6g} "
                             "{}; did you mean class = \"dissipative\", or is its sign wrong?",
                             found.power_taken, place_of(model, force, *found.takes));
        case ForceClass::stiff: return "";
        case ForceClass::conservative: break;
    }
    const auto velocity = first_used(force, model.coordinate_symbols("v_"));
    if (!velocity.empty() && found.feeds == nullptr && found.takes == nullptr) {
        return "";  // gyroscopic: it does no work
    }
    const auto reaction = first_used(force, model.multiplier_symbols());
    const auto why = !velocity.empty()                                       ? "depends on " + velocity
                     : !reaction.empty()                                     ? "depends on " + reaction
                     : !first_used(force, std::array{time_symbol()}).empty() ? std::string("depends on t")
                                                                             : asymmetry(model, sampled, number);
    return why.empty()
               ? ""
               : fmt::format("is declared conservative but {}; move the part that has a potential into the potential, "
                             "so that it counts toward the energy, and declare the rest dissipative, driving or stiff",
                             why);
}

}  // namespace

std::vector<std::string> force_warnings(const Model& model, System<double>& system, const StartState<double>& start,
                                        const RunTimes& times) {
    std::vector<std::string> warnings;
    auto* forces = system.forces();
    if (forces == nullptr) {
        return warnings;
    }
    warnings = undetermined_force_warnings(model, system, start, times.first);
    const auto samples = Sampler(system, start, times).all();
    SampledForces sampled(*forces, samples);
    for (std::size_t k = 0; k < model.forces.size(); ++k) {
        if (const auto text = contradiction(model, sampled, k); !text.empty()) {
            warnings.push_back(fmt::format("the force '{}' {}", model.forces[k].name, text));
        }
    }
    return warnings;
}

}  // namespace libration
