// Lanes of packs: the method's template, interpreted, on eight trajectories at once.
#include "lane_stepper.hpp"
#include "methods/flat_memory.hpp"
#include "methods/good_step.hpp"
#include "methods/row_guard.hpp"
#include <libration/kit/method_record.hpp>

#include "manifold/rank.hpp"
#include <libration/kit/make_system.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <cmath>

namespace libration {

namespace {

class PackLanes final : public LaneStepper {
  public:
    PackLanes(const Model& model, const LaneValues& lanes, const Method& method)
        : system_(make_system<Pack>(model, lanes)),
          stepper_(guarding_rows<Pack>(model, method, *system_, make_stepper<Pack>(method, *system_))) {}

    [[nodiscard]] std::size_t lanes() const override { return pack_width; }

    void load(std::size_t lane, const LaneMemory& memory) override {
        const FlatMemory<Pack> own(*stepper_);
        const auto entries = own.entries();
        if (entries.size() != memory.entries.size() || own.integers.size() != memory.integers.size()) {
            throw InputError("the memory layout of a lane differs from that of the method alone");
        }
        for (std::size_t k = 0; k < memory.entries.size(); ++k) {
            entries[k]->lane[lane] = memory.entries[k];
        }
        for (std::size_t k = 0; k < memory.integers.size(); ++k) {
            *own.integers[k] = memory.integers[k];
        }
        worst_[lane] = 0;
    }

    void store(std::size_t lane, LaneMemory& memory) override {
        const FlatMemory<Pack> own(*stepper_);
        const auto entries = own.entries();
        memory.entries.resize(entries.size());
        memory.integers.resize(own.integers.size());
        for (std::size_t k = 0; k < memory.entries.size(); ++k) {
            memory.entries[k] = entries[k]->lane[lane];
        }
        for (std::size_t k = 0; k < memory.integers.size(); ++k) {
            memory.integers[k] = *own.integers[k];
        }
    }

    LaneSteps run(std::int64_t steps) override {
        for (std::int64_t made = 0; made < steps; ++made) {
            const auto report = stepper_->advance();
            std::vector<bool> refused;
            for (std::size_t lane = 0; lane < pack_width; ++lane) {
                if (!good_step(report, lane)) {
                    refused.resize(pack_width);
                    refused[lane] = true;
                }
            }
            if (!refused.empty()) {
                return {made, std::move(refused)};
            }
            stepper_->accept();
            for (std::size_t lane = 0; lane < pack_width; ++lane) {
                const double residual = report.residual.lane[lane];
                worst_[lane] = std::isnan(residual) || residual > worst_[lane] ? residual : worst_[lane];
            }
        }
        return {steps, {}};
    }

    double take_worst(std::size_t lane) override { return std::exchange(worst_[lane], 0.0); }

  private:
    std::unique_ptr<System<Pack>> system_;
    std::unique_ptr<Stepper<Pack>> stepper_;
    std::array<double, pack_width> worst_{};
};

class PackBackend final : public LaneBackend {
  public:
    explicit PackBackend(const Method& method) : method_(method) {}
    [[nodiscard]] std::size_t lanes() const override { return pack_width; }
    [[nodiscard]] std::string name() const override { return fmt::format("interpreted, {} lanes", pack_width); }
    [[nodiscard]] std::unique_ptr<LaneStepper> make(const Model& model, const LaneValues& lanes) const override {
        return std::make_unique<PackLanes>(model, lanes, method_);
    }

  private:
    Method method_;
};

}  // namespace

std::unique_ptr<LaneBackend> pack_backend(const Method& method) { return std::make_unique<PackBackend>(method); }

std::unique_ptr<LaneBackend> lane_backend(const Model& model, const Method& method, std::string* why) {
    const auto alone = [why](std::string reason) {
        if (why != nullptr) {
            *why = std::move(reason);
        }
        return nullptr;
    };
    if (model.singular_mass) {
        return alone("the mass matrix of the model is singular");
    }
    if (model.external) {
        return alone(fmt::format("{} of the model cannot be traced", model.external->what()));
    }
    if (!method.lanes(make_system<double>(model)->properties())) {
        return alone(fmt::format("{} does not support vectorized (lane-parallel) steps of this model", method.name()));
    }
    if (!model.events.empty()) {
        return alone("the model has events");
    }
    return pack_backend(method);
}

}  // namespace libration
