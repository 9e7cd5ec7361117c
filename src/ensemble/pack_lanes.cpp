// Lanes of packs: the method's template, interpreted, on eight trajectories at once.
#include <libration/ensemble/lane_stepper.hpp>

#include <libration/manifold/rank.hpp>
#include <libration/system/make_system.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <cmath>

namespace libration {

namespace {

class Entries final : public MemoryVisitor<Pack> {
  public:
    explicit Entries(Stepper<Pack>& stepper) { stepper.visit(*this); }
    void array(std::string_view, std::span<Pack> values) override {
        for (auto& value : values) {
            entries.push_back(&value);
        }
    }
    void integer(std::string_view, std::int64_t& value) override { integers.push_back(&value); }

    std::vector<Pack*> entries;
    std::vector<std::int64_t*> integers;
};

class PackLanes final : public LaneStepper {
  public:
    PackLanes(const Model& model, const LaneValues& lanes, const Method& method)
        : system_(make_system<Pack>(model, lanes)), stepper_(method.make<Pack>(*system_)) {}

    [[nodiscard]] std::size_t lanes() const override { return pack_width; }

    void load(std::size_t lane, const LaneMemory& memory) override {
        const Entries own(*stepper_);
        if (own.entries.size() != memory.entries.size() || own.integers.size() != memory.integers.size()) {
            throw InputError("a lane of a pack has another memory than the method has alone");
        }
        for (std::size_t k = 0; k < memory.entries.size(); ++k) {
            own.entries[k]->lane[lane] = memory.entries[k];
        }
        for (std::size_t k = 0; k < memory.integers.size(); ++k) {
            *own.integers[k] = memory.integers[k];
        }
        worst_[lane] = 0;
    }

    void store(std::size_t lane, LaneMemory& memory) override {
        const Entries own(*stepper_);
        memory.entries.resize(own.entries.size());
        memory.integers.resize(own.integers.size());
        for (std::size_t k = 0; k < memory.entries.size(); ++k) {
            memory.entries[k] = own.entries[k]->lane[lane];
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
                // As the loop of a single run judges it.
                const bool good = report.converged.lane[lane] == 1 && report.pivot.lane[lane] > rank_tolerance &&
                                  std::isfinite(report.size.lane[lane]);
                if (!good) {
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
    if (!method.lanes()) {
        return alone(fmt::format("{} does not run in lanes", method.name()));
    }
    if (model.singular_mass) {
        return alone("the mass matrix of the model is singular");
    }
    if (model.external) {
        return alone(fmt::format("{} of the model cannot be traced", model.external->what()));
    }
    if (!model.events.empty()) {
        return alone("the model has events");
    }
    return pack_backend(method);
}

}  // namespace libration
