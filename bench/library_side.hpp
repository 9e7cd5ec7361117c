// How the yardsticks run the library: the one place that knows which backend does the steps.
#pragma once

#include <libration/expression/scalars.hpp>
#include <libration/integrate/start.hpp>
#include <libration/methods/method.hpp>
#include <libration/system/make_system.hpp>
#include <libration/text/error.hpp>

#include <memory>
#include <string>
#include <vector>

namespace bench {

inline std::unique_ptr<libration::Stepper<double>> library_stepper(libration::System<double>& system,
                                                                   const libration::Method& method) {
    return method.make<double>(system);
}

struct LibraryState {
    std::vector<double> q, q_low, p;
};

// One or several trajectories of a model, carried on together.
class LibraryRun {
  public:
    virtual ~LibraryRun() = default;
    [[nodiscard]] virtual std::size_t lanes() const = 0;
    // One state a lane, on the manifold.
    virtual void start(const std::vector<libration::StartState<double>>& states, double step) = 0;
    // False if a step did not converge in a lane.
    virtual bool run(std::int64_t steps) = 0;
    [[nodiscard]] virtual LibraryState state(std::size_t lane) = 0;
    // Corrections of all iterations since the start: those of the lane that needed most.
    [[nodiscard]] virtual double passes() const = 0;
    [[nodiscard]] virtual std::string backend() const = 0;
};

class InterpretedSingle final : public LibraryRun {
  public:
    InterpretedSingle(const libration::Model& model, const libration::Method& method)
        : system_(libration::make_system<double>(model)), stepper_(library_stepper(*system_, method)) {}
    [[nodiscard]] std::size_t lanes() const override { return 1; }
    void start(const std::vector<libration::StartState<double>>& states, double step) override {
        stepper_->start(0, states[0].q, states[0].p, step);
    }
    bool run(std::int64_t steps) override {
        bool converged = true;
        for (; steps > 0; --steps) {
            converged = stepper_->advance().converged == 1 && converged;
            stepper_->accept();
        }
        return converged;
    }
    [[nodiscard]] LibraryState state(std::size_t) override {
        const auto node = stepper_->node();
        LibraryState state{
            {node.q.begin(), node.q.end()}, {node.q_low.begin(), node.q_low.end()}, {node.p.begin(), node.p.end()}};
        state.q_low.resize(state.q.size());
        return state;
    }
    [[nodiscard]] double passes() const override {
        return stepper_->evaluations().count[libration::Evaluations<double>::newton_iterations];
    }
    [[nodiscard]] std::string backend() const override { return "interpreted"; }

  private:
    std::unique_ptr<libration::System<double>> system_;
    std::unique_ptr<libration::Stepper<double>> stepper_;
};

// Any multiple of the width of a pack.
class InterpretedPacks final : public LibraryRun {
  public:
    InterpretedPacks(const libration::Model& model, const libration::Method& method, std::size_t lanes)
        : system_(libration::make_system<libration::Pack>(model)) {
        if (lanes == 0 || lanes % width != 0) {
            throw libration::InputError("packs have " + std::to_string(width) + " lanes");
        }
        for (std::size_t k = 0; k < lanes / width; ++k) {
            steppers_.push_back(method.make<libration::Pack>(*system_));
        }
    }
    [[nodiscard]] std::size_t lanes() const override { return width * steppers_.size(); }
    void start(const std::vector<libration::StartState<double>>& states, double step) override {
        const std::size_t d = states[0].q.size();
        for (std::size_t k = 0; k < steppers_.size(); ++k) {
            std::vector<libration::Pack> q(d), p(d);
            for (std::size_t l = 0; l < width; ++l) {
                for (std::size_t j = 0; j < d; ++j) {
                    q[j].lane[l] = states[width * k + l].q[j];
                    p[j].lane[l] = states[width * k + l].p[j];
                }
            }
            steppers_[k]->start(libration::lit<libration::Pack>(0), q, p,
                                libration::from_double<libration::Pack>(step));
        }
    }
    bool run(std::int64_t steps) override {
        bool converged = true;
        for (; steps > 0; --steps) {
            for (const auto& stepper : steppers_) {
                for (const double lane : stepper->advance().converged.lane) {
                    converged = converged && lane == 1;
                }
                stepper->accept();
            }
        }
        return converged;
    }
    [[nodiscard]] LibraryState state(std::size_t lane) override {
        const auto node = steppers_[lane / width]->node();
        const auto pick = [&](std::span<const libration::Pack> packs) {
            std::vector<double> values(node.q.size());
            for (std::size_t j = 0; j < packs.size(); ++j) {
                values[j] = packs[j].lane[lane % width];
            }
            return values;
        };
        return {pick(node.q), pick(node.q_low), pick(node.p)};
    }
    [[nodiscard]] double passes() const override {
        double most = 0;
        for (const auto& stepper : steppers_) {
            for (const double lane :
                 stepper->evaluations().count[libration::Evaluations<libration::Pack>::newton_iterations].lane) {
                most = std::max(most, lane);
            }
        }
        return most;
    }
    [[nodiscard]] std::string backend() const override { return "interpreted"; }

  private:
    static constexpr std::size_t width = libration::pack_width;
    std::unique_ptr<libration::System<libration::Pack>> system_;
    std::vector<std::unique_ptr<libration::Stepper<libration::Pack>>> steppers_;
};

inline std::unique_ptr<LibraryRun> library_lanes(const libration::Model& model, const libration::Method& method,
                                                 std::size_t lanes) {
    if (lanes == 1) {
        return std::make_unique<InterpretedSingle>(model, method);
    }
    return std::make_unique<InterpretedPacks>(model, method, lanes);
}

}  // namespace bench
