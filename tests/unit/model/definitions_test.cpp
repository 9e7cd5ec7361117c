// [definitions] and [set]: what they stand for.
#include "model/model_values.hpp"
#include <libration/model/model.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace libration {
namespace {

std::string model_with_definitions(const std::string& definitions, const std::string& dynamics,
                                   const std::string& rest = {}) {
    return fmt::format(
        "[parameters]\nk = 2\n[coordinates]\nq = [\"x\", \"y\"]\n[definitions]\n{}\n[dynamics]\nmass = 1\n{}\n"
        "[initial]\nq = [1, 0]\n{}\n",
        definitions, dynamics, rest);
}

Model read(const std::string& text, const std::vector<std::pair<std::string, std::string>>& overrides = {}) {
    return Model::parse(text, "model", overrides);
}

std::string fault(const std::string& text) {
    try {
        (void)read(text);
    } catch (const InputError& error) {
        return error.what();
    }
    return "no fault";
}

TEST(Definitions, AreTheSameNodesAsWhatTheyStandFor) {
    const auto named = read(model_with_definitions("b = \"a*a + k\"\na = \"sin(x) + t\"", "potential = \"b + a\""));
    const auto plain = read(model_with_definitions("", "potential = \"(sin(x) + t)*(sin(x) + t) + k + (sin(x) + t)\""));
    EXPECT_EQ(named.potential.at(0).formula.kernel, plain.potential.at(0).formula.kernel);
    EXPECT_EQ(named.potential.at(0).indices, plain.potential.at(0).indices);
    EXPECT_TRUE(named.potential.at(0).uses_time);
}

TEST(Definitions, OfAChainOfSquaresStayLinear) {
    std::string chain = "s0 = \"x\"\n";
    for (int k = 1; k <= 100; ++k) {
        chain += fmt::format("s{0} = \"s{1}*s{1} + s{1}\"\n", k, k - 1);
    }
    const auto model = read(model_with_definitions(chain, "potential = \"s100\""));
    EXPECT_LT(sorted_nodes(std::array{model.potential.at(0).formula.kernel}).size(), 300U);
}

TEST(Definitions, MayComeInAnyOrderAndInLongChains) {
    std::string reversed;
    constexpr int length = 5000;
    for (int k = length; k > 0; --k) {
        reversed += fmt::format("s{} = \"s{} + y/{}\"\n", k, k - 1, k);
    }
    const auto model = read(model_with_definitions(reversed + "s0 = \"x\"", fmt::format("potential = \"x^2\"")));
    EXPECT_EQ(symbols_of(std::array{model.formula(fmt::format("s{}", length), "the sum")}).size(), 2U);
}

TEST(Definitions, MayBeVectors) {
    const auto text = "[points]\nr = { count = 2, dimension = 2, mass = 1 }\n[definitions]\nd = \"r[1] - r[0]\"\n"
                      "[dynamics]\npotential = \"norm2(d) + d.x\"\n[initial.r]\nfor = \"i in 0..1\"\nq = [\"i\", 0]\n";
    const auto model = read(text);
    EXPECT_EQ(model.formula("norm2(d) + d.x", "it"), model.formula("norm2(r[1] - r[0]) + (r[1].x - r[0].x)", "it"));
}

TEST(Definitions, MayContainMultipliersWhereTheseAreKnown) {
    const auto model =
        read(model_with_definitions("a = \"lambda_rod + b\"\nb = \"v_x\"", "constraints = { rod = \"x^2 + y^2 - 1\" }",
                                    "[observables]\nT = \"a\""));
    EXPECT_EQ(model.observables.at(0).value, symbol("lambda_rod") + symbol("v_x"));
}

TEST(Definitions, AreRefusedWhereTheirContentsCannotBeUsed) {
    const auto rod = std::string("constraints = { rod = \"x^2 + y^2 - 1\" }\n");
    EXPECT_NE(fault(model_with_definitions("a = \"2*b\"\nb = \"p_x\"", "potential = \"a\"")).find("'a' contains 'p_x'"),
              std::string::npos);
    EXPECT_NE(fault(model_with_definitions("a = \"t\"", "", "v = [\"a\", 0]")).find("'a' contains 't'"),
              std::string::npos);
    EXPECT_NE(fault(model_with_definitions("a = \"lambda_rood\"", rod)).find("did you mean 'lambda_rod'"),
              std::string::npos);
    EXPECT_NE(fault(model_with_definitions("a = \"b\"\nb = \"c\"\nc = \"b\"", rod)).find("circularly: b -> c -> b"),
              std::string::npos);
}

TEST(Definitions, ShareTheirNamesWithNothing) {
    const auto term = std::string("[[energy]]\nfor = \"i in 0..3\"\nterm = \"i*x\"");
    EXPECT_NE(fault(model_with_definitions("i = 3", "", term)).find("'i' cannot be used: it is already a definition"),
              std::string::npos);
    EXPECT_NE(fault(model_with_definitions("pi = 3", "")).find("pi is the number pi"), std::string::npos);
}

TEST(ReplacedValues, OfTheFileHoldUnlessOthersAreGiven) {
    const auto text = model_with_definitions("", "potential = \"x\"", "[set]\nk = 3\nx = \"1/2\"\nv_y = 0.25");
    const auto own = read(text);
    EXPECT_EQ(parameter_values<double>(own).values.at(0), 3);
    EXPECT_EQ(initial_state<double>(own).q, (std::vector<double>{0.5, 0}));
    EXPECT_EQ(initial_state<double>(own).velocity, (std::vector<double>{0, 0.25}));
    const auto other = read(text, {{"x", "2"}});
    EXPECT_EQ(initial_state<double>(other).q, (std::vector<double>{2, 0}));
    EXPECT_EQ(other.overrides.size(), 3U);
    EXPECT_EQ(read(own.text, own.overrides).overrides, own.overrides);
}

}  // namespace
}  // namespace libration
