// Models made to deceive `certify`, with the methods to be certified on each and what is known of them beforehand.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace libration::conformance {

// Every claim of a registered method is true on a smooth model: the methods are proven, and certificates.md shows them
// on problems with exact solutions. What a model can take from them is stated here.
struct Deception {
    std::string name;
    std::string text;  // TOML
    std::vector<std::string> methods;
    // A kink on the way leaves an error h^n however high the order of the method: the jump is in the derivative of
    // order n of the potential, or n - 1 of a force or field, and one step crosses it.
    int highest_order = 99;
    // Where it is: this coordinate (-1: time) passes there, after so long a time that eight of the largest steps do not
    // see it.
    struct Kink {
        int coordinate;
        double at;
    };
    std::optional<Kink> kink = {};
    // The energy of a symplectic method is bounded where H is smooth. Beyond that nothing is known, and nothing may be
    // confirmed.
    bool bounded_energy = true;
    // Methods may be better on this model than in general.
    bool special = false;
};

const std::vector<Deception>& deceptions();

}  // namespace libration::conformance
