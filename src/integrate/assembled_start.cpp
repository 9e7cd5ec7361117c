// The assembled start to the last digit: corrections by factors in double precision, residuals in the finest one.
#include "assembly.hpp"

#include "manifold/manifold.hpp"
#include "model/half_turns.hpp"
#include "pose_bodies.hpp"
#include "pose_equations.hpp"
#include "rolling_checks.hpp"
#include "start.hpp"

#include <libration/kit/make_system.hpp>
#include <libration/text/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>

namespace libration {

namespace {

constexpr int most_passes = 20;  // each gains several digits

template <class F>
double length_in_double(std::span<const F> rows, std::span<const double> scale) {
    double sum = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const double row = to_double(rows[i]) * scale[i];
        sum += row * row;
    }
    return std::sqrt(sum);
}

// Repeats `correct`, which takes the residual and changes the state, while the residual shrinks; the best state stays.
template <class F>
void refine(std::vector<F>& state, std::size_t rows, std::span<const double> scale,
            const std::function<void(std::span<const F>, std::span<F>)>& residual,
            const std::function<void(std::span<const double>, std::span<F>)>& correct) {
    std::vector<F> left(rows, lit<F>(0));
    std::vector<double> scaled(rows);
    double best = std::numeric_limits<double>::infinity();
    auto tried = state;
    for (int pass = 0; pass < most_passes; ++pass) {
        residual(tried, left);
        const double size = length_in_double<F>(left, scale);
        if (!(size < best)) {
            return;
        }
        state = tried;
        if (size == 0 || size > 0.5 * best) {
            return;
        }
        best = size;
        for (std::size_t i = 0; i < rows; ++i) {
            scaled[i] = to_double(F(-left[i])) * scale[i];
        }
        correct(scaled, tried);
    }
}

template <class F>
class StartAssembler {
  public:
    StartAssembler(const Model& model, double t)
        : model_(&model), t_(t), rows_(model, t), fine_(model, t), equations_(rows_, pose_weights(model)),
          given_(initial_state<F>(model)), rough_(given_.q) {
        fine_.hold_at(given_.q);
    }

    AssembledStart made(const Assembly& assembly) {
        auto q = rough_;
        if (assembly.moved) {
            std::ranges::transform(assembly.q, q.begin(), [](double x) { return from_double<F>(x); });
        }
        at_ = assembly.moved ? assembly.q : assembly.rough;
        equations_.scale_at(at_);
        equations_.linearize(at_);
        equations_.factor(0);
        if (assembly.moved) {
            close(q);
            // A change of orientation turns what the body brings along, so that its angular velocity in its own frame
            // is as given.
            for (const auto& body : model_->bodies) {
                const auto turn = rotation_between<F>(body, rough_, q);
                turn_columns<F>(body, turn, given_.velocity);
                turn_columns<F>(body, turn, given_.momentum);
            }
        }
        given_.q = q;
        AssembledStart start;
        start.q.assign(q.begin(), q.end());
        if (model_->singular_mass) {
            project_velocity(given_.velocity);
            start.v.assign(given_.velocity.begin(), given_.velocity.end());
        } else {
            const auto p = projected_momentum();
            start.p.assign(p.begin(), p.end());
        }
        return start;
    }

  private:
    void close(std::vector<F>& q) {
        std::vector<double> dq(q.size());
        refine<F>(
            q, rows_.count(), equations_.scale(),
            [&](std::span<const F> x, std::span<F> left) { fine_.values(x, left); },
            [&](std::span<const double> change, std::span<F> x) {
                equations_.step(change, dq);
                for (std::size_t j = 0; j < x.size(); ++j) {
                    x[j] = x[j] + from_double<F>(dq[j]);
                }
            });
    }

    // Only where M is singular: by the weights of the search instead of M.
    void project_velocity(std::vector<F>& v) {
        RowFactor factor;
        std::vector<double> G(rows_.count() * v.size()), inverse, dv(v.size());
        rows_.slopes(at_, G);
        const std::size_t m = rows_.constraints();
        std::vector<double> ones(m, 1.0);
        for (const double w : pose_weights(*model_)) {
            inverse.push_back(1 / w);
        }
        factor.assemble(G, inverse, m);
        factor.factor(0);
        refine<F>(
            v, m, ones, [&](std::span<const F> x, std::span<F> left) { fine_.rates(given_.q, x, left); },
            [&](std::span<const double> change, std::span<F> x) {
                std::vector<double> y(change.begin(), change.end());
                factor.solve(y);
                for (std::size_t j = 0; j < x.size(); ++j) {
                    double sum = 0;
                    for (std::size_t i = 0; i < m; ++i) {
                        sum += G[i * x.size() + j] * y[i];
                    }
                    x[j] = x[j] + from_double<F>(inverse[j] * sum);
                }
            });
    }

    // p - G^T mu with G H_p + g_t = 0, where rows may depend on each other.
    std::vector<F> projected_momentum() {
        const auto system = make_system<F>(*model_);
        const F t = from_double<F>(t_);
        auto state = state_of<F>(*model_, *system, given_, t);
        const std::size_t m = rows_.constraints(), d = state.q.size();
        if (m > 0) {
            std::vector<double> G(rows_.count() * d);
            rows_.slopes(at_, G);
            RowFactor factor;
            const auto scale = assemble_reactions(G, state.p, factor);
            std::vector<F> v(d, lit<F>(0));
            refine<F>(
                state.p, m, scale,
                [&](std::span<const F> p, std::span<F> left) {
                    system->velocity(t, state.q, p, v);
                    fine_.rates(state.q, v, left);
                },
                [&](std::span<const double> change, std::span<F> p) {
                    std::vector<double> y(change.begin(), change.end());
                    factor.solve(y);
                    for (std::size_t i = 0; i < m; ++i) {
                        for (std::size_t j = 0; j < d; ++j) {
                            p[j] = p[j] + from_double<F>(G[i * d + j] * (scale[i] * y[i]));
                        }
                    }
                });
        }
        if (system->velocity_constraints() != nullptr) {
            Manifold<F>(*system).project_momentum(t, state.q, state.p);
        }
        return state.p;
    }

    // The factor of G M^-1 G^T with a diagonal of ones; returns what its rows are divided by, inverted.
    std::vector<double> assemble_reactions(std::span<const double> G, std::span<const F> momentum, RowFactor& factor) {
        const auto system = make_system<double>(*model_);
        const std::size_t m = rows_.constraints(), d = momentum.size();
        std::vector<double> p(d), products(m * d), scale(m), matrix(m * m);
        std::ranges::transform(momentum, p.begin(), [](const F& x) { return to_double(x); });
        for (std::size_t i = 0; i < m; ++i) {
            const auto row = std::span(products).subspan(i * d, d);
            system->solve_mass(t_, at_, p, G.subspan(i * d, d), row);
            double square = 0;
            for (std::size_t j = 0; j < d; ++j) {
                square += row[j] * G[i * d + j];
            }
            scale[i] = square > 0 ? 1 / std::sqrt(square) : 1.0;
        }
        for (std::size_t i = 0; i < m; ++i) {
            for (std::size_t k = 0; k < m; ++k) {
                double sum = 0;
                for (std::size_t j = 0; j < d; ++j) {
                    sum += products[i * d + j] * G[k * d + j];
                }
                matrix[i * m + k] = sum * scale[i] * scale[k];
            }
        }
        factor.take(matrix, m, d);
        factor.factor(0);
        return scale;
    }

    const Model* model_;
    double t_;
    PoseRows<double> rows_;
    PoseRows<F> fine_;
    PoseEquations equations_;
    InitialState<F> given_;
    std::vector<F> rough_;
    std::vector<double> at_;
};

// As a run would accept the start: then it is used as it is, bit for bit.
bool is_consistent(const Model& model, double t) {
    const auto system = make_system<double>(model);
    const auto given = given_start<double>(model, *system, t);
    const auto found = consistency(*system, t, given.q, given.p);
    return !found.finite || (found.consistent && HalfTurns(model).fault(t, given.q).empty() &&
                             rolling_fault(model, *system, t, given.q, given.p).empty());
}

}  // namespace

namespace {

// With all its digits.
Expression number_of(const FinestReal& x) {
    std::array<char, 64> text{};
#ifdef LIBRATION_HAS_QUAD
    quadmath_snprintf(text.data(), text.size(), "%.36Qe", absv(x));
#else
    std::snprintf(text.data(), text.size(), "%.17e", absv(x));
#endif
    const auto size = constant(text.data());
    return less(x, FinestReal{0}) ? -size : size;
}

}  // namespace

Model with_assembled_start(const Model& model, double t) {
    Model moved = model;
    moved.assembly.reset();
    const auto start = model.assembly ? assembled_start(model, t) : std::nullopt;
    if (!start) {
        return moved;
    }
    using Kind = InitialValue::Kind;
    moved.initial.clear();
    moved.replaced_initial = 0;
    const auto add = [&](Kind kind, const std::vector<FinestReal>& values) {
        for (std::size_t k = 0; k < values.size(); ++k) {
            moved.initial.push_back({kind, {number_of(values[k]), 1, {}}, {static_cast<std::uint32_t>(k)}});
        }
    };
    add(Kind::position, start->q);
    add(Kind::momentum, start->p);
    add(Kind::velocity, start->v);
    return moved;
}

// With all rows: those carried alone have other ways to close, on which the others need not hold.
std::optional<AssembledStart> assembled_start(const Model& given, double t) {
    const auto& model = given.with_all_rows();
    if (model.assembly->branch == 1 && is_consistent(model, t)) {
        return std::nullopt;
    }
    const auto assembly = assemble(model, t, WaysWanted::chosen);
    if (model.external) {
        return StartAssembler<double>(model, t).made(assembly);
    }
    return StartAssembler<FinestReal>(model, t).made(assembly);
}

}  // namespace libration
