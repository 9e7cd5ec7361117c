// Pivots of the rows carried, against those of the rows that would be chosen now.
#include "row_watch.hpp"

#include "manifold/independent_rows.hpp"
#include "model/carried.hpp"
#include "system/windings.hpp"
#include <libration/kit/make_system.hpp>

namespace libration {

namespace {

// A look at other rows is worth while where the pivot fell to this part of the one at the last decision; they are
// carried if theirs is larger by this factor. Both are far from 1, so that sets of equal quality do not alternate.
constexpr double noticeable = 0.25, worth_while = 4;

}  // namespace

RowWatch::RowWatch(const Model& model, System<double>& system) : model_(&model), system_(&system) {
    if (model.carried) {
        whole_ = make_system<double>(model.carried->whole);
    }
}

namespace {

// Constraints may contain angles that count turns.
double pivot_at(System<double>& system, const Node<double>& node) {
    if (auto* windings = system.windings()) {
        windings->refer_to(node.turns);
    }
    return pivot_of_rows(system, node.t, node.q, node.p);
}

}  // namespace

void RowWatch::begin(const Node<double>& node) {
    if (needed()) {
        reference_ = pivot_at(*system_, node);
    }
}

std::optional<std::vector<std::size_t>> RowWatch::better_rows(const Node<double>& node, bool always) {
    const double now = pivot_at(*system_, node);
    if (!always && !(now < noticeable * reference_)) {
        return std::nullopt;
    }
    const auto& rows = model_->carried->rows;
    if (auto* windings = whole_->windings()) {
        windings->refer_to(node.turns);
    }
    auto choice = independent_rows(*whole_, node.t, node.q);
    // Where more are dependent, the position is singular, and no set of rows helps.
    if (choice.rows.size() == rows.size() && choice.rows != rows) {
        const auto model = carry(model_->carried->whole, choice.rows);
        const auto system = make_system<double>(model);
        if (pivot_at(*system, node) > worth_while * now) {
            return std::move(choice.rows);
        }
    }
    reference_ = now;
    return std::nullopt;
}

}  // namespace libration
