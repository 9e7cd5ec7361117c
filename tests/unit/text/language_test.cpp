// Messages in the language of a face.
#include "request/command_line.hpp"
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

namespace libration {
namespace {

std::string on_the_command_line(const std::string& message) { return told(message, CommandLine{}); }

TEST(Language, arguments_become_options) {
    EXPECT_EQ(on_the_command_line("give `step = H`, or `[run] step = H` in the model"),
              "give --step H, or [run] step = H in the model");
    EXPECT_EQ(on_the_command_line("let `project` move them"), "let --project move them");
    EXPECT_EQ(on_the_command_line("`stop_if = x < 0`: no"), "--stop-if \"x < 0\": no");
    EXPECT_EQ(on_the_command_line("`events = x rising`: no"), "--event \"x rising\": no");
    EXPECT_EQ(on_the_command_line("`vary = g = uniform(9, 10)`"), "--vary \"g = uniform(9, 10)\"");
    EXPECT_EQ(on_the_command_line("`set = g=1`"), "--set g=1");
    EXPECT_EQ(on_the_command_line("give `model`"), "give MODEL");
    EXPECT_EQ(on_the_command_line("must be `true` or `false`"), "must be true or false");
}

TEST(Language, commands_stand_in_quotes_with_their_options) {
    EXPECT_EQ(on_the_command_line("`libration methods` lists them"), "'libration methods' lists them");
    EXPECT_EQ(on_the_command_line("`libration run out=FILE.h5`"), "'libration run --out FILE.h5'");
    EXPECT_EQ(on_the_command_line("`libration multistep 8 search`"), "'libration multistep 8 --search'");
    EXPECT_EQ(on_the_command_line("`libration help multistep`"), "'libration help multistep'");
}

TEST(Language, what_is_no_reference_stays_as_it_is) {
    for (const auto* text : {"", "`", "``", "a `for` range", "`no such argument`", "a ` alone", "`step", "`Step`",
                             "--step 3 `", "`[` `[]`"}) {
        EXPECT_EQ(on_the_command_line(text), text);
    }
    EXPECT_EQ(on_the_command_line("the name ` is odd; give `step = H`"), "the name ` is odd; give --step H");
}

TEST(Mistake, is_told_with_argument_problem_remedy_and_place) {
    const InputError plain({.argument = "every", .value = "0", .problem = "it must be at least 1"});
    EXPECT_STREQ(plain.what(), "`every = 0`: it must be at least 1");
    EXPECT_EQ(plain.mistake().argument, "every");
    const auto source = std::make_shared<Source>(Source{"my.toml", "[run]\nstep = 0\n"});
    const InputError placed({.argument = "[run] step",
                             .value = "0",
                             .problem = "it must not be 0",
                             .remedy = "give `step = H`",
                             .place = {source, 2, 8, nullptr}});
    EXPECT_EQ(on_the_command_line(placed.what()),
              "my.toml:2:8: [run] step = 0: it must not be 0; give --step H\n    step = 0\n           ^");
    const InputError copy = placed;  // NOLINT: exceptions are copied
    EXPECT_EQ(copy.mistake().place.line, 2U);
}

TEST(Mistake, in_an_argument_needs_no_number_of_its_line) {
    const auto source = std::make_shared<Source>(Source{"`set = g=1/0`", "g=1/0", true});
    EXPECT_EQ(on_the_command_line(InputError({source, 1, 3, nullptr}, "not finite").what()),
              "--set g=1/0: not finite\n    g=1/0\n      ^");
}

}  // namespace
}  // namespace libration
