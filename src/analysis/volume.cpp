// Volume: the determinant of the tangent map of a field without divergence.
#include "measuring.hpp"

namespace libration {

namespace {

using Matrix = std::vector<std::vector<double>>;  // columns

// By elimination with pivots.
double determinant(Matrix columns) {
    double product = 1;
    const std::size_t n = columns.size();
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t pivot = k;
        for (std::size_t j = k + 1; j < n; ++j) {
            pivot = std::abs(columns[j][k]) > std::abs(columns[pivot][k]) ? j : pivot;
        }
        if (pivot != k) {
            std::swap(columns[pivot], columns[k]);
            product = -product;
        }
        product *= columns[k][k];
        for (std::size_t j = k + 1; j < n && columns[k][k] != 0; ++j) {
            const double factor = columns[j][k] / columns[k][k];
            for (std::size_t i = k; i < n; ++i) {
                columns[j][i] -= factor * columns[k][i];
            }
        }
    }
    return product;
}

// Roundings of a determinant are bounded by the product of the lengths of its columns (Hadamard).
double size_bound(const Matrix& columns) {
    double product = 1;
    for (const auto& column : columns) {
        double sum = 0;
        for (const double value : column) {
            sum += value * value;
        }
        product *= std::max(1.0, std::sqrt(sum));
    }
    return product;
}

class Tangents {
  public:
    explicit Tangents(const Subject& subject)
        : subject_(&subject), system_(make_system<Dual<double>>(*subject.model)), d_(system_->dimension()),
          n_(subject.properties.partitioned ? 2 * d_ : d_) {}

    [[nodiscard]] std::size_t size() const { return n_; }

    // Derivative of the map (q, p) -> (q, p) of `apply`, four columns at a time; empty where that fails.
    template <class Map>
    Matrix derivative(Map apply) {
        Matrix columns;
        for (std::size_t first = 0; first < n_; first += dual_width) {
            auto state = kicked_start<Dual<double>>(*subject_->model, *system_, subject_->kick);
            for (std::size_t k = first; k < std::min(first + dual_width, n_); ++k) {
                (k < d_ ? state.q[k] : state.p[k - d_]).tangent[k - first] = 1;
            }
            if (!apply(*system_, state)) {
                return {};
            }
            for (std::size_t k = first; k < std::min(first + dual_width, n_); ++k) {
                std::vector<double> column;
                for (std::size_t i = 0; i < n_; ++i) {
                    column.push_back((i < d_ ? state.q[i] : state.p[i - d_]).tangent[k - first]);
                }
                columns.push_back(std::move(column));
            }
        }
        return columns;
    }

  private:
    const Subject* subject_;
    std::unique_ptr<System<Dual<double>>> system_;
    std::size_t d_, n_;
};

// The trace of the derivative of the field, against its largest entry.
bool free_of_divergence(Tangents& tangents) {
    const auto field = tangents.derivative([](System<Dual<double>>& system, StartState<Dual<double>>& state) {
        auto v = state.q;
        auto f = state.p;
        system.velocity(lit<Dual<double>>(0), state.q, state.p, v);
        system.force_gradient(lit<Dual<double>>(0), state.q, state.p, f);
        for (auto& value : f) {
            value = -value;
        }
        state = {v, f};
        return true;
    });
    double trace = 0, size = 0;
    for (std::size_t k = 0; k < field.size(); ++k) {
        trace += field[k][k];
        for (const double value : field[k]) {
            size = std::max(size, std::abs(value));
        }
    }
    return std::abs(trace) <= 1e-12 * size;
}

}  // namespace

void measure_volume(const Subject& subject, Measurement& result) {
    constexpr std::int64_t steps = 4;
    constexpr std::size_t largest = 64;  // the cube of it is the work
    if (result.constrained || subject.model->dimension > largest) {
        return;
    }
    Tangents tangents(subject);
    if (!free_of_divergence(tangents)) {
        return;
    }
    auto& defect = result.volume;
    for (int halvings = 0; halvings < 12 && !defect.measured; ++halvings) {
        const double h = std::ldexp(2 * subject.options.step, -halvings);
        const auto map = tangents.derivative([&](System<Dual<double>>& system, StartState<Dual<double>>& state) {
            Walk<Dual<double>> walk(*subject.method, system);
            if (!walk.begin(lit<Dual<double>>(0), state.q, state.p, from_double<Dual<double>>(h)) || !walk.go(steps)) {
                defect.failure = walk.failure();
                return false;
            }
            const auto node = walk.node();
            state = {{node.q.begin(), node.q.end()}, {node.p.begin(), node.p.end()}};
            return true;
        });
        const double bound = map.empty() ? 0 : size_bound(map);
        if (map.empty() || !(bound < 1e6)) {
            continue;
        }
        const double unit = 20.0 * static_cast<double>(steps) * static_cast<double>(tangents.size());
        defect = {true, std::abs(std::abs(determinant(map)) - 1), unit * bound * epsilon<double>(), h, steps, {}};
        defect.visible = visible_error(subject, h, steps);
    }
    defect.undecidable = !resolves(subject, std::ldexp(2 * subject.options.step, -11));
}

}  // namespace libration
