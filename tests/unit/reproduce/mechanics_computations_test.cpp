// Computations of the recipes for Reich (1996) and Jay (1998), against numbers known otherwise.
#include "computed.hpp"

#include "reproduce/computation.hpp"
#include <libration/integrate/integrate.hpp>
#include <libration/model/model.hpp>
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace libration {
namespace {

Arguments dirac(const std::string& constraint, const std::string& lambda, const std::string& weight) {
    return {{"constraint", {constraint}},
            {"lambda", {lambda}},
            {"weight", {weight}},
            {"parts", {"25"}},
            {"periods", {"1", "2"}}};
}

// Four digits of an independent program.
TEST(DiracPendulum, all_variants_of_the_field) {
    const struct {
        const char *constraint, *lambda, *weight;
        double phase, energy;
    } known[]{{"length", "bracket", "1", 1.305e-3, 1.562e-4},
              {"length", "printed", "1", 1.301e-3, 1.561e-4},
              {"square", "printed", "1/2", 7.102e-4, 9.677e-5},
              {"length", "printed", "0.5", 7.21e-4, 9.81e-5}};
    for (const auto& one : known) {
        const auto found = compute("dirac-pendulum", dirac(one.constraint, one.lambda, one.weight));
        EXPECT_NEAR(found.numbers.at("phase").at(0), one.phase, 8e-4 * one.phase) << one.constraint << one.lambda;
        EXPECT_NEAR(found.numbers.at("phase").at(1), 2 * one.phase, 16e-4 * one.phase);
        EXPECT_NEAR(found.numbers.at("dH").at(0), one.energy, 8e-4 * one.energy);
    }
    EXPECT_THROW(compute("dirac-pendulum", dirac("round", "printed", "1")), InputError);
    EXPECT_THROW(compute("dirac-pendulum", dirac("length", "guessed", "1")), InputError);
}

// Dirac's Hamiltonian does not change if g is multiplied by a number, so (r^2 - 1)/2 here is r^2 - 1 there.
TEST(DiracPendulum, with_its_whole_weight_is_the_method_of_the_library) {
    const auto found = compute("dirac-pendulum", dirac("square", "bracket", "1"));
    const double h = 4 * std::comp_ellint_1(std::sqrt(0.5)) / 25;
    const auto run = integrate(Model::load("pendulum"), method("dirac-gauss(2)"), {.step = h, .steps = 50});
    EXPECT_NEAR(found.numbers.at("phase").at(1), std::abs(run.p[1]), 1e-13);  // round-off of 50 steps
    EXPECT_NEAR(found.numbers.at("dH").at(0), run.energy.max_error, 1e-13);
}

Arguments bdf(const std::string& form, const std::string& parts, std::vector<std::string> periods) {
    return {{"form", {form}}, {"parts", {parts}}, {"periods", std::move(periods)}};
}

TEST(BdfPendulum, order_four_and_a_run_that_ends) {
    const auto energy = [](const char* parts) {
        return compute("bdf-pendulum", bdf("projected", parts, {"1"})).numbers.at("energy").at(0);
    };
    // The leading error of the modified equation, h^4 z^(5), changes H at the rate grad H . z^(5). That is odd in time
    // about the turning points of the swing, so that its integral over a period is 0: what is left is of order 5.
    EXPECT_NEAR(std::log2(energy("200") / energy("400")), 5, 0.1);
    const auto free = compute("bdf-pendulum", bdf("printed", "25", {"1", "2", "10"}));
    EXPECT_LT(free.numbers.at("lasts").at(0), 10);
    EXPECT_EQ(free.numbers.at("energy").size(), 2);
    for (const double y : free.curves.at("energy").y) {
        EXPECT_TRUE(std::isfinite(y));
    }
    EXPECT_THROW(compute("bdf-pendulum", bdf("polar", "25", {"1"})), InputError);
    EXPECT_THROW(compute("bdf-pendulum", bdf("printed", "0", {"1"})), InputError);
    EXPECT_THROW(compute("bdf-pendulum", bdf("printed", "25", {"0.5"})), InputError);
}

// Decimals of an independent program.
TEST(BdfPendulum, forces_differ_off_the_manifold) {
    const auto numbers = [](const char* form) { return compute("bdf-pendulum", bdf(form, "50", {"1", "4"})).numbers; };
    EXPECT_NEAR(numbers("printed").at("energy").at(1), -0.24774, 5e-6);
    EXPECT_NEAR(numbers("printed").at("highest").at(1), -0.2136, 5e-5);
    EXPECT_NEAR(numbers("unit").at("energy").at(1), -0.14794, 5e-6);
}

// Order 4 with an estimate of order 2: the error of a step goes with TOL.
TEST(LocalError, goes_with_the_tolerance) {
    Arguments arguments{{"model", {"pendulum"}},
                        {"method", {"spark(3)"}},
                        {"tolerance", {"1e-8", "1e-9"}},
                        {"from", {"1"}},
                        {"step", {"0.05"}}};
    const auto found = compute("local-error", arguments).numbers;
    EXPECT_NEAR(std::log10(found.at("error").at(0) / found.at("error").at(1)), 1, 0.01);
    EXPECT_NEAR(std::log10(found.at("length").at(0) / found.at("length").at(1)), 0.2, 0.01);
    arguments["from"] = {"0"};
    EXPECT_THROW(compute("local-error", arguments), InputError);
}

TEST(WayBack, is_the_same_with_reversible_steps_only) {
    Arguments arguments{{"model", {"pendulum"}}, {"method", {"spark(3)"}}, {"kind", {"reversible"}},
                        {"tolerance", {"1e-8"}}, {"step", {"0.05"}},       {"steps", {"50"}}};
    const auto same = compute("way-back", arguments).numbers;
    // Lengths are as exact as the round-off of the estimate lets them be. What must not show is the error of the
    // method, some 0.1 TOL a step: 5e-8 for all of them.
    EXPECT_LT(same.at("q").at(0), 1e-9);
    EXPECT_LT(same.at("v").at(0), 1e-9);
    EXPECT_NEAR(same.at("there").at(0), same.at("back").at(0), 1e-9);
    arguments["kind"] = {"standard"};
    const auto other = compute("way-back", arguments).numbers;
    EXPECT_GT(std::abs(other.at("there").at(0) - other.at("back").at(0)), 1e-6);
    arguments["steps"] = {"0"};
    EXPECT_THROW(compute("way-back", arguments), InputError);
}

TEST(Periodicity, of_the_pair_and_of_each) {
    const auto pair = [](const char* position, const char* momentum) {
        return compute("periodicity",
                       {{"position", {position}}, {"momentum", {momentum}}, {"s", {"2", "3"}}, {"largest", {"8"}}})
            .numbers;
    };
    const auto ab = pair("Lobatto IIIA", "Lobatto IIIB");
    EXPECT_NEAR(ab.at("end").at(0), 2, 1e-14);
    EXPECT_NEAR(ab.at("end").at(1), std::sqrt(8), 1e-14);
    // Verlet beyond its limit: eigenvalues -c -+ sqrt(c^2 - 1) with c = mu^2/2 - 1.
    EXPECT_NEAR(ab.at("at_largest").at(0), 31 + std::sqrt(31.0 * 31 - 1), 1e-12);
    EXPECT_LT(pair("Lobatto IIID", "Lobatto IIID").at("beyond").at(1), 1e-14);
    EXPECT_EQ(pair("Lobatto IIIC", "Lobatto IIIC").at("end").at(0), -1);
    EXPECT_THROW(pair("Lobatto IIIE", "Lobatto IIIC"), InputError);
}

TEST(SparkConditions, hold_and_transforms_are_the_printed_ones) {
    const auto found = compute("spark-conditions", {{"s", {"3"}}}).numbers;
    EXPECT_EQ(found.at("conditions").at(0), 7);
    EXPECT_EQ(found.at("violated").at(0), 0);
    EXPECT_LT(found.at("transform").at(0), 1e-14);
    EXPECT_EQ(found.at("functions").at(0), 0);
}

TEST(StructuralStep, printed_formulas_are_spark) {
    const auto found = compute("structural-step", {{"step", {"1/10"}}, {"duration", {"1"}}}).numbers;
    EXPECT_LT(found.at("difference").at(0), 1e-14);
    EXPECT_LT(found.at("position").at(0), 1e-15);
    EXPECT_GT(found.at("condition").at(0), 1);
}

TEST(OperationCounts, as_written_in_the_graph_and_in_the_program) {
    const auto found =
        compute("operation-counts", {{"expressions", {"a*b*x + a*b*x^2", "-a*b*(x - y)/2"}}, {"vary", {"x", "y"}}})
            .numbers;
    EXPECT_EQ(found.at("additions").at(0), 2);
    EXPECT_EQ(found.at("multiplications").at(0), 8);
    EXPECT_EQ(found.at("graph_multiplications").at(0), 6);  // a b once
    EXPECT_EQ(found.at("run_multiplications").at(0), 5);    // and before the run
    EXPECT_FALSE(found.contains("difference"));
}

// A bead on a turning arm: T = m/2 (r'^2 + r^2 phi'^2).
TEST(OperationCounts, forces_are_compared_with_the_kinetic_energy) {
    const auto difference = [](std::vector<std::string> forces, const char* form) {
        return compute("operation-counts", {{"expressions", std::move(forces)},
                                            {"vary", {"r", "rp", "phip"}},
                                            {"kinetic", {"m/2*(rp^2 + r^2*phip^2)"}},
                                            {"q", {"r", "phi"}},
                                            {"v", {"rp", "phip"}},
                                            {"applied", {"0", "mom"}},
                                            {"form", {form}}})
            .numbers.at("difference")
            .at(0);
    };
    EXPECT_LT(difference({"m*r*phip^2", "mom"}, "momentum"), 1e-14);
    EXPECT_LT(difference({"m*r*phip^2", "mom - 2*m*r*rp*phip"}, "acceleration"), 1e-14);
    EXPECT_GT(difference({"m*r*phip^2", "mom"}, "acceleration"), 0.1);
    EXPECT_THROW(difference({"0", "0"}, "energy"), InputError);
}

}  // namespace
}  // namespace libration
