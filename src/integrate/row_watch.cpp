// Pivots of the rows carried, against those of the rows that would be chosen now.
#include "row_watch.hpp"

#include "manifold/independent_rows.hpp"
#include "model/carried.hpp"
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

void RowWatch::begin(const Node<double>& node) {
    if (needed()) {
        reference_ = pivot_of_rows(*system_, node.t, node.q, node.p);
    }
}

std::optional<std::vector<std::size_t>> RowWatch::better_rows(const Node<double>& node, bool always) {
    const double now = pivot_of_rows(*system_, node.t, node.q, node.p);
    if (!always && !(now < noticeable * reference_)) {
        return std::nullopt;
    }
    const auto& rows = model_->carried->rows;
    auto choice = independent_rows(*whole_, node.t, node.q);
    // Where more are dependent, the position is singular, and no set of rows helps.
    if (choice.rows.size() == rows.size() && choice.rows != rows) {
        const auto model = carry(model_->carried->whole, choice.rows);
        const auto system = make_system<double>(model);
        if (pivot_of_rows(*system, node.t, node.q, node.p) > worth_while * now) {
            return std::move(choice.rows);
        }
    }
    reference_ = now;
    return std::nullopt;
}

}  // namespace libration
