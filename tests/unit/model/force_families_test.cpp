// Forces over indices, and on all components of a point at once.
#include "faults.hpp"
#include "same_model.hpp"

#include <libration/expression/parse.hpp>
#include <libration/model/to_text.hpp>

#include <gtest/gtest.h>

namespace libration::force_families_test {
namespace {

std::string model_with(const std::string& force, const std::string& n = "3") {
    return "[parameters]\nn = " + n + R"(
c = 0.5
k = [1, 2, 4]
bonds = [[0, 1], [1, 2]]
[coordinates]
q = ["h"]
[points]
r = { count = "n", dimension = 2, mass = 1 }
[dynamics]
mass = 1
potential = "h^2"
[[forces]]
name = "f"
class = "dissipative"
)" + force +
           R"(
[initial]
q = [0]
[initial.r]
for = "i in 0..n-1"
q = ["i", 0]
v = [1, "i"]
)";
}

std::map<std::string, Expression> components(const std::string& force, const std::string& n = "3") {
    const auto model = Model::parse(model_with(force, n), "test.toml");
    std::map<std::string, Expression> found;
    for (const auto& [coordinate, value] : model.forces.at(0).on) {
        EXPECT_TRUE(found.emplace(model.coordinate_name(coordinate), value.value).second);
    }
    return found;
}

void expect_same(const std::string& family, const std::string& single) {
    const auto model = Model::parse(model_with(family), "test.toml");
    const auto same = Model::parse(model_with(single), "test.toml");
    expect_same_model(model, same);
    expect_same_run(model, same, "spark(2)", 0.01, 5);
    expect_same_model(model, Model::parse(text_from_data(model), "again.toml"));
}

TEST(ForceFamily, is_what_its_members_are_one_by_one) {
    expect_same("for = \"i in 0..n-1\"\non = { \"r[i].x\" = \"-c*k[i]*v_r[i].x\" }\n",
                "on = { \"r[0].x\" = \"-c*k[0]*v_r[0].x\", \"r[1].x\" = \"-c*k[1]*v_r[1].x\", \"r[2].x\" = "
                "\"-c*k[2]*v_r[2].x\" }\n");
    expect_same("for = \"i in 1..n-1, j in 0..i-1\"\non = { \"r[i].x\" = \"-c*v_r[j].y\" }\n",
                "on = { \"r[1].x\" = \"-c*v_r[0].y\", \"r[2].x\" = \"-c*v_r[0].y + -c*v_r[1].y\" }\n");
}

TEST(ForceFamily, acts_on_all_components_of_a_point) {
    expect_same("for = \"i in 0..1\"\non = { \"r[i]\" = \"-c*v_r[i]\" }\n",
                "on = { \"r[0].x\" = \"-c*v_r[0].x\", \"r[0].y\" = \"-c*v_r[0].y\", \"r[1].x\" = \"-c*v_r[1].x\", "
                "\"r[1].y\" = \"-c*v_r[1].y\" }\n");
    expect_same("on = { \"r[2]\" = [\"-c*v_r[2].x\", 0] }\n",
                "on = { \"r[2].x\" = \"-c*v_r[2].x\", \"r[2].y\" = 0 }\n");
}

TEST(ForceFamily, adds_up_where_members_meet) {
    const auto found = components("for = \"(i, j) in bonds\"\non = { \"r[i]\" = \"c*(v_r[j] - v_r[i])\", \"r[j]\" = "
                                  "\"c*(v_r[i] - v_r[j])\", h = \"-c*v_h\" }\n");
    ASSERT_EQ(found.size(), 7U);
    EXPECT_EQ(found.at("h"), parse("-c*v_h") + parse("-c*v_h"));
    // Action and reaction: the sum over all points vanishes for any velocities.
    const auto total = found.at("r[0].x") + found.at("r[1].x") + found.at("r[2].x");
    const auto symbols = symbols_of(std::array{total});
    std::vector<Expression> numbers;
    for (std::size_t k = 0; k < symbols.size(); ++k) {
        numbers.push_back(ratio(static_cast<std::int64_t>(1 + k * k), 1));
    }
    EXPECT_TRUE(substitute(total, symbols, numbers).is_constant(0)) << to_string(total);
}

TEST(ForceFamily, over_nothing_is_no_force_but_its_names_are_checked) {
    const auto found = components("for = \"i in 1..n-1\"\non = { \"r[i].x\" = \"-c*v_r[i].x\" }\n", "1");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_TRUE(found.at("h").is_constant(0));
    expect_fault(model_with("for = \"i in 2..1\"\non = { \"r[i].x\" = \"-cc*v_r[i].x\" }\n"), "unknown name 'cc'");
    expect_fault(model_with("for = \"i in 0..1\"\non = {}\n"), "acts on nothing");
}

TEST(ForceFamily, follows_the_number_of_points) {
    const auto text = model_with("for = \"i in 0..n-1\"\non = { \"r[i].x\" = \"-c*v_r[i].x\" }\n");
    const auto model = Model::parse(text, "test.toml");
    EXPECT_EQ(model.forces[0].on.size(), 3U);
    EXPECT_EQ(model.with({{"n", "2"}}).forces[0].on.size(), 2U);
    EXPECT_EQ(model.with({{"c", "2"}}).forces[0].on.size(), 3U);
}

TEST(ForceFamily, that_does_not_fit_is_refused_at_its_place) {
    expect_fault(model_with("for = \"i in 0..n\"\non = { \"r[i].x\" = \"-c\" }\n"),
                 "in the force 'f' on r[i].x with i = 3: r[3] does not exist; the points are numbered 0 to 2",
                 "test.toml:17:9");
    expect_fault(model_with("on = { \"r[i].x\" = \"-c\" }\n"), "unknown name 'i'", "test.toml:16:11");
    expect_fault(model_with("for = \"i in 0..1\"\non = { \"r[i]\" = \"-c\" }\n"), "has 1 component for 2 coordinates");
    expect_fault(model_with("for = \"i in 0..1\"\non = { \"r[i].x\" = \"-c*v_r[i]\" }\n"),
                 "has 2 components for 1 coordinate");
    expect_fault(model_with("for = \"i in 0..1\"\non = { \"2*r[i].x\" = \"-c\" }\n"), "is not a coordinate");
    expect_fault(model_with("on = { \"r[0]\" = \"-c*v_r[0]\", \"r[0].x\" = \"-c\" }\n"), "given twice on r[0].x");
    expect_fault(model_with("for = \"(i, j) in bond\"\non = { \"r[i].x\" = \"-c\" }\n"), "there is no table 'bond'");
    expect_fault(model_with("fr = \"i in 0..1\"\non = { h = \"-c\" }\n"), "unknown key 'fr'");
}

}  // namespace
}  // namespace libration::force_families_test
