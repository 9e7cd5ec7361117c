// Carrying the memory of a method between its ordinary form and machine code.
#include "generated_stepper.hpp"
#include "codegen/machine_code.hpp"

#include <algorithm>

namespace libration {

namespace {

struct Place {
    std::size_t array, entry;
};

// Where the entries of a flat list of all arrays lie.
std::vector<Place> all_places(const FlatMemory<double>& memory) {
    std::vector<Place> places;
    for (std::size_t a = 0; a < memory.arrays.size(); ++a) {
        for (std::size_t e = 0; e < memory.arrays[a].size(); ++e) {
            places.push_back({a, e});
        }
    }
    return places;
}

}  // namespace

GeneratedStepper::GeneratedStepper(std::unique_ptr<Stepper<double>> ordinary, const RecordedStep& step,
                                   std::shared_ptr<const StepCode> code)
    : ordinary_(std::move(ordinary)), code_(std::move(code)), integers_(step.integers),
      changing_count_(step.changing.size()), watched_(step.watched), prepare_(step.program.prepare, {}),
      constants_(step.program.constants()) {
    places_.find(*ordinary_);
    const auto places = all_places(places_);
    const auto pieces = [&](std::span<const std::uint32_t> entries) {
        std::vector<Piece> result;
        for (const auto k : entries) {
            const auto [array, entry] = places[k];
            if (!result.empty() && result.back().array == array && result.back().first + result.back().count == entry) {
                ++result.back().count;
            } else {
                result.push_back({array, entry, 1});
            }
        }
        return result;
    };
    fixed_ = pieces(step.fixed);
    changing_ = pieces(step.changing);
    for (auto& memory : memory_) {
        memory.resize(changing_count_ + watched_ + 2);  // then residual and verdict
    }
}

void GeneratedStepper::start(const Node<double>& node, const double& h) {
    in_code_ = trial_in_code_ = false;
    shown_ = Holds::nothing;
    ordinary_->start(node, h);
}

bool GeneratedStepper::enter() {
    places_.find(*ordinary_);
    if (places_.integer_values() != integers_) {
        return false;
    }
    std::size_t input = 0;
    for (const auto& [array, first, count] : fixed_) {
        for (const double value : places_.arrays[array].subspan(first, count)) {
            prepare_.input(input++) = value;
        }
    }
    prepare_.run();
    for (std::size_t k = 0; k < constants_.size(); ++k) {
        constants_[k] = prepare_.output(k);
    }
    double* to = state();
    for (const auto& [array, first, count] : changing_) {
        to = std::copy_n(places_.arrays[array].data() + first, count, to);
    }
    in_code_ = true;
    shown_ = Holds::state;
    return true;
}

void GeneratedStepper::show(Holds what) const {
    if (shown_ == what) {
        return;
    }
    places_.find(*ordinary_);
    const double* from = memory_[what == Holds::state ? current_ : 1 - current_].data();
    for (const auto& [array, first, count] : changing_) {
        std::copy_n(from, count, places_.arrays[array].data() + first);
        from += count;
    }
    shown_ = what;
}

void GeneratedStepper::leave() {
    if (in_code_) {
        show(Holds::state);
    }
    in_code_ = trial_in_code_ = false;
    shown_ = Holds::nothing;
}

StepReport<double> GeneratedStepper::advance() {
    if (!in_code_ && !enter()) {
        return ordinary_->advance();
    }
    if (shown_ == Holds::trial) {
        shown_ = Holds::nothing;
    }
    double residual = 0;
    trial_in_code_ = code_->run(1, constants_.data(), state(), other(), &residual) == 1;
    if (trial_in_code_) {
        return {1, residual, 1, 0};
    }
    leave();
    return ordinary_->advance();
}

void GeneratedStepper::accept() {
    if (!trial_in_code_) {
        ordinary_->accept();
        return;
    }
    trial_in_code_ = false;
    current_ = 1 - current_;
    shown_ = shown_ == Holds::trial ? Holds::state : Holds::nothing;
}

Node<double> GeneratedStepper::trial_node() {
    if (!trial_in_code_) {
        return ordinary_->trial_node();
    }
    show(Holds::trial);  // as if it were accepted
    return ordinary_->node();
}

Node<double> GeneratedStepper::node() {
    if (in_code_) {
        show(Holds::state);
    }
    return ordinary_->node();
}

// The visitor may write: the state is then with the ordinary method, and the next step takes it from there.
void GeneratedStepper::visit(MemoryVisitor<double>& visitor) {
    leave();
    ordinary_->visit(visitor);
}

bool GeneratedStepper::turn_round() {
    leave();
    return ordinary_->turn_round();
}

const Evaluations<double>& GeneratedStepper::evaluations() const {
    if (in_code_) {
        show(Holds::state);
    }
    return ordinary_->evaluations();
}

std::int64_t GeneratedStepper::leap(std::int64_t steps, double& worst, std::span<const std::span<double>> watched) {
    double* to = state() + changing_count_;
    for (const auto& values : watched) {
        to = std::copy(values.begin(), values.end(), to);
    }
    const auto made = leap(steps, worst);
    const double* from = state() + changing_count_;
    for (const auto& values : watched) {
        std::copy_n(from, values.size(), values.begin());
        from += values.size();
    }
    return made;
}

std::int64_t GeneratedStepper::leap(std::int64_t steps, double& worst) {
    if (!in_code_ && !enter()) {
        return 0;
    }
    trial_in_code_ = false;
    shown_ = Holds::nothing;
    const auto made = code_->run(steps, constants_.data(), state(), other(), &worst);
    current_ = made % 2 == 0 ? current_ : 1 - current_;
    return made;
}

}  // namespace libration
