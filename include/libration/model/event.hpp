// An event: a zero crossing of an expression of the state.
#pragma once

#include <libration/expression/expression.hpp>
#include <libration/text/source.hpp>

#include <string>

namespace [[gnu::visibility("default")]] libration {

struct Event {
    enum class Direction { either, rising, falling };
    std::string name;
    Expression value;  // over q, p_, v_, lambda_, t and parameters
    Direction direction = Direction::either;
    bool terminal = false;  // the run ends there
    Place place;
    std::string text = {};  // of the value, as it was given; empty: it was not given as text
};

}  // namespace libration
