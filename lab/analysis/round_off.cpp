// Energy at a fixed phase, over packs of trajectories.
#include "round_off.hpp"
#include <libration/kit/method_record.hpp>

#include "integrate/start.hpp"
#include <libration/kit/make_system.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <cmath>

namespace libration {

namespace {

constexpr std::size_t interpolation_points = 12;  // of the interpolation: its error at h = 0.02 is below 1e-17

// The last samples of one trajectory.
class Window {
  public:
    void add(double x, double energy) {
        std::rotate(x_.begin(), x_.begin() + 1, x_.end());
        std::rotate(energy_.begin(), energy_.begin() + 1, energy_.end());
        x_.back() = x;
        energy_.back() = energy;
        ++seen_;
    }
    // The zero lies in the middle of the window.
    [[nodiscard]] bool passes() const {
        return seen_ >= interpolation_points && x_[interpolation_points / 2 - 1] < 0 &&
               x_[interpolation_points / 2] >= 0;
    }
    // The energy where x = 0, by the polynomials through all points.
    [[nodiscard]] double energy() const {
        double low = interpolation_points / 2 - 1, high = interpolation_points / 2;
        for (int k = 0; k < 60; ++k) {
            const double middle = (low + high) / 2;
            (polynomial(x_, middle) < 0 ? low : high) = middle;
        }
        return polynomial(energy_, (low + high) / 2);
    }

  private:
    // Lagrange's, in barycentric form on equidistant points.
    static double polynomial(const std::array<double, interpolation_points>& values, double at) {
        double above = 0, below = 0, weight = 1;
        for (std::size_t k = 0; k < interpolation_points; ++k) {
            const double distance = at - static_cast<double>(k);
            if (distance == 0) {
                return values[k];
            }
            above += weight / distance * values[k];
            below += weight / distance;
            weight *= -static_cast<double>(interpolation_points - 1 - k) / static_cast<double>(k + 1);
        }
        return above / below;
    }

    std::array<double, interpolation_points> x_{}, energy_{};
    std::size_t seen_ = 0;
};

// Throws away what the compensated sums keep.
class Forget final : public MemoryVisitor<Pack> {
  public:
    void array(std::string_view name, std::span<Pack> values) override {
        if (name == "q_low" || name == "p_low") {
            std::fill(values.begin(), values.end(), lit<Pack>(0));
        }
    }
    void integer(std::string_view, std::int64_t&) override {}
};

struct Lane {
    Window window;
    double first = 0, last = 0;  // energies at the first and at the newest passage
    bool started = false;
};

// Adds the squares of the changes of eight trajectories at the marked steps to `squares`.
void follow(const Method& method, std::span<const Model> models, const RoundOffOptions& options,
            const std::vector<double>& marks, std::vector<double>& squares) {
    const auto system = make_system<Pack>(models[0]);
    std::vector<Pack> q(system->dimension()), p(system->dimension());
    std::array<Lane, pack_width> lanes;
    std::array<double, pack_width> level{};  // subtracted first, so that differences keep their digits
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
        const auto single = make_system<double>(models[lane]);
        const auto start = start_state<double>(models[lane], *single);
        level[lane] = single->energy(0, start.q, start.p);
        for (std::size_t j = 0; j < q.size(); ++j) {
            q[j].lane[lane] = start.q[j];
            p[j].lane[lane] = start.p[j];
        }
    }
    const auto stepper = make_stepper<Pack>(method, *system);
    stepper->start(lit<Pack>(0), q, p, from_double<Pack>(options.step));
    Forget forget;
    std::size_t mark = 0;
    for (std::int64_t n = 1; n <= options.steps; ++n) {
        stepper->advance();
        stepper->accept();
        if (!options.compensated) {
            stepper->visit(forget);
        }
        const auto node = stepper->node();
        const auto energy = system->energy(node.t, node.q, node.p);
        const auto& x = node.q[options.coordinate];
        for (std::size_t k = 0; k < lanes.size(); ++k) {
            auto& lane = lanes[k];
            lane.window.add(x.lane[k], energy.lane[k] - level[k]);
            if (lane.window.passes()) {
                lane.last = lane.window.energy();
                lane.first = lane.started ? lane.first : lane.last;
                lane.started = true;
            }
        }
        if (mark < marks.size() && static_cast<double>(n) >= marks[mark]) {
            for (const auto& lane : lanes) {
                squares[mark] += (lane.last - lane.first) * (lane.last - lane.first);
            }
            ++mark;
        }
    }
}

}  // namespace

RoundOffGrowth round_off_growth(const Method& method, std::span<const Model> models, const RoundOffOptions& options) {
    if (!method.lanes() || models.empty() || models.size() % pack_width != 0) {
        throw InputError(fmt::format("round-off is measured in packs of {}: give a multiple of that many initial "
                                     "values (not {}) and a method that supports lanes ({} {})",
                                     pack_width, models.size(), method.name(), method.lanes() ? "does" : "does not"));
    }
    RoundOffGrowth growth;
    for (double n = static_cast<double>(options.steps); n >= 1000 && growth.steps.size() < 9; n /= std::sqrt(10.0)) {
        growth.steps.insert(growth.steps.begin(), std::round(n));
    }
    std::vector<double> squares(growth.steps.size(), 0);
    for (std::size_t first = 0; first < models.size(); first += pack_width) {
        follow(method, models.subspan(first, pack_width), options, growth.steps, squares);
    }
    double sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;
    const auto count = static_cast<double>(squares.size());
    for (std::size_t k = 0; k < squares.size(); ++k) {
        growth.rms.push_back(std::sqrt(squares[k] / static_cast<double>(models.size())));
        const double x = std::log(growth.steps[k]), y = std::log(growth.rms[k]);
        sum_x += x;
        sum_y += y;
        sum_xx += x * x;
        sum_xy += x * y;
    }
    growth.exponent = (count * sum_xy - sum_x * sum_y) / (count * sum_xx - sum_x * sum_x);
    return growth;
}

}  // namespace libration
