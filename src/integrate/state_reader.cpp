// Reading states after the run.
#include "state_reader.hpp"
#include "codegen/machine_code.hpp"
#include "redundancy.hpp"

#include "codegen/tape_code.hpp"
#include <libration/kit/make_system.hpp>

namespace libration {

namespace {

// As in a run: what kernels must save to repay compiling, in operations, and what a state costs besides.
constexpr double least_reading_work = 3e8, work_around_state = 500;

}  // namespace

StateReader::StateReader(const Model& model, std::size_t states)
    : system_(make_system<double>(model)), manifold_(*system_), reader_(model, *system_, manifold_),
      q_low_(system_->dimension()) {
    TapeCode code;
    system_->visit_tapes(code);
    reader_.visit_tapes(code);
    if (static_cast<double>(states) * (code.work() + work_around_state) >= least_reading_work &&
        code_support().available) {
        std::string why_not;  // then they are interpreted, with bitwise identical results
        code.generate(why_not);
    }
}

bool StateReader::suffices(const Model& model) {
    if (model.singular_mass || !model.nonholonomic.empty() || model.external || !model.windings.empty()) {
        return false;
    }
    // The rows that a run carried need not be those that would be chosen at a state.
    const auto ready = prepared(model, 0);
    const auto& system = ready.system;
    return !ready.model.carried && system->properties().added == 0 &&
           (system->forces() == nullptr || !system->forces()->depend_on_multipliers());
}

Sample StateReader::read(double t, std::span<const double> q, std::span<const double> p) {
    return reader_.read({t, q, q_low_, p}, 0, true);
}

}  // namespace libration
