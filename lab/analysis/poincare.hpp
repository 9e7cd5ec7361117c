// Poincaré sections: the states of a run where an expression crosses zero.
//
// They lie between recorded states, and most often between steps. So the run is made once more, with the same method
// and the same steps, which is bitwise identical, and the states are found by dense output: one more step of the method
// itself, on both constraints (integrate/dense_output.hpp). That the recorded states come back is checked.
#pragma once

#include <libration/integrate/trajectory.hpp>

#include <string>
#include <vector>

namespace libration {

struct PoincareSection {
    std::string event;                        // as it was given
    std::vector<double> t;                    // of the crossings
    std::vector<std::vector<double>> values;  // [quantity][crossing]
    double section = 0;                       // largest |value of the event| at the crossings
    double constraint = 0, hidden = 0;        // largest residuals there
    double energy_spread = 0;                 // largest less smallest energy there
    double smallest = 0, largest = 0;         // values of the event at the nodes: why it never happened
    double difference = 0;                    // from the recorded states, largest component; 0: bitwise identical
    std::string failure;                      // why the repeated run ended early; empty: it did not
    std::size_t compared = 0;                 // recorded states that it passed
};

// `event` as --event takes it: "x rising". `quantities`: see quantity.hpp. InputError for formulas that are none.
PoincareSection poincare_section(const Trajectory& trajectory, const std::string& event,
                                 const std::vector<std::string>& quantities);

}  // namespace libration
