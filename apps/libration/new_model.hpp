// The model that `libration new` writes.
#pragma once

#include <string_view>

namespace libration::app {

// MODEL_NAME stands for the name.
inline constexpr std::string_view new_model =
    R"toml(# A model for libration: a double pendulum, two point masses on two rigid rods.
#
#   libration check MODEL_NAME.toml      is the model consistent?
#   libration run MODEL_NAME.toml        integrate it
#
# Replace it piece by piece with your own system. Formulas are text in quotes; derivatives and Lagrange multipliers
# follow from them. Text after # is a comment.
name = "MODEL_NAME"
description = "Two point masses on two rigid rods, one below the other, swing in a vertical plane."

# Constants; they may use each other. `libration run MODEL_NAME.toml --set l1=2` replaces a value.
[parameters]
g = 9.81
l1 = 1.0                              # lengths of the rods
l2 = 0.8
m1 = 1.0                              # masses
m2 = 0.5
theta1 = "pi/3"                       # initial angles of the rods from the downward vertical
theta2 = "2*pi/3"

# The coordinates. In formulas, v_x1 is the velocity and p_x1 the momentum of x1.
[coordinates]
q = ["x1", "y1", "x2", "y2"]

# The energy, and the constraints g(q) = 0. The Lagrange multiplier of rod1 is lambda_rod1.
[dynamics]
mass = ["m1", "m1", "m2", "m2"]       # one per coordinate; or kinetic = "..." or hamiltonian = "..."
potential = "g*(m1*y1 + m2*y2)"
constraints = { rod1 = "x1^2 + y1^2 - l1^2", rod2 = "(x2 - x1)^2 + (y2 - y1)^2 - l2^2" }

# Initial conditions. They must satisfy the constraints and their time derivatives; `--project` corrects small errors.
[initial]
q = ["l1*sin(theta1)", "-l1*cos(theta1)", "l1*sin(theta1) + l2*sin(theta2)", "-l1*cos(theta1) - l2*cos(theta2)"]
v = [0, 0, 0, 0]

# Quantities to record.
[observables]
angle1 = "atan2(x1, -y1)"
angle2 = "atan2(x2 - x1, y1 - y2)"
tension1 = "2*l1*lambda_rod1"         # tensile force in the upper rod

# Forces that do not derive from a potential, e.g. friction; with them, set method = "spark(3)" below.
# The classes are "conservative", "dissipative", "driving" and "stiff".
# [[forces]]
# name = "friction"
# class = "dissipative"
# on = { x1 = "-0.1*v_x1", y1 = "-0.1*v_y1", x2 = "-0.1*v_x2", y2 = "-0.1*v_y2" }

# Events: times at which a formula passes through zero.
# [[events]]
# name = "lowest"
# when = "x1"
# direction = "rising"                # or "falling", or "either"
# terminal = false                    # true: the run ends there

# Defaults of `libration run`; its options override them. `libration methods` lists the methods.
[run]
method = "rattle"
step = 0.002
duration = 20.0
)toml";

}  // namespace libration::app
