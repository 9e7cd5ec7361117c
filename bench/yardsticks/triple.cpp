// Which programs are built. No header of the library is included here: this file is compiled for one kind of processor.
#include <bench/yardsticks/triple_points.hpp>
#include <bench/yardsticks/triple_rods.hpp>

namespace bench {

namespace {

template <class V, TripleLoop loop>
std::unique_ptr<TripleProgram> make(TripleForm form, const TripleParameters& parameters) {
    switch (form) {
        case TripleForm::points: return std::make_unique<TriplePoints<V, loop, false>>(parameters);
        case TripleForm::compensated: return std::make_unique<TriplePoints<V, loop, true>>(parameters);
        case TripleForm::rods: return std::make_unique<TripleRods<V, loop>>(parameters);
    }
    return nullptr;
}

template <class V>
std::unique_ptr<TripleProgram> make(TripleForm form, TripleLoop loop, const TripleParameters& parameters) {
    switch (loop) {
        case TripleLoop::full: return make<V, TripleLoop::full>(form, parameters);
        case TripleLoop::simplified: return make<V, TripleLoop::simplified>(form, parameters);
        case TripleLoop::two_full: return make<V, TripleLoop::two_full>(form, parameters);
        case TripleLoop::one_full: return make<V, TripleLoop::one_full>(form, parameters);
    }
    return nullptr;
}

}  // namespace

std::unique_ptr<TripleProgram> make_triple(TripleForm form, TripleLoop loop, std::size_t lanes,
                                           const TripleParameters& parameters) {
    switch (lanes) {
        case 1: return make<double>(form, loop, parameters);
        case 8: return make<Eight>(form, loop, parameters);
        case 16: return make<Sixteen>(form, loop, parameters);
        default: return nullptr;
    }
}

}  // namespace bench
