// The step that opens Jay (1998), two stages for M v' = F(t) - C v - K q - G^T lambda, 0 = G q - c: the printed
// formulas, written out and solved as linear equations, beside `spark(2)` on the problem `structural`. Arguments:
//   step      lengths
//   duration  of the runs
// Numbers, one each length: `difference`, the largest of q and v on the way; `position`, `velocity`, the largest |G q -
// c| and |G v| of the printed formulas; `condition` of their matrix, in the norm of row sums.
#include "reproduce/computations/list.hpp"

#include "manifold/dense_lu.hpp"
#include "system/applied_forces.hpp"
#include <libration/integrate/integrate.hpp>
#include <libration/kit/make_system.hpp>
#include <libration/model/model.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <tuple>

namespace libration {

namespace {

constexpr std::size_t building_size = 4;
using BuildingVector = std::array<double, building_size>;
using BuildingMatrix = std::array<BuildingVector, building_size>;

BuildingVector times(const BuildingMatrix& A, const BuildingVector& x) {
    BuildingVector y{};
    for (std::size_t i = 0; i < building_size; ++i) {
        for (std::size_t j = 0; j < building_size; ++j) {
            y[i] += A[i][j] * x[j];
        }
    }
    return y;
}

double scalar_product(const BuildingVector& a, const BuildingVector& b) {
    double sum = 0;
    for (std::size_t i = 0; i < building_size; ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

// The matrices of the problem, read off its linear equations.
class Building {
  public:
    explicit Building(const Model& model) : system_(make_system<double>(model)) {
        if (system_->dimension() != building_size || system_->constraints() != 1 || system_->forces() == nullptr) {
            throw InputError("the printed step is written for four coordinates, one link, damping and load");
        }
        const BuildingVector rest{};
        const auto still = force(0, rest);
        for (std::size_t j = 0; j < building_size; ++j) {
            BuildingVector unit{}, mass{}, spring{};
            unit[j] = 1;
            system_->apply_mass(0, rest, unit, mass);
            system_->force_gradient(0, unit, rest, spring);
            const auto damped = force(0, unit);
            for (std::size_t i = 0; i < building_size; ++i) {
                M[i][j] = mass[i];
                K[i][j] = spring[i];
                C[i][j] = still[i] - damped[i];
            }
        }
        const auto& pattern = system_->pattern();
        std::vector<double> entries(pattern.entries()), g(1);
        system_->jacobian(0, rest, entries);
        for (std::size_t e = 0; e < entries.size(); ++e) {
            G[pattern.column[e]] = entries[e];
        }
        system_->constraint(0, rest, g);
        c = -g[0];
    }
    [[nodiscard]] BuildingVector load(double t) const { return force(t, {}); }

    BuildingMatrix M{}, C{}, K{};
    BuildingVector G{};
    double c = 0;

  private:
    // F(t) - C v
    [[nodiscard]] BuildingVector force(double t, const BuildingVector& v) const {
        const BuildingVector rest{};
        const std::array<double, 1> lambda{};
        BuildingVector total{};
        system_->forces()->add_to(t, rest, v, lambda, total);
        return total;
    }
    std::unique_ptr<System<double>> system_;
};

// Linear equations in blocks of building_size unknowns and single ones.
class Equations {
  public:
    explicit Equations(std::size_t unknowns) : size_(unknowns), values_(unknowns * unknowns), pivots_(unknowns) {}
    double& at(std::size_t row, std::size_t column) { return values_[row * size_ + column]; }
    // factor A x, with x the block at `column`, in the building_size rows from `row` on
    void add(std::size_t row, std::size_t column, double factor, const BuildingMatrix& A) {
        for (std::size_t i = 0; i < building_size; ++i) {
            for (std::size_t j = 0; j < building_size; ++j) {
                at(row + i, column + j) += factor * A[i][j];
            }
        }
    }
    void add_identity(std::size_t row, std::size_t column, double factor) {
        for (std::size_t i = 0; i < building_size; ++i) {
            at(row + i, column + i) += factor;
        }
    }
    void add_column(std::size_t row, std::size_t column, double factor, const BuildingVector& x) {
        for (std::size_t i = 0; i < building_size; ++i) {
            at(row + i, column) += factor * x[i];
        }
    }
    void add_row(std::size_t row, std::size_t column, double factor, const BuildingVector& x) {
        for (std::size_t j = 0; j < building_size; ++j) {
            at(row, column + j) += factor * x[j];
        }
    }
    // No more entries after this.
    void factor() {
        norm_ = row_sums(values_);
        factor_dense<double>(values_, pivots_);
    }
    void solve(std::vector<double>& x) const { solve_dense<double>(values_, pivots_, x); }
    [[nodiscard]] double condition() const {
        std::vector<double> inverse(size_ * size_);
        for (std::size_t j = 0; j < size_; ++j) {
            std::vector<double> column(size_);
            column[j] = 1;
            solve(column);
            for (std::size_t i = 0; i < size_; ++i) {
                inverse[i * size_ + j] = column[i];
            }
        }
        return norm_ * row_sums(inverse);
    }

  private:
    [[nodiscard]] double row_sums(const std::vector<double>& values) const {
        double largest = 0;
        for (std::size_t i = 0; i < size_; ++i) {
            double sum = 0;
            for (std::size_t j = 0; j < size_; ++j) {
                sum += std::abs(values[i * size_ + j]);
            }
            largest = std::max(largest, sum);
        }
        return largest;
    }

    std::size_t size_;
    std::vector<double> values_;
    std::vector<std::size_t> pivots_;
    double norm_ = 0;
};

// The printed step. Unknowns of the first system: Q1, Q2, V1, V2, Lambda1; of the second: v1, Lambda2.
class PrintedStep {
  public:
    PrintedStep(const Building& building, double h)
        : building_(&building), h_(h), stages_(4 * building_size + 1), end_(building_size + 1) {
        const auto& [M, C, K, G] = std::tie(building.M, building.C, building.K, building.G);
        constexpr std::size_t Q1 = 0, Q2 = building_size, V1 = 2 * building_size, V2 = 3 * building_size,
                              L1 = 4 * building_size;
        // Q1 = q0 + h (1/2 V1 - 1/2 V2), Q2 = q0 + h (1/2 V1 + 1/2 V2)
        for (const auto& [Q, sign] : {std::pair{Q1, 1.0}, std::pair{Q2, -1.0}}) {
            stages_.add_identity(Q, Q, 1);
            stages_.add_identity(Q, V1, -h / 2);
            stages_.add_identity(Q, V2, sign * h / 2);
        }
        // M V1 = M v0 - h (1/2 C V1 - 1/2 C V2) - h (1/2 K Q1 - 1/2 K Q2) - h/2 G^T Lambda1
        // M V2 = M v0 + h F(t0) - h (1/2 C V1 + 1/2 C V2) - h (1/2 K Q1 + 1/2 K Q2) - h/2 G^T Lambda1
        for (const auto& [V, sign] : {std::pair{V1, -1.0}, std::pair{V2, 1.0}}) {
            stages_.add(V, V, 1, M);
            stages_.add(V, V1, h / 2, C);
            stages_.add(V, V2, sign * h / 2, C);
            stages_.add(V, Q1, h / 2, K);
            stages_.add(V, Q2, sign * h / 2, K);
            stages_.add_column(V, L1, h / 2, G);
        }
        // 0 = G q1 - c with q1 = q0 + h (1/2 V1 + 1/2 V2)
        stages_.add_row(L1, V1, h / 2, G);
        stages_.add_row(L1, V2, h / 2, G);
        stages_.factor();
        // M v1 + h/2 G^T Lambda2 = known, 0 = G v1
        end_.add(0, 0, 1, M);
        end_.add_column(0, building_size, h / 2, G);
        end_.add_row(building_size, 0, 1, G);
        end_.factor();
    }

    void advance(double t, BuildingVector& q, BuildingVector& v) const {
        const auto& [M, C, K, G] = std::tie(building_->M, building_->C, building_->K, building_->G);
        const auto Mv = times(M, v), F0 = building_->load(t), F1 = building_->load(t + h_);
        std::vector<double> x(4 * building_size + 1);
        for (std::size_t i = 0; i < building_size; ++i) {
            x[i] = x[building_size + i] = q[i];
            x[2 * building_size + i] = Mv[i];
            x[3 * building_size + i] = Mv[i] + h_ * F0[i];
        }
        x[4 * building_size] = building_->c - scalar_product(G, q);
        stages_.solve(x);
        const auto block = [&](std::size_t first) {
            BuildingVector part{};
            std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(first), building_size, part.begin());
            return part;
        };
        const auto Q1 = block(0), Q2 = block(building_size), V1 = block(2 * building_size),
                   V2 = block(3 * building_size);
        const auto CV1 = times(C, V1), CV2 = times(C, V2), KQ1 = times(K, Q1), KQ2 = times(K, Q2);
        std::vector<double> y(building_size + 1);
        for (std::size_t i = 0; i < building_size; ++i) {
            q[i] += h_ * (V1[i] / 2 + V2[i] / 2);
            y[i] = Mv[i] +
                   h_ * ((F0[i] - CV1[i] - KQ1[i] - G[i] * x[4 * building_size]) / 2 + (F1[i] - CV2[i] - KQ2[i]) / 2);
        }
        end_.solve(y);
        std::copy_n(y.begin(), building_size, v.begin());
    }
    [[nodiscard]] double condition() const { return stages_.condition(); }

  private:
    const Building* building_;
    double h_;
    Equations stages_, end_;
};

// Walks beside the run.
struct Beside final : Observer {
    Beside(const Building& that, double step) : building(&that), h(step), printed(that, step) {}
    void see(const Sample& sample) override {
        if (sample.step == 0) {
            std::ranges::copy(sample.q, q.begin());
            std::ranges::copy(sample.v, v.begin());
        } else {
            printed.advance(static_cast<double>(sample.step - 1) * h, q, v);
        }
        for (std::size_t k = 0; k < building_size; ++k) {
            difference = std::max({difference, std::abs(q[k] - sample.q[k]), std::abs(v[k] - sample.v[k])});
        }
        position = std::max(position, std::abs(scalar_product(building->G, q) - building->c));
        velocity = std::max(velocity, std::abs(scalar_product(building->G, v)));
    }
    const Building* building;
    double h;
    PrintedStep printed;
    BuildingVector q{}, v{};
    double difference = 0, position = 0, velocity = 0;
};

}  // namespace

Computed structural_step(const ComputationArguments& arguments) {
    const auto model = Model::load("structural");
    const Building building(model);
    const double duration = arguments.number("duration");
    Computed result;
    for (const double h : arguments.numbers("step")) {
        Beside beside(building, h);
        const auto run = integrate(model, method("spark(2)"), {.step = h, .duration = duration}, beside);
        if (run.status != RunStatus::completed) {
            throw InputError(fmt::format("the run with step {} failed; use a smaller one", h));
        }
        result.numbers["difference"].push_back(beside.difference);
        result.numbers["position"].push_back(beside.position);
        result.numbers["velocity"].push_back(beside.velocity);
        result.numbers["condition"].push_back(beside.printed.condition());
    }
    return result;
}

}  // namespace libration
