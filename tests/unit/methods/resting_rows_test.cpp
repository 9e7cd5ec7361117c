// Constraints whose rows rest: coordinates that are exactly zero, products that all vanish. Rounding reaches them
// through the multipliers of the others, so round-off is not zero there.
#include <libration/integrate/integrate.hpp>
#include <libration/model/model.hpp>

#include <gtest/gtest.h>

using namespace libration;

namespace {

// A body in its natural position, hung by one of its points: rows (1,3) and (2,3) of Q^T Q rest at the start.
const char* const hung_body = R"toml(
[[body]]
name = "b"
inertia = [0.4, 0.3, 0.2]
mass = 1
[dynamics]
potential = "b.r.z"
constraints = { hang = "norm2(b.at(0.1, 0, 0.5)) - 1" }
[initial.b]
quaternion = [1, 0, 0, 0]
omega = [0, 0, 3]
r = [-0.1, 0, -1.5]
)toml";

// A physical pendulum: the first axis of the body stays along x, so that Q[2,1] and Q[3,1] are zero for ever.
const char* const hinge = R"toml(
[[body]]
name = "b"
inertia = [0.4, 0.3, 0.2]
fixed = true
[dynamics]
potential = "b.Q[3,2] + 2*b.Q[3,3]"
constraints = { ay = "b.Q[2,1]", az = "b.Q[3,1]" }
[initial.b]
quaternion = ["cos(0.3)", "sin(0.3)", 0, 0]
omega = [0.5, 0, 0]
)toml";

// The same kind of rows without a body: a rod that moves in the plane z = 0 of space.
const char* const flat_rod = R"toml(
[coordinates]
q = ["x", "y", "z"]
[dynamics]
mass = 1
potential = "y"
constraints = { rod = "x^2 + y^2 + z^2 - 1", plane = "z" }
[initial]
q = [1, 0, 0]
v = [0, 0.5, 0]
)toml";

}  // namespace

TEST(RestingRows, do_not_stop_any_method) {
    const std::pair<const char*, const char*> models[]{
        {"hung body", hung_body}, {"hinge", hinge}, {"flat rod", flat_rod}};
    for (const auto& [name, text] : models) {
        const auto model = Model::parse(text, std::string(name) + ".toml");
        for (const char* spec : {"rattle", "shake", "compose(rattle, kahanli8)", "constrain(verlet)", "lobatto(2)",
                                 "lobatto(3)", "dirac-gauss(2)", "projected-gauss(2)", "bdf(3)", "multistep(2)",
                                 "multistep(6)", "multistep(4, -0.6, beta=0.26)"}) {
            for (const double h : {1e-2, 1e-4}) {
                const auto run = integrate(model, method(spec), {.step = h, .steps = 300});
                EXPECT_EQ(run.status, RunStatus::completed)
                    << spec << " on the " << name << " at " << h << ": " << (run.failure ? run.failure->message : "");
                EXPECT_LT(run.constraint.max, 2e-15) << spec << " on the " << name;
            }
        }
    }
}
