// Computations of the recipes of papers 000 and 003: right numbers, and a wrong formula is noticed.
#include "reproduce/computations/list.hpp"

#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace libration {
namespace {

using Values = std::map<std::string, std::vector<std::string>>;

Computed run(const std::string& what, const Values& values) {
    for (const auto& record : computations()) {
        if (record.name == what) {
            return record.compute({what, values});
        }
    }
    throw InputError("no computation " + what);
}

double one(const Computed& computed, const std::string& name) { return computed.numbers.at(name).at(0); }

TEST(Computations, tableau_counts_wrong_entries) {
    Values values{
        {"family", {"Lobatto IIIB"}},
        {"s", {"3"}},
        {"entries", {"0", "1/6", "-1/6", "0", "1/2", "1/6", "1/3", "0", "1", "1/6", "5/6", "0", "1/6", "2/3", "1/6"}}};
    EXPECT_EQ(one(run("tableau", values), "wrong"), 0);
    values["entries"][2] = "1/6";
    EXPECT_EQ(one(run("tableau", values), "wrong"), 1);
    EXPECT_NEAR(one(run("tableau", values), "difference"), 1.0 / 3, 1e-15);
    values["entries"][2] = "";
    EXPECT_EQ(one(run("tableau", values), "missing"), 1);
    values["entries"].pop_back();
    EXPECT_THROW(run("tableau", values), InputError);
    values["family"] = {"Lobatto IIIE"};
    EXPECT_THROW(run("tableau", values), InputError);
}

TEST(Computations, tableau_reads_roots) {
    const auto result = run("tableau", {{"family", {"Gauss"}},
                                        {"s", {"2"}},
                                        {"entries",
                                         {"1/2 - sqrt(3)/6", "1/4", "1/4 - sqrt(3)/6", "1/2 + sqrt(3)/6",
                                          "1/4 + sqrt(3)/6", "1/4", "1/2", "1/2"}}});
    EXPECT_EQ(one(result, "wrong"), 0);
    EXPECT_EQ(result.tables.at(0).rows.at(0).at(1), "1/4");
}

TEST(Computations, node_formulas_know_what_is_not_real) {
    Values values{{"s", {"4"}}, {"formulas", {"d = sqrt(1/20)"}}, {"nodes", {"0", "1/2 - d", "1/2 + d", "1"}}};
    const auto right = run("node-formulas", values);
    EXPECT_LT(one(right, "difference"), 1e-15);
    EXPECT_EQ(one(right, "ordered"), 1);
    values["formulas"] = {"d = -sqrt(1/20)"};
    EXPECT_EQ(one(run("node-formulas", values), "ordered"), 0);
    values["formulas"] = {"d = acos(20)"};
    EXPECT_EQ(one(run("node-formulas", values), "real"), 0);
    EXPECT_TRUE(std::isnan(one(run("node-formulas", values), "difference")));
}

TEST(Computations, a_wrong_sigma_is_noticed) {
    Values values{{"k", {"4"}},
                  {"sigma", {"0", "(7 + s1)/6", "(-1 + 5*s1)/3", "(7 + s1)/6", "0"}},
                  {"momentum", {"-1/12", "7/12", "7/12", "-1/12"}}};
    EXPECT_LT(one(run("multistep-coefficients", values), "sigma_difference"), 1e-15);
    values["sigma"][2] = "(-1 + 4*s1)/3";  // the same at a1 = 0
    EXPECT_GT(one(run("multistep-coefficients", values), "sigma_difference"), 0.1);
}

TEST(Computations, roots_of_methods_a_and_b) {
    EXPECT_EQ(one(run("multistep-roots", {{"a", {"-0.7", "0.4"}}}), "sigma_holds"), 1);
    const auto bad = run("multistep-roots", {{"a", {"-0.1", "0.4"}}});
    EXPECT_EQ(one(bad, "sigma_holds"), 0);
    EXPECT_NEAR(one(bad, "largest_root"), 1.31457, 5e-6);
}

// A parameter that is no fraction: decimals, and the right ones.
TEST(Computations, coefficients_of_irrational_parameters_are_decimals) {
    const auto found = run("multistep-roots", {{"a", {"-0.7", "sqrt(0.16)"}}});
    const auto exact = run("multistep-roots", {{"a", {"-0.7", "0.4"}}});
    EXPECT_NE(exact.tables.at(0).rows.at(1).at(1).find("/5"), std::string::npos);
    for (std::size_t j = 0; j < 7; ++j) {
        EXPECT_NEAR(std::stod(found.tables.at(0).rows.at(j).at(1)), exact.numbers.at("rho")[j], 1e-14);
        EXPECT_NEAR(std::stod(found.tables.at(0).rows.at(j).at(2)), exact.numbers.at("sigma")[j], 1e-14);
    }
}

// Known from the formula of four steps, and from a fine scan of six: see 000-periodicity.
TEST(Computations, periodicity_of_four_and_six_steps) {
    const auto four =
        run("multistep-periodicity", {{"a1", {"-0.5", "0.5"}}, {"formula", {"sqrt(6*(1 - a1)/(2 - a1))"}}});
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_NEAR(four.numbers.at("omega")[i], four.numbers.at("formula")[i], 1e-13);
    }
    EXPECT_NEAR(one(run("multistep-periodicity", {{"a1", {"-0.85"}}, {"a2", {"-0.99"}}}), "omega"), 0.14, 5e-4);
    EXPECT_THROW(run("multistep-periodicity", {{"a1", {"0.1", "0.2"}}, {"a2", {"0.3"}}}), InputError);
}

// A starter of order 2 makes a method of order 6 one of order 2; one of order 8 does not.
TEST(Computations, starters_show_in_the_order) {
    const auto result = run("multistep-starter", {{"model", {"triple-pendulum"}},
                                                  {"method", {"multistep(6, -0.7, 0.4)"}},
                                                  {"from", {"1"}},
                                                  {"steps", {"0.01", "0.005"}},
                                                  {"duration", {"10"}},
                                                  {"starters", {"rattle", "10 * rattle", "lobatto(5)"}},
                                                  {"powers", {"2"}}});
    EXPECT_NEAR(one(result, "order_1"), 2, 0.2);
    EXPECT_NEAR(one(result, "order_2"), 2, 0.2);
    EXPECT_NEAR(result.numbers.at("energy_1")[1] / result.numbers.at("energy_2")[1], 100, 2);
    EXPECT_GT(one(result, "order_3"), 5.8);
    // Exact positions, multipliers with errors of h^2: the energy loses h^3, more or less, as the error oscillates.
    EXPECT_NEAR(one(result, "multipliers_order_2"), 3, 0.5);
    EXPECT_GT(result.numbers.at("multipliers_2")[1], 1000 * result.numbers.at("energy_3")[1]);
}

TEST(Computations, starters_and_powers_must_make_sense) {
    Values values{{"model", {"triple-pendulum"}},
                  {"method", {"multistep(6, -0.7, 0.4)"}},
                  {"steps", {"0.01"}},
                  {"duration", {"0.1"}}};
    for (const char* wrong : {"0 * rattle", "-2 * rattle", "1.5 * rattle", "many * rattle"}) {
        values["starters"] = {wrong};
        try {
            run("multistep-starter", values);
            ADD_FAILURE() << wrong;
        } catch (const InputError& error) {  // of the number, not of a step that fails
            EXPECT_NE(std::string(error.what()).find("number of substeps"), std::string::npos) << error.what();
        }
    }
    values["starters"] = {"2 * rattle"};
    EXPECT_GT(one(run("multistep-starter", values), "energy_1"), 0);
    values["powers"] = {"0"};
    EXPECT_THROW(run("multistep-starter", values), InputError);
}

// Jay 1996, section 4: the multipliers of the last stage are of order s - 1.
TEST(Computations, multipliers_of_the_last_stage) {
    const auto result = run("stage-multipliers", {{"model", {"double-pendulum"}},
                                                  {"methods", {"radau(2)", "lobatto(3)"}},
                                                  {"steps", {"0.025", "0.0125", "0.00625"}},
                                                  {"at", {"5"}},
                                                  {"reference", {"0.78911449973640482302", "0.35883744060380418136"}}});
    // An error c h^k (1 + d h) shows the order k + d h/(2 log 2): extrapolation to h = 0 takes that away, and leaves
    // about its square, which is less than 0.05^2.
    for (const int k : {1, 2}) {
        const auto& orders = result.numbers.at("order_" + std::to_string(k));
        EXPECT_NEAR(orders.at(0), k, 0.05);
        EXPECT_NEAR(2 * orders.at(1) - orders.at(0), k, 0.0025);
    }
}

}  // namespace
}  // namespace libration
