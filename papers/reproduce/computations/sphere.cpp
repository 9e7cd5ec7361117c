// The unit sphere as a wire frame in orthographic projection, for orbits on it. Seen from the direction of azimuth a
// and elevation e a point (x, y, z) lies at
//     right = -x sin a + y cos a,   up = -sin e (x cos a + y sin a) + z cos e,   depth = cos e (x cos a + y sin a) + z sin e,
// and is in front where depth > 0. Recipes write the same formulas for their orbits.
#include "reproduce/computations/list.hpp"

#include <libration/text/error.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace libration {

namespace {

class SphereView {
  public:
    SphereView(double azimuth, double elevation)
        : sa_(std::sin(azimuth)), ca_(std::cos(azimuth)), se_(std::sin(elevation)), ce_(std::cos(elevation)) {}
    [[nodiscard]] double right(const std::array<double, 3>& r) const { return -r[0] * sa_ + r[1] * ca_; }
    [[nodiscard]] double up(const std::array<double, 3>& r) const {
        return -se_ * (r[0] * ca_ + r[1] * sa_) + r[2] * ce_;
    }
    [[nodiscard]] double depth(const std::array<double, 3>& r) const {
        return ce_ * (r[0] * ca_ + r[1] * sa_) + r[2] * se_;
    }

  private:
    double sa_, ca_, se_, ce_;
};

void add_point(plot::Series& series, double x, double y) {
    series.x.push_back(x);
    series.y.push_back(y);
}

void end_line(plot::Series& series) {
    constexpr double gap = std::numeric_limits<double>::quiet_NaN();
    add_point(series, gap, gap);
}

}  // namespace

// azimuth, elevation (radians); meridians, parallels: how many; optionally point = [x, y, z, ...]: marks.
Computed sphere_frame(const ComputationArguments& arguments) {
    const SphereView view(arguments.number("azimuth"), arguments.number("elevation"));
    const int meridians = arguments.integer("meridians"), parallels = arguments.integer("parallels");
    constexpr double pi = std::numbers::pi;
    constexpr int pieces = 120;
    Computed result;
    auto &front = result.curves["front"], &back = result.curves["back"];
    const auto draw = [&](const auto& at) {
        for (int k = 0; k <= pieces; ++k) {
            const std::array<double, 3> r = at(k / static_cast<double>(pieces));
            auto& side = view.depth(r) >= 0 ? front : back;
            auto& other = &side == &front ? back : front;
            add_point(side, view.right(r), view.up(r));
            end_line(other);
        }
        end_line(front);
        end_line(back);
    };
    for (int m = 0; m < meridians; ++m) {
        const double phi = 2 * pi * m / meridians;
        draw([&](double s) -> std::array<double, 3> {
            return {std::sin(pi * s) * std::cos(phi), std::sin(pi * s) * std::sin(phi), std::cos(pi * s)};
        });
    }
    for (int k = 1; k <= parallels; ++k) {
        const double theta = pi * k / (parallels + 1);
        draw([&](double s) -> std::array<double, 3> {
            return {std::sin(theta) * std::cos(2 * pi * s), std::sin(theta) * std::sin(2 * pi * s), std::cos(theta)};
        });
    }
    for (int k = 0; k <= 2 * pieces; ++k) {
        add_point(result.curves["outline"], std::cos(pi * k / pieces), std::sin(pi * k / pieces));
    }
    if (arguments.has("point")) {
        const auto point = arguments.numbers("point");
        if (point.size() % 3 != 0) {
            throw InputError("point needs three coordinates per mark");
        }
        auto& marks = result.curves["points"];
        marks.style = plot::Style::points;
        for (std::size_t k = 0; k < point.size(); k += 3) {
            const std::array<double, 3> r{point[k], point[k + 1], point[k + 2]};
            add_point(marks, view.right(r), view.up(r));
            result.numbers["depth"].push_back(view.depth(r));
        }
    }
    return result;
}

}  // namespace libration
