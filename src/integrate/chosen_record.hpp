// What was chosen for a run or an ensemble, as named values.
#pragma once

#include <libration/integrate/run.hpp>
#include <libration/result/record.hpp>

namespace libration {

template <class Fields, class Chosen>
void describe_chosen(Fields& fields, Chosen& chosen) {
    fields("method", chosen.method);
    fields("step", chosen.step);
    fields("duration", chosen.duration);
    fields.group("predicted", [&](auto& inner) {
        inner("error", chosen.error);
        inner("energy_error", chosen.energy_error);
    });
    fields("reason", chosen.reason);
}

}  // namespace libration
