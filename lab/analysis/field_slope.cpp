// The derivative of the field z' = (H_p, -H_q) near the start: how fast the motion is, and whether it is linear.
#include "measuring.hpp"

#include <limits>

namespace libration {

namespace {

using Tangent = std::vector<double>;  // of q, then of p

double length(const Tangent& w) {
    double sum = 0;
    for (const double x : w) {
        sum += x * x;
    }
    return std::sqrt(sum);
}

class Slope {
  public:
    explicit Slope(const Subject& subject)
        : system_(make_system<Dual<double>>(*subject.model)),
          start_(kicked_start<Dual<double>>(*subject.model, *system_, subject.kick)), v_(start_.q), f_(start_.q),
          partitioned_(subject.properties.partitioned) {}

    [[nodiscard]] Tangent any_direction() const {
        Tangent w(2 * start_.q.size());
        for (std::size_t j = 0; j < w.size(); ++j) {
            w[j] = std::sin(1.0 + 2.0 * static_cast<double>(j));
        }
        return w;
    }
    void move_to(const StartState<double>& state) {
        for (std::size_t j = 0; j < state.q.size(); ++j) {
            start_.q[j] = from_double<Dual<double>>(state.q[j]);
            start_.p[j] = from_double<Dual<double>>(state.p[j]);
        }
    }

    // J w at the start, moved by `away` times a vector of its own size.
    Tangent along(const Tangent& w, double away) {
        using S = Dual<double>;
        const std::size_t d = start_.q.size();
        auto q = start_.q, p = start_.p;
        const double q_size = std::max(largest_of<S>(q), 1e-300), p_size = largest_of<S>(p);
        for (std::size_t j = 0; j < d; ++j) {
            q[j].value += away * q_size * std::sin(1.0 + static_cast<double>(j));
            p[j].value += partitioned_ ? away * p_size * std::cos(2.0 + static_cast<double>(j)) : 0;
            q[j].tangent[0] = w[j];
            p[j].tangent[0] = partitioned_ ? w[d + j] : 0;
        }
        system_->velocity(lit<S>(0), q, p, v_);
        system_->force_gradient(lit<S>(0), q, p, f_);
        if (auto* forces = system_->forces()) {
            std::vector<S> total(d, lit<S>(0)), lambda(reaction_count(*system_), lit<S>(0));
            forces->add_to(lit<S>(0), q, v_, lambda, total);
            for (std::size_t j = 0; j < d; ++j) {
                f_[j] = f_[j] - total[j];
            }
        }
        make_tangent(q);
        Tangent result(2 * d);
        for (std::size_t j = 0; j < d; ++j) {
            result[j] = v_[j].tangent[0];
            result[d + j] = partitioned_ ? -f_[j].tangent[0] : 0;
        }
        // Constraints forbid the directions of the rows of G, however fast the motion would be there.
        for (const auto& n : normals_) {
            for (const std::size_t first : {std::size_t{0}, d}) {
                double along = 0;
                for (std::size_t j = 0; j < d; ++j) {
                    along += n[j] * result[first + j];
                }
                for (std::size_t j = 0; j < d; ++j) {
                    result[first + j] -= along * n[j];
                }
            }
        }
        return result;
    }
    [[nodiscard]] bool flat() {
        using S = Dual<double>;
        std::vector<S> rows(system_->constraints(), lit<S>(0));
        system_->velocity(lit<S>(0), start_.q, start_.p, v_);
        system_->curvature(lit<S>(0), start_.q, v_, rows);
        return largest_of<S>(rows) == 0 && !system_->properties().moving_constraints &&
               system_->properties().nonholonomic == 0;
    }
    [[nodiscard]] bool constrained() const { return reaction_count(*system_) > 0; }

  private:
    // The rows of G, made orthogonal; of small systems only.
    void make_tangent(std::span<const Dual<double>> q) {
        constexpr std::size_t most = 128;
        const std::size_t d = q.size();
        normals_.clear();
        if (d > most) {
            return;
        }
        const auto& pattern = system_->pattern();
        std::vector<Dual<double>> G(pattern.entries(), lit<Dual<double>>(0));
        system_->jacobian(lit<Dual<double>>(0), q, G);
        for (std::size_t i = 0; i < pattern.rows(); ++i) {
            std::vector<double> n(d, 0);
            for (std::size_t e = pattern.row_start[i]; e < pattern.row_start[i + 1]; ++e) {
                n[pattern.column[e]] = G[e].value;
            }
            for (const auto& m : normals_) {
                double along = 0;
                for (std::size_t j = 0; j < d; ++j) {
                    along += m[j] * n[j];
                }
                for (std::size_t j = 0; j < d; ++j) {
                    n[j] -= along * m[j];
                }
            }
            if (const double size = length(n); size > 0) {
                for (auto& x : n) {
                    x /= size;
                }
                normals_.push_back(std::move(n));
            }
        }
    }

    std::vector<std::vector<double>> normals_;
    std::unique_ptr<System<Dual<double>>> system_;
    StartState<Dual<double>> start_;
    std::vector<Dual<double>> v_, f_;
    bool partitioned_;
};

}  // namespace

FieldSlope field_slope(const Subject& subject) {
    FieldSlope result;
    Slope slope(subject);
    const auto w = slope.any_direction();
    const auto here = slope.along(w, 0);
    result.linear = true;
    for (const double away : {0.13, 0.37}) {
        const auto there = slope.along(w, away);
        for (std::size_t j = 0; j < w.size(); ++j) {
            result.linear = result.linear && std::abs(there[j] - here[j]) <= 1e-10 * std::abs(here[j]);
        }
    }
    result.flat_constraints = slope.flat();
    result.linear = result.linear && (!slope.constrained() || result.flat_constraints);
    return result;
}

// By the power method; of an oscillation both signs of the eigenvalue are as large, so its rate is the mean over many
// steps. Units of q and p differ, and the first steps only find the right ratio.
double fastest_rate(const Subject& subject, const std::vector<StartState<double>>& states) {
    constexpr int warm = 20, counted = 20;
    Slope slope(subject);
    double fastest = 0;
    for (std::size_t k = 0; k <= states.size(); ++k) {
        if (k > 0) {
            slope.move_to(states[k - 1]);
        }
        auto w = slope.any_direction();
        double sum = 0;
        for (int n = 0; n < warm + counted; ++n) {
            const double before = length(w);
            if (!(before > 0) || !std::isfinite(before)) {
                sum = -std::numeric_limits<double>::infinity();
                break;
            }
            for (auto& x : w) {
                x /= before;
            }
            w = slope.along(w, 0);
            sum += n >= warm ? std::log(length(w)) : 0;
        }
        fastest = std::max(fastest, std::exp(sum / counted));
    }
    return fastest;
}

}  // namespace libration
