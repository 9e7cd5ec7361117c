// Lanes in machine code: the recorded step of the method, compiled for many trajectories at once. Packs make the first
// steps, until the method's histories are full, because a recorded step is one of those that come after.
#include "generated_lanes.hpp"

#include "codegen/machine_code.hpp"
#include "integrate/checked_start.hpp"
#include "integrate/redundancy.hpp"
#include "methods/recorded_step.hpp"
#include "scalar/aligned.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace libration {

namespace {

// Multiples of the width of a pack. Sixteen lanes are two registers of AVX-512: while one waits for its operands, the
// other works; but the memory of a longer step then leaves the first-level cache, and its code takes too long to make.
constexpr std::array<std::size_t, 2> lane_counts{16, 8};
constexpr std::size_t most_entries_in_sixteen_lanes = 128;

// What all lanes of an ensemble share.
struct LaneCode {
    RecordedStep step;
    std::shared_ptr<const StepCode> code;
};

// The values of some of the lanes.
LaneValues lanes_of(const LaneValues& all, std::size_t first, std::size_t count) {
    LaneValues part;
    for (const auto& [name, values] : all) {
        const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
        part.push_back({name, {begin, begin + static_cast<std::ptrdiff_t>(count)}});
    }
    return part;
}

class GeneratedLanes final : public LaneStepper {
  public:
    GeneratedLanes(const Model& model, LaneValues values, const LaneCode& shared, const LaneBackend& packs)
        : model_(&model), values_(std::move(values)), shared_(&shared), packs_(&packs), width_(shared.code->lanes()),
          memories_(width_), prepare_(shared.step.program.prepare, {}),
          constants_(shared.step.program.constants() * width_), worst_(width_, 0.0) {
        for (auto& side : sides_) {
            side.resize((shared.step.changing.size() + 2) * width_);  // then residual and verdict
        }
        for (const auto& name : shared.step.varied) {
            varied_.push_back(std::ranges::find(values_, name, &LaneParameter::name)->values);
        }
    }

    [[nodiscard]] std::size_t lanes() const override { return width_; }

    void load(std::size_t lane, const LaneMemory& memory) override {
        memories_[lane] = memory;
        in_code_ = false;
        worst_[lane] = 0;
    }

    void store(std::size_t lane, LaneMemory& memory) override {
        memory = memories_[lane];
        if (in_code_) {
            const double* from = sides_[current_].data() + lane;
            for (const auto entry : shared_->step.changing) {
                memory.entries[entry] = *from;
                from += width_;
            }
        }
    }

    LaneSteps run(std::int64_t steps) override {
        if (!in_code_ && !enter()) {
            return run_packs(std::min<std::int64_t>(steps, 1));
        }
        const auto made = shared_->code->run(steps, constants_.data(), sides_[current_].data(),
                                             sides_[1 - current_].data(), worst_.data());
        current_ = (current_ + static_cast<std::size_t>(made)) % 2;
        LaneSteps result{made, {}};
        if (made < steps) {
            const double* verdict = sides_[1 - current_].data() + (shared_->step.changing.size() + 1) * width_;
            for (std::size_t lane = 0; lane < width_; ++lane) {
                result.refused.push_back(verdict[lane] != 1);
            }
        }
        return result;
    }

    double take_worst(std::size_t lane) override { return std::exchange(worst_[lane], 0.0); }

  private:
    // From the memories of the lanes into the arrays of the code, if their integers are those of the recorded step.
    bool enter() {
        const auto& step = shared_->step;
        for (const auto& memory : memories_) {
            if (memory.integers != step.integers) {
                return false;
            }
        }
        current_ = 0;
        for (std::size_t lane = 0; lane < width_; ++lane) {
            std::size_t input = 0;
            for (const auto& values : varied_) {
                prepare_.input(input++) = values[lane];
            }
            for (const auto entry : step.fixed) {
                prepare_.input(input++) = memories_[lane].entries[entry];
            }
            prepare_.run();
            for (std::size_t k = 0; k < prepare_.outputs(); ++k) {
                constants_[k * width_ + lane] = prepare_.output(k);
            }
            double* to = sides_[0].data() + lane;
            for (const auto entry : step.changing) {
                *to = memories_[lane].entries[entry];
                to += width_;
            }
        }
        in_code_ = true;
        return true;
    }

    LaneSteps run_packs(std::int64_t steps) {
        const std::size_t narrow = packs_->lanes();
        if (narrow_.empty()) {
            for (std::size_t first = 0; first < width_; first += narrow) {
                narrow_.push_back(packs_->make(*model_, lanes_of(values_, first, narrow)));
            }
        }
        for (std::size_t lane = 0; lane < width_; ++lane) {
            narrow_[lane / narrow]->load(lane % narrow, memories_[lane]);
        }
        LaneSteps together{steps, {}};
        std::vector<bool> refused(width_, false);
        for (std::size_t k = 0; k < narrow_.size(); ++k) {
            const auto part = narrow_[k]->run(steps);
            for (std::size_t lane = 0; lane < part.refused.size(); ++lane) {
                refused[k * narrow + lane] = part.refused[lane];
            }
            together.made = std::min(together.made, part.made);
        }
        if (together.made < steps) {  // one step, or none in any lane: the memories are those of before
            together.refused = std::move(refused);
            return together;
        }
        for (std::size_t lane = 0; lane < width_; ++lane) {
            narrow_[lane / narrow]->store(lane % narrow, memories_[lane]);
            const double worst = narrow_[lane / narrow]->take_worst(lane % narrow);
            worst_[lane] = worst_[lane] < worst ? worst : worst_[lane];
        }
        return together;
    }

    const Model* model_;
    LaneValues values_;
    const LaneCode* shared_;
    const LaneBackend* packs_;
    std::size_t width_;
    std::vector<LaneMemory> memories_;  // of the lanes; where the code has the state, what the code does not change
    std::vector<std::vector<double>> varied_;
    Tape<double> prepare_;
    AlignedVector<double> constants_;
    std::array<AlignedVector<double>, 2> sides_;  // [entry][lane], before and after a step; the state is in [current_]
    AlignedVector<double> worst_;
    std::vector<std::unique_ptr<LaneStepper>> narrow_;  // made where they are needed
    std::size_t current_ = 0;
    bool in_code_ = false;
};

class GeneratedBackend final : public LaneBackend {
  public:
    GeneratedBackend(LaneCode shared, std::unique_ptr<LaneBackend> packs)
        : shared_(std::move(shared)), packs_(std::move(packs)) {}
    [[nodiscard]] std::size_t lanes() const override { return shared_.code->lanes(); }
    [[nodiscard]] std::string name() const override {
        return fmt::format("generated step ({}, {} lanes)", code_support().name, lanes());
    }
    [[nodiscard]] std::unique_ptr<LaneStepper> make(const Model& model, const LaneValues& values) const override {
        return std::make_unique<GeneratedLanes>(model, values, shared_, *packs_);
    }

  private:
    LaneCode shared_;
    std::unique_ptr<LaneBackend> packs_;
};

// Of the first trajectory that can start.
std::optional<std::vector<std::int64_t>> settled_integers_of(const VariedModel& models, std::size_t count,
                                                             const Method& method, const IntegrationOptions& options) {
    constexpr std::size_t most_tried = 16;
    for (std::size_t k = 0; k < std::min(count, most_tried); ++k) {
        try {
            const auto [model, system, sets, warnings, fault] = prepared(models.of(k), options.start_time);
            Manifold<double> manifold(*system);
            const auto start = checked_start(model, *system, manifold, options);
            if (auto found =
                    settled_integers(method, *system, {options.start_time, start.q, {}, start.p}, options.step)) {
                return found;
            }
        } catch (const InputError&) {
            // Reported where it runs.
        }
    }
    return std::nullopt;
}

}  // namespace

std::unique_ptr<LaneBackend> generated_backend(const VariedModel& models, std::size_t count, const Method& method,
                                               const IntegrationOptions& options, std::string& why_not) {
    if (!code_support().available) {
        why_not = code_support().reason;
        return nullptr;
    }
    const auto integers = settled_integers_of(models, count, method, options);
    if (!integers) {
        why_not = "all trajectories fail in their first steps";
        return nullptr;
    }
    LaneCode shared;
    // The values do not matter: a recorded step has symbols for them.
    const auto varied = models.in_lanes(std::vector<std::size_t>(lane_counts[0], 0));
    auto recorded = record_step(models.lane_model(), method, *integers, why_not, varied);
    if (!recorded) {
        return nullptr;
    }
    shared.step = std::move(*recorded);
    for (const auto lanes : lane_counts) {
        const bool fits = lanes == lane_counts.back() || shared.step.changing.size() <= most_entries_in_sixteen_lanes;
        if (fits && !shared.code) {
            shared.code = generate_step(shared.step.program, lanes, &why_not);
        }
    }
    if (!shared.code) {
        return nullptr;
    }
    return std::make_unique<GeneratedBackend>(std::move(shared), pack_backend(method));
}

}  // namespace libration
