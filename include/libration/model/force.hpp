// Non-Hamiltonian forces by class, and the treatment of individual terms of the equations of motion. [Jay 1998, (15),
// sections 7, 8]
//
//     q' = H_p     p' = -H_q + sum of forces(t, q, v, lambda) - G^T lambda,     v = H_p
#pragma once

#include <libration/expression/expression.hpp>
#include <libration/text/source.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace [[gnu::visibility("default")]] libration {

// The parts into which a model may split its potential, for methods that treat them differently.
// A set of parts is their bitwise or.
enum Part : unsigned { slow_part = 1, fast_part = 2, stiff_part = 4, all_parts = 7 };

// An expression of the whole model, over coordinates, p_ or v_ (see coordinate_symbols), t and scalar parameters.
struct WholeExpression {
    Expression value;
    Place place;
};

// The class of a force. Methods that treat forces by class read it.
enum class ForceClass { conservative, dissipative, driving, stiff };

struct Force {
    struct Component {
        std::size_t coordinate;
        WholeExpression value;  // over q, v_, lambda_, t and parameters
    };
    std::string name;
    ForceClass kind = ForceClass::conservative;
    std::vector<Component> on;  // each coordinate once
    Place place;
};

// A coordinate, by its name or by its symbol.
struct CoordinateKey {
    std::string name;
    CoordinateKey(std::string name_) : name(std::move(name_)) {}              // NOLINT(google-explicit-constructor)
    CoordinateKey(const char* name_) : name(name_) {}                         // NOLINT(google-explicit-constructor)
    CoordinateKey(const Expression& coordinate) : name(coordinate.text()) {}  // NOLINT(google-explicit-constructor)
};

// Description of a force for ModelBuilder.
struct ForceProperties {
    std::string name;
    ForceClass kind = ForceClass::conservative;
    std::vector<std::pair<CoordinateKey, Expression>> on;
};

// The five Lobatto families on the same nodes, by their letters A, B, C, C*, D.
enum class Lobatto : unsigned { a, b, c, cstar, d };
inline constexpr std::size_t lobatto_kinds = 5;
inline constexpr std::array<const char*, lobatto_kinds> lobatto_letters{"A", "B", "C", "C*", "D"};
// Constant weights of the five, which sum to 1: A = sum of weight times matrix. [Jay 1998, section 7]
using LobattoWeights = std::array<Expression, lobatto_kinds>;

// One family alone.
inline LobattoWeights weights_of(Lobatto only) {
    LobattoWeights weights;
    weights[static_cast<std::size_t>(only)] = 1;
    return weights;
}

// A property of one term, in one component or in all: the mix of coefficients that suits it. Methods that treat all
// terms alike ignore it.
struct TreatmentChoice {
    // "position", the name of a force, or one of the terms that a model has by itself: "reaction" (-G^T lambda),
    // "potential" (-U_q), "slow", "fast", "stiff" (parts of a split potential), "inertia" (T_q of a kinetic energy that
    // depends on q), "hamiltonian" (-H_q).
    std::string term;
    std::optional<std::size_t> coordinate;  // nothing: all; a later choice replaces an earlier one
    LobattoWeights weights;
    Place place;
};

// The treatment of terms under [spark] of a model.
struct TreatmentChoices {
    std::vector<TreatmentChoice> choices;
    bool full_newton = false;  // derivatives change so fast that one matrix per step is not enough
};

// Loads of a mechanism: gravity, springs and dampers between points or in joints, bushings, forces at points, torques
// on bodies.
// They become terms of the potential, or generalized forces. (decision 49)

// Between two points, formulas of coordinates in the world, or along or about the axis of a joint: "hinge", or
// "slide.displacement" where the joint has several coordinates.
struct SpringProperties {
    std::array<std::vector<Expression>, 2> between = {};
    std::string joint = {};
    Expression stiffness;
    Expression rest = 0;  // the length or the angle at which it is relaxed
};

struct DamperProperties {
    std::string name;  // of the force
    std::array<std::vector<Expression>, 2> between = {};
    std::string joint = {};
    Expression coefficient;
};

// Between places of two bodies, as those of a joint, relaxed at the start, or where two frames coincide: springs along
// and about the axes of a frame in the first body, and dampers.
struct BushingProperties {
    std::string name;                                  // of the force of its dampers
    std::array<std::string, 2> between;                // "ground", a body, or a point or frame of a body
    std::optional<std::array<Expression, 3>> at = {};  // in the world at the start
    // One number for all axes, or one for each: three in space. In the plane two along axes and one about z.
    std::vector<Expression> stiffness = {}, rotational_stiffness = {};
    std::vector<Expression> damping = {}, rotational_damping = {};
    Place place = {}, at_place = {};
    std::array<Place, 2> between_places = {};
    std::array<Place, 4> number_places = {};  // of the four above
};

// One of three: a torque on a body, a force at a point, which is a formula of coordinates in the world, or what acts
// between the bodies of a joint. In the world, or in the frame of the body.
struct LoadProperties {
    std::string name;
    ForceClass kind = ForceClass::driving;
    std::string body = {};
    std::vector<Expression> at = {};
    std::string joint = {};
    std::vector<Expression> value;  // three components, or the one of a joint
    bool in_body = false;
};

}  // namespace libration
