#include "conditions.hpp"

#include <algorithm>

namespace libration {

namespace {

bool is_truth(const Expression& e) { return e.is(Op::constant) || is_condition(e); }

}  // namespace

bool is_comparison(const Expression& e) {
    switch (e.op()) {
        case Op::less:
        case Op::less_equal:
        case Op::equal:
        case Op::logical_and:
        case Op::logical_or:
        case Op::logical_not: return true;
        default: return false;
    }
}

bool is_condition(const Expression& e) {
    switch (e.op()) {
        case Op::multiply:
        case Op::min:
        case Op::max: return std::ranges::all_of(e.arguments(), is_condition);
        case Op::select: return std::ranges::all_of(e.arguments().subspan(1), is_truth);
        default: return is_comparison(e);
    }
}

}  // namespace libration
