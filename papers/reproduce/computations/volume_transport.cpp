// A ball in a field in three coordinates, carried by methods. [Hairer, Lubich, Wanner 2003, Fig. 2.3] Arguments:
//   model     a field in three coordinates alone, such as abc-flow
//   centre    three numbers; radius: one
//   methods   specifications; step: their steps, one each or one for all
//   steps     after how many steps the ball is measured
//   flow, flow_step   a method and a step that represent the exact flow (default: none); it is measured at the times
//   of the first method
//   azimuth, elevation   from where it is seen, in degrees (default 35 and 25)
//   draw      which of `steps` are drawn, from 1 (default: the last)
//   points    of the surface, at most (default 20000): it is refined until the volume converges to 1e-9
// Numbers, for method k = 1, 2, ... and k = flow: relative_k (volumes after and before, one a time), change_k (the
// largest |relative - 1|), determinant_k (of the derivative of one step from the centre, minus 1); error (numerical, of
// all volumes).
#include "methods/good_step.hpp"
#include "reproduce/computations/list.hpp"
#include "reproduce/computations/transport_methods.hpp"

#include "analysis/transport_figure.hpp"
#include <libration/kit/make_system.hpp>
#include <libration/kit/method_record.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <cmath>

namespace libration {

namespace {

// Of one step from the centre, by dual numbers.
double determinant_of_step(const Model& model, const Method& method, const std::vector<double>& centre, double step) {
    using S = Dual<double>;
    const auto system = make_system<S>(model);
    std::vector<S> q(3, lit<S>(0)), p(3, lit<S>(0));
    for (std::size_t j = 0; j < 3; ++j) {
        q[j].value = centre[j];
        q[j].tangent[j] = 1;
    }
    const auto stepper = make_stepper<S>(method, *system);
    stepper->start(lit<S>(0), q, p, from_double<S>(step));
    if (!good_step(stepper->advance())) {
        throw InputError(fmt::format("a step of {} from the center failed; use a smaller one", method.name()));
    }
    stepper->accept();
    const auto node = stepper->node();
    const auto d = [&](std::size_t i, std::size_t j) { return node.q[i].tangent[j]; };
    return d(0, 0) * (d(1, 1) * d(2, 2) - d(1, 2) * d(2, 1)) - d(0, 1) * (d(1, 0) * d(2, 2) - d(1, 2) * d(2, 0)) +
           d(0, 2) * (d(1, 0) * d(2, 1) - d(1, 1) * d(2, 0));
}

class BallPictures {
  public:
    explicit BallPictures(const ComputationArguments& arguments)
        : model_(Model::load(arguments.text("model"))), centre_(arguments.numbers("centre")),
          radius_(arguments.number("radius")), steps_{0},
          most_points_(static_cast<std::size_t>(std::abs(arguments.number("points", 20000)))),
          view_{arguments.number("azimuth", 35), arguments.number("elevation", 25)} {
        for (const double n : arguments.numbers("steps")) {
            steps_.push_back(std::llround(n));
        }
        drawn_ = {steps_.size() - 1};
        if (arguments.has("draw")) {
            drawn_.clear();
            for (const double k : arguments.numbers("draw")) {
                if (!(k >= 0 && k < static_cast<double>(steps_.size()))) {
                    throw InputError("'draw' numbers the entries of 'steps', from 1; 0 is the start");
                }
                drawn_.push_back(static_cast<std::size_t>(k));
            }
        }
    }

    void carry(const std::string& key, const std::string& spec, double step, const std::vector<std::int64_t>& steps) {
        const auto carrier = method(spec, Doubts::accept);
        const TransportOptions options{
            .step = step, .steps = steps, .points = 512, .most_points = most_points_, .tolerance = 1e-9};
        const auto found = carry_ball(model_, carrier, centre_, radius_, options);
        auto& relative = result_.numbers["relative_" + key];
        double change = 0;
        for (std::size_t k = 1; k < steps.size(); ++k) {
            relative.push_back(found.volume[k] / found.volume[0]);
            change = std::max(change, std::abs(relative.back() - 1));
            error_ = std::max(error_, found.error[k] / found.volume[0]);
        }
        result_.numbers["change_" + key] = {change};
        result_.numbers["determinant_" + key] = {determinant_of_step(model_, carrier, centre_, step) - 1};
        constexpr std::size_t rows = 16;
        const auto carried = carry_points(model_, carrier, sphere(centre_, radius_, rows).points, options);
        for (const auto k : drawn_) {
            auto figure = view_figure(key == "flow" ? fmt::format("Exact flow, t = {:.4g}", found.t[k])
                                                    : fmt::format("{}, h = {:.6g}, t = {:.4g}", spec, step, found.t[k]),
                                      view_);
            figure.series = shaded({rows, carried[k]}, view_);
            result_.figures.push_back(std::move(figure));
        }
    }

    Computed take() {
        result_.numbers["error"] = {error_};
        return std::move(result_);
    }
    [[nodiscard]] const std::vector<std::int64_t>& steps() const { return steps_; }

  private:
    Model model_;
    std::vector<double> centre_;
    double radius_;
    std::vector<std::int64_t> steps_;
    std::size_t most_points_;
    View view_;
    std::vector<std::size_t> drawn_;
    double error_ = 0;
    Computed result_;
};

}  // namespace

Computed volume_transport(const ComputationArguments& arguments) {
    BallPictures pictures(arguments);
    carry_by_all_methods(arguments, "volume-transport", pictures);
    return pictures.take();
}

}  // namespace libration
