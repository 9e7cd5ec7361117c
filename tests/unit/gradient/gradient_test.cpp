// Backward against forward, and both against quadruple precision.
#include "reference.hpp"

#include <libration/text/error.hpp>

namespace libration::gradient_test {
namespace {

// Constraints, M(q), whole Hamiltonians, bodies, moving constraints, singular masses, chains, split potentials.
std::vector<Case> cases() {
    return {
        {"harmonic-oscillator", "verlet", "x^2 + v_x", {"omega", "x0", "v0"}, 0.1, 60},
        {"kepler", "gauss(2)", "x*y + v_x", {"e", "x", "v_y"}, 0.05, 60},
        {"henon-heiles", "verlet", "x + y^2 + p_x", {"H0", "y0", "w0", "y", "v_y"}, 0.05, 100},
        {"pendulum", "rattle", "x + v_y^2 + lambda_rod", {"g", "l", "m"}, 0.02, 100},
        {"double-pendulum", "lobatto(3)", "x2*v_y1 + p_x1", {}, 0.05, 40},
        {"double-pendulum", "dirac-gauss(2)", "x2*v_y1 + p_x1", {"g", "l1", "m1", "m2", "theta1"}, 0.05, 20},
        {"spherical-pendulum",
         "compose(rattle, kahanli8)",
         "x + y*z + tension",
         {"g", "l", "m", "theta", "dphi"},
         0.1,
         20},
        {"kepler-sphere", "rattle", "x + v_z", {"a1", "phi", "theta", "dphi", "x", "v_y"}, 0.01, 50},
        {"driven-pendulum", "rattle", "x*y + v_x", {}, 0.02, 60},
        {"charged-particle", "lobatto(2)", "x + p_y*z", {"x", "y", "p_x", "p_z"}, 0.02, 60},
        {"rigid-body-on-spring",
         "rattle",
         "stretch + block.r.x^2",
         {"m", "g", "k", "l", "a", "block.r.x", "v_block.r.z"},
         0.02,
         50},
        {"free-top", "rattle", "flip + top.Q[1,2]", {"I1", "I2", "I3"}, 0.05, 40},
        {"heavy-top", "compose(rattle, suzuki4)", "top.Q[1,3] + top.Q[2,1]", {}, 0.02, 30},
        {"chain", "rattle", "r[9].x^2 + v_r[5].y", {"g", "l", "m"}, 0.02, 60},
        {"net", "rattle", "r[12].y + v_r[8].x", {"g", "l", "mass", "sag"}, 0.01, 20, true},
        {"pendulum-redundant", "lobatto(3)", "x + v_y^2", {"g", "l", "m"}, 0.02, 40},
        {"four-bar", "lobatto(2)", "B[1].x + v_B[2].y", {"g", "l", "m", "speed"}, 0.01, 20},
        {"andrews-swing", "lobatto(2)", "beta^2 + gamma", {"m1", "I3"}, 1e-4, 20},
        {"sprung-pendulum", "respa(4)", "x2*y1 + v_x1", {"g", "k"}, 0.05, 40},
        {"triple-pendulum", "constrain(verlet)", "x3*y2", {"g", "l"}, 0.02, 50, true},
        {"pendulum-angle", "midpoint", "q^2 + v_q", {"angle", "speed"}, 0.05, 100},
    };
}

class GradientOf : public testing::TestWithParam<Case> {};

TEST_P(GradientOf, backward_run_agrees_with_forward_runs_and_with_quadruple_precision) {
    const auto& one = GetParam();
    const auto model = one.loaded();
    const auto backward = gradient(model, method(one.method), one.options(GradientMode::backward));
    const auto forward = gradient(model, method(one.method), one.options(GradientMode::forward));
    ASSERT_FALSE(backward.failure) << backward.failure->message;
    ASSERT_FALSE(forward.failure) << forward.failure->message;
    EXPECT_EQ(backward.mode, GradientMode::backward);
    ASSERT_LT(backward.tangent_growth, 1e3);
    const auto differences = fine_differences(one);
    EXPECT_GT(largest(differences), 1e-3) << "the loss must depend on the unknowns";
    EXPECT_LT(difference(values_of(backward), values_of(forward)), 1e-12);
    EXPECT_LT(difference(values_of(backward), differences), 1e-12);
    EXPECT_LT(difference(values_of(forward), differences), 1e-12);
    EXPECT_GT(backward.digits, 12);
}

std::string case_name(const testing::TestParamInfo<Case>& info) {
    auto name = info.param.model + "_" + info.param.method;
    std::ranges::replace_if(
        name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
    return name;
}
INSTANTIATE_TEST_SUITE_P(Problems, GradientOf, testing::ValuesIn(cases()), case_name);

// Forward mode is for those that cannot go back.
TEST(Gradient, of_other_methods_comes_from_forward_runs) {
    for (const Case& one : {Case{"double-pendulum", "shake", "x2*y1", {"g", "l1", "m2"}, 0.02, 40},
                            Case{"double-pendulum", "bdf(2)", "x2*y1", {"g", "l1", "m2"}, 0.02, 40},
                            Case{"double-pendulum", "multistep(4)", "x2*y1", {"g", "l1", "m2"}, 0.02, 40},
                            Case{"abc-flow", "gauss(2)", "x*y", {"A", "B", "x"}, 0.05, 40},
                            Case{"damped-spherical-pendulum", "spark(3)", "x + v_z", {"drag", "g", "push"}, 0.02, 40},
                            Case{"chaplygin-sleigh", "spark(3)", "x*y", {"m", "a", "c"}, 0.02, 20}}) {
        const auto result = gradient(one.loaded(), method(one.method), one.options(GradientMode::automatic));
        ASSERT_FALSE(result.failure) << one.method << ": " << result.failure->message;
        EXPECT_EQ(result.mode, GradientMode::forward) << one.method;
        EXPECT_FALSE(result.why_forward.empty()) << one.method;
        EXPECT_LT(difference(values_of(result), fine_differences(one)), 1e-12) << one.method << " on " << one.model;
    }
}

// Rows of G keep columns of their own, so that G M^-1 G^T stays as sparse as it was: otherwise this takes minutes.
TEST(Gradient, of_a_long_chain_is_the_same_in_both_directions) {
    const auto model = Model::load("chain", {{"n", "1000"}});
    const Case one{"", "", "r[999].x^2 + v_r[500].y", {"g", "l", "m"}, 0.01, 30};
    const auto backward = gradient(model, method("rattle"), one.options(GradientMode::backward));
    const auto forward = gradient(model, method("rattle"), one.options(GradientMode::forward));
    ASSERT_FALSE(backward.failure);
    EXPECT_LT(difference(values_of(backward), values_of(forward)), 1e-12);
}

constexpr const char* split_potential = R"toml(
name = "split"
[parameters]
g = 1.0
k = 20.0
[coordinates]
q = ["x", "y"]
[dynamics]
mass = 1.0
[dynamics.potential]
slow = "g*x^2*y"
fast = "k/2*(x^2 + y^2)"
[initial]
q = [0.5, 0.3]
v = [0, 0.2]
)toml";

// Every method of the list that can go back does so, and all derivatives are those of its own forward runs.
TEST(Gradient, of_every_method_that_claims_to_be_symplectic_is_the_same_in_both_directions) {
    const std::vector<Case> on{{"kepler", "", "x*y + v_x", {"e", "x", "v_y"}, 0.02, 30},
                               {"double-pendulum", "", "x2*v_y1", {}, 0.02, 30},
                               {"driven-pendulum", "", "x + v_y", {"l", "a", "w", "m"}, 0.02, 30},
                               {"sprung-pendulum", "", "x2 + v_y1", {"g", "k"}, 0.02, 30},
                               {split_potential, "", "x*y + v_x", {"g", "k", "x"}, 0.02, 30},
                               {"charged-particle", "", "x + p_y", {"x", "p_z"}, 0.02, 30}};
    std::set<std::string, std::less<>> gone_back;
    for (const auto* record : methods()) {
        for (const auto& spec : examples(*record)) {
            for (auto one : on) {
                Gradient there;
                try {
                    there = gradient(one.loaded(), method(spec), one.options(GradientMode::backward));
                } catch (const InputError&) {
                    continue;  // it cannot run this model, or not back
                }
                ASSERT_FALSE(there.failure) << spec << " on " << one.model << ": " << there.failure->message;
                const auto forward = gradient(one.loaded(), method(spec), one.options(GradientMode::forward));
                EXPECT_LT(difference(values_of(there), values_of(forward)), 1e-12) << spec << " on " << one.model;
                gone_back.insert(std::string(record->name));
            }
        }
    }
    for (const auto* name : {"rattle", "verlet", "compose", "lobatto", "dirac-gauss", "constrain", "respa",
                             "midpoint-verlet", "spark", "gauss", "midpoint", "symplectic-euler"}) {
        EXPECT_TRUE(gone_back.contains(name)) << name;
    }
}

}  // namespace
}  // namespace libration::gradient_test
