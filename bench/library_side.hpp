// How the yardsticks run the library: the one place that knows which backend does the steps.
#pragma once

#include "codegen/machine_code.hpp"
#include "codegen/tape_code.hpp"
#include "integrate/start.hpp"
#include "methods/generated_stepper.hpp"
#include "scalar/aligned.hpp"
#include <libration/kit/make_system.hpp>
#include <libration/kit/method_record.hpp>
#include <libration/kit/scalars.hpp>
#include <libration/methods/method.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

namespace bench {

inline std::unique_ptr<libration::Stepper<double>> library_stepper(libration::System<double>& system,
                                                                   const libration::Method& method) {
    return make_stepper<double>(method, system);
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
            steppers_.push_back(make_stepper<libration::Pack>(method, *system_));
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

// One trajectory as `libration run` makes it: the ordinary method starts, generated steps follow; where a step is too
// long or cannot be recorded, the ordinary method goes on with generated kernels.
class GeneratedSingle final : public LibraryRun {
  public:
    GeneratedSingle(const libration::Model& model, const libration::Method& method)
        : model_(model), method_(method), system_(libration::make_system<double>(model)) {}
    [[nodiscard]] std::size_t lanes() const override { return 1; }
    void start(const std::vector<libration::StartState<double>>& states, double step) override {
        if (!stepper_) {
            std::unique_ptr<libration::Stepper<double>> ordinary = make_stepper<double>(method_, *system_);
            ordinary->start(0, states[0].q, states[0].p, step);
            std::string why_not;
            const auto recorded =
                method_.lanes() ? libration::record_step(model_, method_, *system_, ordinary->node(), step, why_not)
                                : std::nullopt;
            if (auto code = recorded ? libration::generate_step(recorded->program, 1, &why_not) : nullptr) {
                auto generated =
                    std::make_unique<libration::GeneratedStepper>(std::move(ordinary), *recorded, std::move(code));
                generated_ = generated.get();
                stepper_ = std::move(generated);
            } else {
                ordinary->advance();  // builds the programs that are built when they are first needed
                libration::TapeCode kernels;
                system_->visit_tapes(kernels);
                kernels.generate(why_not);
                stepper_ = std::move(ordinary);
            }
        }
        stepper_->start(0, states[0].q, states[0].p, step);
    }
    bool run(std::int64_t steps) override {
        double worst = 0;
        while (steps > 0) {
            const auto made = generated_ != nullptr ? generated_->leap(steps, worst) : 0;
            steps -= made;
            if (made == 0) {
                if (stepper_->advance().converged != 1) {
                    return false;
                }
                stepper_->accept();
                --steps;
            }
        }
        return true;
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
    [[nodiscard]] std::string backend() const override {
        return fmt::format("generated {}({})", generated_ != nullptr ? "" : "kernels ", libration::code_support().name);
    }

  private:
    libration::Model model_;
    libration::Method method_;
    std::unique_ptr<libration::System<double>> system_;
    std::unique_ptr<libration::Stepper<double>> stepper_;
    libration::GeneratedStepper* generated_ = nullptr;  // the stepper, where its steps are generated
};

// Many trajectories as ensembles make them: each starts by itself, then all step together.
class GeneratedLanesRun final : public LibraryRun {
  public:
    GeneratedLanesRun(const libration::Model& model, const libration::Method& method, std::size_t lanes)
        : model_(model), method_(method), width_(lanes), system_(libration::make_system<double>(model)) {}
    [[nodiscard]] std::size_t lanes() const override { return width_; }
    void start(const std::vector<libration::StartState<double>>& states, double step) override {
        if (!code_) {
            const auto integers =
                libration::settled_integers(method_, *system_, {0, states[0].q, {}, states[0].p}, step);
            std::string why_not = "no settled integers";
            auto recorded = integers ? libration::record_step(model_, method_, *integers, why_not) : std::nullopt;
            code_ = recorded ? libration::generate_step(recorded->program, width_, &why_not) : nullptr;
            if (!code_) {
                throw libration::InputError(why_not);
            }
            step_ = std::move(*recorded);
        }
        steppers_.clear();
        for (std::size_t lane = 0; lane < width_; ++lane) {
            steppers_.push_back(make_stepper<double>(method_, *system_));
            steppers_.back()->start(0, states[lane].q, states[lane].p, step);
        }
        in_code_ = false;
    }
    bool run(std::int64_t steps) override {
        for (; steps > 0 && !in_code_ && !enter(); --steps) {
            for (const auto& stepper : steppers_) {
                if (stepper->advance().converged != 1) {
                    return false;
                }
                stepper->accept();
            }
        }
        const auto made =
            code_->run(steps, constants_.data(), sides_[current_].data(), sides_[1 - current_].data(), worst_.data());
        current_ = (current_ + static_cast<std::size_t>(made)) % 2;
        return made == steps;
    }
    [[nodiscard]] LibraryState state(std::size_t lane) override {
        leave(lane);
        const auto node = steppers_[lane]->node();
        return {{node.q.begin(), node.q.end()}, {node.q_low.begin(), node.q_low.end()}, {node.p.begin(), node.p.end()}};
    }
    [[nodiscard]] double passes() const override {
        double most = 0;
        for (std::size_t lane = 0; lane < width_; ++lane) {
            leave(lane);
            most =
                std::max(most, steppers_[lane]->evaluations().count[libration::Evaluations<double>::newton_iterations]);
        }
        return most;
    }
    [[nodiscard]] std::string backend() const override {
        return fmt::format("generated ({})", libration::code_support().name);
    }

  private:
    static double& entry(const libration::FlatMemory<double>& places, std::size_t k) {
        std::size_t array = 0;
        for (; k >= places.arrays[array].size(); ++array) {
            k -= places.arrays[array].size();
        }
        return places.arrays[array][k];
    }
    bool enter() {
        libration::Tape<double> prepare(step_.program.prepare, {});
        constants_.resize(step_.program.constants() * width_);
        worst_.assign(width_, 0);
        for (auto& side : sides_) {
            side.resize((step_.changing.size() + 2) * width_);
        }
        for (std::size_t lane = 0; lane < width_; ++lane) {
            libration::FlatMemory<double> places;
            places.find(*steppers_[lane]);
            if (places.integer_values() != step_.integers) {
                return false;
            }
            for (std::size_t k = 0; k < step_.fixed.size(); ++k) {
                prepare.input(k) = entry(places, step_.fixed[k]);
            }
            prepare.run();
            for (std::size_t k = 0; k < prepare.outputs(); ++k) {
                constants_[k * width_ + lane] = prepare.output(k);
            }
            for (std::size_t k = 0; k < step_.changing.size(); ++k) {
                sides_[0][k * width_ + lane] = entry(places, step_.changing[k]);
            }
        }
        current_ = 0;
        in_code_ = true;
        return true;
    }
    void leave(std::size_t lane) const {
        if (in_code_) {
            libration::FlatMemory<double> places;
            places.find(*steppers_[lane]);
            for (std::size_t k = 0; k < step_.changing.size(); ++k) {
                entry(places, step_.changing[k]) = sides_[current_][k * width_ + lane];
            }
        }
    }

    libration::Model model_;
    libration::Method method_;
    std::size_t width_;
    std::unique_ptr<libration::System<double>> system_;
    std::vector<std::unique_ptr<libration::Stepper<double>>> steppers_;
    libration::RecordedStep step_;
    std::shared_ptr<const libration::StepCode> code_;
    libration::AlignedVector<double> constants_, worst_;
    std::array<libration::AlignedVector<double>, 2> sides_;
    std::size_t current_ = 0;
    bool in_code_ = false;
};

// Generated code where it can be had, unless LIBRATION_BACKEND=interpreted.
inline std::unique_ptr<LibraryRun> library_lanes(const libration::Model& model, const libration::Method& method,
                                                 std::size_t lanes) {
    const bool available = libration::code_support().available, generated = available && method.lanes();
    if (lanes == 1) {
        if (available) {
            return std::make_unique<GeneratedSingle>(model, method);
        }
        return std::make_unique<InterpretedSingle>(model, method);
    }
    if (generated) {
        return std::make_unique<GeneratedLanesRun>(model, method, lanes);
    }
    return std::make_unique<InterpretedPacks>(model, method, lanes);
}

}  // namespace bench
