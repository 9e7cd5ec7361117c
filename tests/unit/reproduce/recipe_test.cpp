// Recipes: what is read, what is refused, and that an item fails when its numbers do not come out.
#include "reproduce/numbers.hpp"

#include "analysis/interruption.hpp"
#include "reproduce/reproduce.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace libration {
namespace {

std::string message_of(const std::string& text, bool quick = false) {
    try {
        (void)parse_recipe(text, "test", quick);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Verlet on the harmonic oscillator (omega = 1, h = 0.1): the modified frequency is (2/h) asin(h/2) exactly.
std::string recipe(const std::string& more_run, const std::string& check, const std::string& head = "") {
    return "title = \"oscillator\"\n" + head + R"toml(
[[run]]
name = "a"
model = "harmonic-oscillator"
method = "verlet"
step = [0.2, 0.1, 0.05]
duration = 10
)toml" + more_run +
           "\n[[check]]\nwhat = \"w\"\n" + check;
}

const std::string good_check =
    "value = \"a.energy_max_order\"\nexpected = 2\nabsolute = 0.1\nwhy = \"the next term is of order h^2\"\n";

TEST(Recipe, measures_and_judges) {
    const auto item = reproduce(parse_recipe(recipe("", good_check), "test", false));
    EXPECT_EQ(item.verdict, ItemVerdict::reproduced) << item.fault;
    ASSERT_EQ(item.checks.size(), 1U);
    ASSERT_EQ(item.checks[0].rows.size(), 2U);
    EXPECT_NEAR(item.checks[0].rows[1].measured, 2, 0.1);
    EXPECT_EQ(item.commands.size(), 3U);
    EXPECT_EQ(item.commands[1].command, "libration run harmonic-oscillator --method verlet --step 0.1 --duration 10");
}

TEST(Recipe, fails_with_a_wrong_number) {
    const auto item = reproduce(parse_recipe(
        recipe("", "value = \"a.energy_max_order\"\nexpected = 3\nabsolute = 0.1\nwhy = \"w\"\n"), "test", false));
    EXPECT_EQ(item.verdict, ItemVerdict::failed);
}

TEST(Recipe, bounds_are_bounds) {
    const auto verdict = [](const std::string& bounds) {
        const auto text = recipe("", "value = \"a.steps[0]\"\nwhy = \"w\"\n" + bounds);
        return reproduce(parse_recipe(text, "test", false)).verdict;
    };
    EXPECT_EQ(verdict("below = 51\nabove = 49\n"), ItemVerdict::reproduced);
    EXPECT_EQ(verdict("below = 50\n"), ItemVerdict::failed);
    EXPECT_EQ(verdict("above = 50\n"), ItemVerdict::failed);
    EXPECT_EQ(verdict("below = 51\nprinted = 50\n"), ItemVerdict::reproduced);
    EXPECT_EQ(verdict("below = 51\nprinted = 7\n"), ItemVerdict::failed) << "printed is compared in any case";
    EXPECT_EQ(verdict("below = 50\nexpected = 50\n"), ItemVerdict::failed) << "both, where both are given";
}

TEST(Recipe, fails_when_a_run_fails_or_a_number_is_missing) {
    const auto missing =
        reproduce(parse_recipe(recipe("", "value = \"a.nothing\"\nexpected = 3\nwhy = \"w\"\n"), "test", false));
    EXPECT_EQ(missing.verdict, ItemVerdict::failed);
    EXPECT_TRUE(contains(missing.checks[0].fault, "has no number 'nothing'")) << missing.checks[0].fault;
    auto text = recipe("", good_check);
    text.replace(text.find("verlet"), 6, "multistep(6, -0.1, 0.4)");
    text.replace(text.find("harmonic-oscillator"), 19, "triple-pendulum");
    EXPECT_EQ(reproduce(parse_recipe(text, "test", false)).verdict, ItemVerdict::failed);
}

TEST(Recipe, a_run_that_may_fail_is_a_result) {
    const std::string text = R"toml(
title = "explosion"
[[run]]
name = "b"
model = "triple-pendulum"
method = "multistep(6, -0.1, 0.4)"
step = 0.01
steps = 200
force = true
may_fail = true
[[check]]
what = "it fails"
value = "b.failed"
expected = 1
why = "yes or no"
[[check]]
what = "the step that fails"
value = "b.failure_step"
expected = 135
absolute = 10
why = "ln(1e16)/ln(1.3146) = 135, and it starts from a round-off of a few units"
)toml";
    const auto item = reproduce(parse_recipe(text, "test", false));
    EXPECT_EQ(item.verdict, ItemVerdict::reproduced) << item.fault << item.checks[0].fault;
}

TEST(Recipe, corrected_means_that_the_print_does_not_come_out) {
    const std::string head = "verdict = \"corrected\"\nremark = \"r\"\n";
    const std::string corrected =
        "value = \"a.energy_max_order[1]\"\nabsolute = 0.1\nexpected = 2\nkind = \"corrected\"\nwhy = \"w\"\n";
    EXPECT_EQ(reproduce(parse_recipe(recipe("", corrected + "printed = 3\n", head), "test", false)).verdict,
              ItemVerdict::corrected);
    const auto agrees = reproduce(parse_recipe(recipe("", corrected + "printed = 2.05\n", head), "test", false));
    EXPECT_EQ(agrees.verdict, ItemVerdict::failed);
    EXPECT_TRUE(contains(agrees.checks[0].fault, "after all"));
}

TEST(Recipe, an_item_is_shown_by_the_check_that_gives_it_its_name) {
    const auto two = recipe("", good_check, "verdict = \"corrected\"\nremark = \"r\"\n") +
                     "[[check]]\nwhat = \"second\"\nvalue = \"a.steps[0]\"\nexpected = 50\nprinted = 40\nkind = "
                     "\"corrected\"\nwhy = \"w\"\n";
    const auto item = reproduce(parse_recipe(two, "test", false));
    ASSERT_NE(headline(item), nullptr) << item.fault;
    EXPECT_EQ(headline(item)->what, "second");
    auto wrong = two;
    wrong.replace(wrong.find("absolute = 0.1"), 14, "absolute = 0.0");
    EXPECT_EQ(headline(reproduce(parse_recipe(wrong, "test", false)))->what, "w");
    EXPECT_EQ(headline(ItemResult{}), nullptr);
}

TEST(Recipe, quick_replaces_keys_and_leaves_checks_out) {
    const auto text =
        recipe("quick = { step = [0.5], steps = 4 }\n",
               good_check + "quick = false\n[[check]]\nwhat = \"n\"\nvalue = \"a.steps\"\nexpected = [50, "
                            "100, 200]\nwhy = \"counts\"\nquick = { expected = 4 }\n");
    EXPECT_EQ(reproduce(parse_recipe(text, "test", false)).verdict, ItemVerdict::reproduced);
    const auto quick = reproduce(parse_recipe(text, "test", true));
    EXPECT_EQ(quick.verdict, ItemVerdict::reproduced) << quick.fault;
    EXPECT_EQ(quick.checks.size(), 1U);
    EXPECT_TRUE(contains(message_of(recipe("", good_check + "quick = false\n"), true), "checks nothing with `quick`"));
}

TEST(Recipe, refuses_what_would_check_nothing) {
    EXPECT_TRUE(contains(message_of(recipe("", "value = \"a.steps\"\n")), "needs numbers to compare with"));
    const std::string plain = "value = \"a.steps[0]\"\nwhy = \"w\"\n";
    EXPECT_EQ(message_of(recipe("", plain + "expected = 50\n")), "");
    EXPECT_TRUE(contains(message_of(recipe("", "value = \"a.steps\"\nexpected = 50\n")), "why"));
    for (const auto* nothing :
         {"expected = inf", "expected = nan", "below = inf", "above = -inf", "expected = 50\nrelative = inf",
          "expected = 50\nrelative = 2", "expected = 50\nabsolute = inf", "expected = 50\nabsolute = 51",
          "expected = 50\nabsolute = -1", "expected = []", "printed = nan"}) {
        EXPECT_NE(message_of(recipe("", plain + nothing + "\n")), "") << nothing;
    }
    for (const auto* wrong : {"keep = 0", "every = 0", "set = \"x\"", "measure = 3", "edit = \"a\"", "analyse = 1",
                              "measure.t = { take = \"last\", of = \"q\" }", "quick = 3", "quick = { foo = 1 }",
                              "set = { omega = [] }", "set = { omega = [1, 2] }"}) {
        EXPECT_NE(message_of(recipe(std::string(wrong) + "\n", plain + "expected = 50\n")), "") << wrong;
    }
    EXPECT_TRUE(contains(message_of(recipe("", good_check + "absolut = 1\n")), "absolut"));
    EXPECT_TRUE(contains(message_of(recipe("measure.x = { take = \"larges\", of = \"q\" }\n", good_check)),
                         "did you mean 'largest'"));
    EXPECT_TRUE(contains(message_of(recipe("", good_check, "verdict = \"statistical\"\n")), "needs a remark"));
    EXPECT_TRUE(
        contains(message_of(recipe("", good_check, "verdict = \"corrected\"\nremark = \"r\"\n")), "most severe kind"));
    EXPECT_TRUE(contains(message_of(recipe("", good_check + "kind = \"corrected\"\n")), "most severe kind"));
    EXPECT_TRUE(contains(message_of("title = \"t\"\n"), "checks nothing"));
}

TEST(Recipe, edits_must_hit_once) {
    const auto item =
        reproduce(parse_recipe(recipe("edit = [[\"not in the file\", \"x\"]]\n", good_check), "test", false));
    EXPECT_EQ(item.verdict, ItemVerdict::failed);
    EXPECT_TRUE(contains(item.fault, "not occur exactly once")) << item.fault;
}

TEST(Recipe, stops_when_asked) {
    StopSignal stop;
    stop.request();
    const Interruptible watching(stop);
    EXPECT_THROW(reproduce(parse_recipe(recipe("", good_check), "test", false)), Interrupted);
}

// Each of these is judged, and must not pass.
TEST(Recipe, values_that_measure_nothing_fail) {
    for (const auto* value : {"0.5", "0*a.steps[0] + 0.5", "max(a.nan, 0.5)"}) {
        const auto text = recipe("measure.nan = { take = \"largest\", of = \"log(-1 - q^2)\" }\n",
                                 fmt::format("value = \"{}\"\nexpected = 0.5\nwhy = \"w\"\n", value));
        EXPECT_EQ(reproduce(parse_recipe(text, "test", false)).verdict, ItemVerdict::failed) << value;
    }
}

TEST(Recipe, a_run_without_steps_and_a_time_that_was_not_reached_fail) {
    auto long_step = recipe("", "value = \"a.steps[0]\"\nexpected = 0\nwhy = \"w\"\n");
    long_step.replace(long_step.find("[0.2, 0.1, 0.05]"), 16, "1e300");
    EXPECT_TRUE(contains(reproduce(parse_recipe(long_step, "test", false)).fault, "takes no steps"));
    const auto late = recipe("measure.x = { take = \"value\", of = \"t\", at = 12 }\n",
                             "value = \"a.x\"\nexpected = 10\nwhy = \"w\"\n");
    EXPECT_TRUE(contains(reproduce(parse_recipe(late, "test", false)).fault, "no state near t = 12"));
}

TEST(Recipe, one_run_for_each_value_of_a_parameter) {
    const std::string text = R"toml(
title = "periods"
[[run]]
name = "a"
model = "harmonic-oscillator"
method = "verlet"
set = { omega = [1, 2, 4] }
step = 0.01
duration = 1
[[check]]
what = "energies at the start"
value = ["a.energy_initial[1]/a.energy_initial[0]", "a.energy_initial[2]/a.energy_initial[0]"]
expected = [4, 16]
relative = 1e-12
why = "H = omega^2 q^2/2 where p = 0"
[[check]]
what = "their mean"
value = "a.energy_initial_mean/a.energy_initial[0]"
expected = 7
relative = 1e-12
why = "(1 + 4 + 16)/3"
)toml";
    const auto item = reproduce(parse_recipe(text, "test", false));
    EXPECT_EQ(item.verdict, ItemVerdict::reproduced) << item.fault;
    ASSERT_EQ(item.commands.size(), 3U);
    EXPECT_TRUE(contains(item.commands[2].command, "--set omega=4")) << item.commands[2].command;
}

TEST(Recipe, a_figure_that_cannot_be_drawn_fails_the_item) {
    const auto text =
        recipe("", good_check + "[[figure]]\nseries = [{ x = [0, 1], y = [1, 2], colour = \"no colour!\" }]\n");
    const auto item = reproduce(parse_recipe(text, "test", false));
    EXPECT_EQ(item.verdict, ItemVerdict::failed);
    EXPECT_FALSE(item.fault.empty());
}

TEST(Recipe, computations_refuse_arguments_that_they_do_not_know) {
    const std::string text = R"toml(
title = "roots"
[[compute]]
name = "c"
what = "multistep-roots"
a = [-0.7, 0.4]
nonsense = 3
[[check]]
what = "largest root"
value = "c.largest"
expected = 1
why = "w"
)toml";
    const auto item = reproduce(parse_recipe(text, "test", false));
    EXPECT_TRUE(contains(item.fault, "nonsense")) << item.fault;
}

TEST(Recipe, draws_runs_numbers_and_lists) {
    const auto text = recipe("keep = 10\n", good_check + R"toml(
[[figure]]
title = "f"
series = [{ run = "a", index = 1, x = "t", y = "energy_error" }, { x = "a.step", y = "a.energy_max" },
          { x = [0, 1], y = [2, 3], style = "guide" }]
)toml");
    const auto item = reproduce(parse_recipe(text, "test", false));
    ASSERT_EQ(item.pictures.size(), 1U) << item.fault;
    const auto& series = item.pictures[0].figure.series;
    ASSERT_EQ(series.size(), 3U);
    EXPECT_EQ(series[0].x.size(), 11U);  // 101 nodes, every tenth
    EXPECT_NEAR(series[0].x.back(), 10, 1e-12);
    EXPECT_EQ(series[1].x, (std::vector<double>{0.2, 0.1, 0.05}));
    EXPECT_EQ(series[2].style, plot::Style::guide);
}

TEST(Recipe, unknown_items_are_answered_with_suggestions) {
    try {
        (void)recipes_named({"000-fgi2"}, false);
        FAIL();
    } catch (const InputError& error) {
        EXPECT_TRUE(contains(error.what(), "did you mean '000-fig2'")) << error.what();
    }
}

TEST(Recipe, built_in_items_fail_with_another_step) {
    auto recipe = built_in_recipe("001-fig3.1", true);
    EXPECT_EQ(reproduce(recipe).verdict, ItemVerdict::reproduced);
    recipe.runs.at(0).step = {"0.022"};
    EXPECT_EQ(reproduce(recipe).verdict, ItemVerdict::failed);
    EXPECT_THROW((void)built_in_recipe("001"), InputError);
}

TEST(Recipe, all_that_are_built_in_can_be_read_both_ways) {
    EXPECT_EQ(recipes_named({}, false).size(), recipes_named({}, true).size());
    EXPECT_EQ(recipes_named({}, false).size(), 51U);
}

TEST(RecipeNumbers, are_taken_element_by_element) {
    Numbers numbers;
    numbers.set("a", "x", {1, 2, 3});
    numbers.set("b", "c", {10});
    EXPECT_EQ(numbers.evaluate("a.x*b.c + 1"), (std::vector<double>{11, 21, 31}));
    EXPECT_EQ(numbers.evaluate("a.x[2] - b.c"), (std::vector<double>{-7}));
    EXPECT_THROW((void)numbers.evaluate("a.x[3]"), InputError);
    EXPECT_THROW((void)numbers.evaluate("a.y"), InputError);
    EXPECT_THROW((void)numbers.evaluate("c.y"), InputError);
    numbers.set("b", "d", {1, 2});
    EXPECT_THROW((void)numbers.evaluate("a.x + b.d"), InputError);
}

}  // namespace
}  // namespace libration
