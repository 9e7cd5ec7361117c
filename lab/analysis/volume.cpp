// Volume: the determinant of the tangent map of a field without divergence.
#include "measuring.hpp"

namespace libration {

namespace {

template <class T>
using Columns = std::vector<std::vector<T>>;

// By elimination with pivots.
template <class T>
T determinant(Columns<T> columns) {
    T product = lit<T>(1);
    const std::size_t n = columns.size();
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t pivot = k;
        for (std::size_t j = k + 1; j < n; ++j) {
            pivot = absv(columns[j][k]) > absv(columns[pivot][k]) ? j : pivot;
        }
        if (pivot != k) {
            std::swap(columns[pivot], columns[k]);
            product = -product;
        }
        product = product * columns[k][k];
        for (std::size_t j = k + 1; j < n && columns[k][k] != lit<T>(0); ++j) {
            const T factor = columns[j][k] / columns[k][k];
            for (std::size_t i = k; i < n; ++i) {
                columns[j][i] = columns[j][i] - factor * columns[k][i];
            }
        }
    }
    return product;
}

// Roundings of a determinant are bounded by the product of the lengths of its columns (Hadamard).
template <class T>
double size_bound(const Columns<T>& columns) {
    double product = 1;
    for (const auto& column : columns) {
        double sum = 0;
        for (const auto& value : column) {
            sum += to_double(value) * to_double(value);
        }
        product *= std::max(1.0, std::sqrt(sum));
    }
    return product;
}

template <class T>
class Tangents {
  public:
    explicit Tangents(const Subject& subject)
        : subject_(&subject), system_(make_system<Dual<T>>(*subject.model)), d_(system_->dimension()),
          n_(subject.properties.partitioned ? 2 * d_ : d_) {}

    [[nodiscard]] std::size_t size() const { return n_; }

    // Derivative of the map (q, p) -> (q, p) of `apply`, four columns at a time; empty where that fails.
    template <class Map>
    Columns<T> derivative(Map apply) {
        Columns<T> columns;
        for (std::size_t first = 0; first < n_; first += dual_width) {
            auto state = kicked_start<Dual<T>>(*subject_->model, *system_, subject_->kick);
            for (std::size_t k = first; k < std::min(first + dual_width, n_); ++k) {
                (k < d_ ? state.q[k] : state.p[k - d_]).tangent[k - first] = lit<T>(1);
            }
            if (!apply(*system_, state)) {
                return {};
            }
            for (std::size_t k = first; k < std::min(first + dual_width, n_); ++k) {
                std::vector<T> column;
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
    std::unique_ptr<System<Dual<T>>> system_;
    std::size_t d_, n_;
};

// The trace of the derivative of the field, against its largest entry.
bool free_of_divergence(Tangents<double>& tangents) {
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

// The determinant of a few steps of size h, against 1; nothing where it cannot be had with this size.
template <class T>
std::optional<Defect> volume_defect(const Subject& subject, double h, std::string& failure) {
    using S = Dual<T>;
    constexpr std::int64_t steps = 4;
    Tangents<T> tangents(subject);
    const auto map = tangents.derivative([&](System<S>& system, StartState<S>& state) {
        Walk<S> walk(*subject.method, *subject.model, system);
        if (!walk.begin(lit<S>(0), state.q, state.p, from_double<S>(h)) || !walk.go(steps)) {
            failure = walk.failure();
            return false;
        }
        const auto node = walk.node();
        state = {{node.q.begin(), node.q.end()}, {node.p.begin(), node.p.end()}};
        return true;
    });
    const double bound = map.empty() ? 0 : size_bound<T>(map);
    if (map.empty() || !(bound < 1e6)) {
        return std::nullopt;
    }
    const double unit = 20.0 * static_cast<double>(steps) * static_cast<double>(tangents.size());
    const double size = to_double(absv(T(absv(determinant<T>(map)) - lit<T>(1))));
    Defect defect{true, size, unit * bound * to_double(epsilon<T>()), h, steps, {}};
    defect.visible = visible_error(subject, h, steps);
    return defect;
}

}  // namespace

void measure_volume(const Subject& subject, Measurement& result) {
    constexpr std::size_t largest = 64;  // the cube of it is the work
    if (result.constrained || subject.model->dimension > largest) {
        return;
    }
    Tangents<double> tangents(subject);
    if (!free_of_divergence(tangents)) {
        return;
    }
    auto& defect = result.volume;
    for (int halvings = 0; halvings < 12 && !defect.measured; ++halvings) {
        const double h = std::ldexp(2 * subject.options.step, -halvings);
        if (const auto found = volume_defect<double>(subject, h, defect.failure)) {
            defect = *found;
        }
    }
    // Where the error of the method itself is below the round-off of doubles.
    if (defect.measured && defect.is_round_off() && !defect.would_show() && can_be_made<Dual<Fine>>(*subject.method)) {
        std::string failure;
        if (const auto fine = volume_defect<Fine>(subject, defect.h, failure)) {
            defect = *fine;
        }
    }
    defect.undecidable = !resolves(subject, std::ldexp(2 * subject.options.step, -11));
}

}  // namespace libration
