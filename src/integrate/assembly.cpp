// Finding closed poses.
#include "assembly.hpp"

#include "assembly_words.hpp"
#include "pose_search.hpp"
#include "pose_trials.hpp"

#include "model/half_turns.hpp"
#include "model/model_values.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

// Dense matrices of this many rows are factored in a tenth of a second.
constexpr std::size_t most_rows = 1000;
constexpr std::size_t most_ways = 8;

// Fewer of them where each costs more.
int trials_of(std::size_t rows) { return rows <= 60 ? 60 : rows <= 150 ? 24 : 8; }

class Assembler {
  public:
    Assembler(const Model& model, double t)
        : model_(&model), rows_(model, t), time_(t), half_turns_(model), rough_(initial_state<double>(model).q),
          axes_(model, t, rough_), equations_(rows_, pose_weights(model)), search_(equations_) {
        rows_.hold_at(rough_);
        result_.rough = rough_;
    }

    // Otherwise nothing can be said; what is not finite is reported by the checks of a start.
    bool is_finite() {
        std::vector<double> values(rows_.count());
        rows_.values(rough_, values);
        return std::ranges::all_of(values, [](double x) { return std::isfinite(x); });
    }
    bool is_closed() { return equations_.closed(rough_); }

    Assembly made(WaysWanted wanted) {
        result_.rough_gap = gap_at(rough_);
        const bool closed = is_closed();
        first_ = closed ? FoundPose{rough_, true} : search_.close(rough_);
        result_.steps += first_.steps;
        trials_.emplace(*model_, rows_, rough_);
        if (!closed && first_.closed && is_proper(first_.q)) {
            nearest(first_);
        }
        nearest_gap_ = first_;
        if (first_.closed && is_proper(first_.q)) {
            add(first_.q);
        }
        const bool found = !result_.ways.empty();
        if (!found || wanted == WaysWanted::all || choices().branch > 1) {
            search_further(found);
        }
        if (result_.ways.empty()) {
            refuse();
        }
        choose();
        return std::move(result_);
    }

  private:
    [[nodiscard]] const AssemblyChoices& choices() const { return *model_->assembly; }

    double gap_at(const std::vector<double>& q) {
        std::vector<double> values(rows_.count());
        rows_.values(q, values);
        double largest = 0;
        for (std::size_t i = 0; i < rows_.constraints(); ++i) {
            largest = std::max(largest, std::abs(values[i]));
        }
        return largest;
    }

    // No body is reflected, no joint half a turn off: rows see neither.
    bool is_proper(const std::vector<double>& q) { return trials_->proper(q) && half_turns_.fault(time_, q).empty(); }

    void nearest(FoundPose& pose) {
        const int before = pose.steps;
        trials_->unwind(pose.q);
        search_.draw_near(pose, rough_);
        result_.steps += pose.steps - before;
    }

    // Poses that differ by less than a thousandth of the mechanism are the same.
    bool add(const std::vector<double>& q) {
        for (const auto& way : result_.ways) {
            if (equations_.distance(way.q, q) <= 1e-3 * trials_->extent()) {
                return false;
            }
        }
        result_.ways.push_back({q, equations_.distance(q, rough_), axes_.reversed(q)});
        return true;
    }

    void search_further(bool keep_first) {
        for (int k = 0; k < trials_of(rows_.count()) && result_.ways.size() < most_ways; ++k) {
            auto pose = search_.close(trials_->next());
            result_.steps += pose.steps;
            if (pose.closed && is_proper(pose.q)) {
                nearest(pose);
            }
            if (pose.closed && is_proper(pose.q)) {
                add(pose.q);
            } else if (pose.gap < nearest_gap_.gap) {
                nearest_gap_ = std::move(pose);
            }
        }
        std::stable_sort(result_.ways.begin() + (keep_first ? 1 : 0), result_.ways.end(),
                         [](const auto& a, const auto& b) {
                             return std::pair(a.reversed, a.distance) < std::pair(b.reversed, b.distance);
                         });
    }

    [[noreturn]] void refuse() {
        if (const auto turned = half_turns_.fault(time_, nearest_gap_.q); nearest_gap_.closed && !turned.empty()) {
            throw InputError(turned + "\nNo other pose that satisfies the constraints was found.");
        }
        std::vector<double> values(rows_.count());
        rows_.values(nearest_gap_.q, values);
        std::string held;
        if (!choices().hold.empty()) {
            Model loose = *model_;
            loose.assembly->hold.clear();
            Assembler other(loose, time_);
            auto pose = other.search_.close(rough_);
            for (int k = 0; k < trials_of(rows_.count()) && !pose.closed; ++k) {
                pose = other.search_.close(trials_->next());
            }
            held = pose.closed ? held_names() : std::string();
        }
        const auto open = open_rows_text(*model_, values);
        if (!held.empty()) {
            throw InputError(
                choices().place,
                fmt::format("the constraints cannot be satisfied while `[assembly]` holds {}; without it "
                            "they can. Smallest gap that was found: {}\nHold less, or start from a pose in "
                            "which these values are possible.",
                            held, open));
        }
        throw InputError(choices().place,
                         fmt::format("the constraints cannot be satisfied: no pose that closes them was found from the "
                                     "initial values or near them; smallest gap that was found: {}\nCheck the "
                                     "lengths and places in these constraints, or start from a pose nearer to a closed "
                                     "one.",
                                     open));
    }

    [[nodiscard]] std::string held_names() const {
        std::string names;
        for (const auto& held : choices().hold) {
            names += (names.empty() ? "" : ", ") + held.name;
        }
        return names;
    }

    void choose() {
        result_.branch = choices().branch;
        if (result_.branch > result_.ways.size()) {
            throw InputError(
                choices().place,
                fmt::format("`[assembly]` asks for branch {}, but {} {} found; `libration check` lists "
                            "them\nChoose one of them, or start from a pose near to the one that is meant.",
                            result_.branch, result_.ways.size(),
                            result_.ways.size() == 1 ? "way to close was" : "ways to close were"));
        }
        result_.q = result_.ways[result_.branch - 1].q;
        result_.moved = result_.q != rough_;
        result_.gap = gap_at(result_.q);
        result_.parts = moved_parts(*model_, rough_, result_.q);
    }

    const Model* model_;
    PoseRows<double> rows_;
    double time_;
    HalfTurns half_turns_;
    std::vector<double> rough_;
    AxisSenses axes_;
    PoseEquations equations_;
    PoseSearch search_;
    std::optional<PoseTrials> trials_;
    FoundPose first_, nearest_gap_;
    Assembly result_;
};

}  // namespace

Assembly assemble(const Model& model, double t, WaysWanted wanted) {
    if (model.constraint_rows > most_rows) {
        throw InputError(model.assembly->place,
                         fmt::format("`[assembly]` works with dense matrices, for up to {} constraints; the model has "
                                     "{}\nLet `project` correct small errors of its initial values.",
                                     most_rows, model.constraint_rows));
    }
    Assembler assembler(model, t);
    if (!assembler.is_finite()) {
        Assembly nothing;
        nothing.rough = nothing.q = initial_state<double>(model).q;
        return nothing;
    }
    return assembler.made(wanted);
}

}  // namespace libration
