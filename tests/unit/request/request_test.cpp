// Tables of requests: values, checks, completion, restarts, command lines.
#include "request/arguments.hpp"
#include "request/assignments.hpp"
#include "request/command_line.hpp"
#include "request/ensemble_request.hpp"
#include <libration/integrate/run_settings.hpp>

#include <gtest/gtest.h>

#include <set>

namespace libration {
namespace {

template <class Action>
std::string message_of(Action action) {
    try {
        action();
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

const RequestField<RunRequest>& field_named(std::string_view name) {
    return *std::ranges::find(run_fields, name, &RequestField<RunRequest>::name);
}

TEST(Request, names_are_unique_within_a_task_and_mean_the_same_kind_in_all) {
    std::map<std::string_view, FieldKind> kinds;
    for (const auto* task : {"run", "ensemble", "certify", "compare", "analyse", "reproduce"}) {
        std::set<std::string_view> names;
        for (const auto& argument : arguments_of(task)) {
            EXPECT_TRUE(names.insert(argument.name).second) << task << " " << argument.name;
            EXPECT_FALSE(argument.help.empty()) << argument.name;
            if (argument.kind != FieldKind::position) {  // a method may be a position, and its text is the same
                EXPECT_EQ(kinds.try_emplace(argument.name, argument.kind).first->second, argument.kind)
                    << argument.name;
            }
        }
        EXPECT_GT(names.size(), 5U) << task;
    }
    EXPECT_FALSE(argument_named("stepp"));
}

TEST(Request, values_are_read_from_texts_and_written_to_the_same) {
    RunRequest request;
    for (const auto& [name, text] :
         {std::pair{"step", "0.1"}, {"steps", "1000"}, {"method", "rattle"}, {"project", "1"}}) {
        read_text(request, field_named(name), text);
        EXPECT_EQ(text_of(request, field_named(name)), text);
    }
    EXPECT_EQ(*request.step, 0.1);
    EXPECT_FALSE(is_given(request, field_named("duration")));
    EXPECT_EQ(message_of([&] { read_text(request, field_named("step"), "0,1"); }),
              "`step = 0,1`: expected a number such as 0.01 or 1e-3");
    EXPECT_EQ(message_of([&] { read_text(request, field_named("steps"), "2.5"); }),
              "`steps = 2.5`: expected a whole number");
    EXPECT_EQ(message_of([&] { read_text(request, field_named("steps"), "99999999999999999999"); }),
              "`steps = 99999999999999999999`: the number is too large");
    read_text(request, field_named("steps"), "2.5e3");
    EXPECT_EQ(*request.steps, 2500);
}

TEST(Request, the_table_checks_words_endings_and_limits) {
    const auto check = [](RunRequest request) {
        return message_of([&] { check_fields<RunRequest>(request, run_fields); });
    };
    EXPECT_EQ(check({.out = "a.h5", .adaptive = "standard", .backend = "auto"}), "accepted");
    EXPECT_EQ(check({.out = "a.txt"}), "`out = a.txt`: the name must end in .h5 or .csv");
    EXPECT_EQ(check({.out = ".h5"}), "`out = .h5`: the name must end in .h5 or .csv");
    EXPECT_EQ(check({.backend = "fast"}), "`backend = fast`: choose auto, interpreted or generated");
    EXPECT_EQ(check({.set = {"g=1", "l"}}), "`set = l`: a name or a value is missing; write it as `set = name=value`");
    EnsembleRequest many;
    many.count = 0;
    EXPECT_EQ(message_of([&] { check_fields<EnsembleRequest>(many, ensemble_fields()); }),
              "`count = 0`: it must be at least 1");
    many.count = 1;
    many.threads = 1025;
    EXPECT_EQ(message_of([&] { check_fields<EnsembleRequest>(many, ensemble_fields()); }),
              "`threads = 1025`: it must be from 1 to 1024");
}

TEST(Request, of_an_ensemble_has_the_fields_of_a_run_that_are_marked) {
    std::set<std::string_view> names;
    for (const auto& field : ensemble_fields()) {
        names.insert(field.name);
    }
    for (const auto& field : run_fields) {
        if (field.for_use(use::ensemble)) {
            EXPECT_TRUE(names.contains(field.name)) << field.name;
        }
    }
    EXPECT_TRUE(names.contains("vary"));
    EXPECT_FALSE(names.contains("events_out"));
    EnsembleRequest request;
    const auto fields = ensemble_fields();
    read_text(request, *std::ranges::find(fields, "step", &RequestField<EnsembleRequest>::name), "0.5");
    EXPECT_EQ(request.step, 0.5);
}

TEST(Request, is_completed_by_the_model_and_by_defaults) {
    const auto model = Model::load("pendulum");
    const auto plain = resolve(model, {});
    EXPECT_EQ(plain.method(), *model.run.method);
    EXPECT_EQ(plain.options.step, *model.run.step);
    EXPECT_EQ(plain.options.every, 1);
    const auto shorter = resolve(model, {.steps = 7});
    EXPECT_EQ(shorter.options.steps, 7);
    EXPECT_FALSE(shorter.options.duration);  // of duration and steps each replaces both
    EXPECT_EQ(message_of([&] { (void)resolve(model, {.every = 2, .at = "0,1"}); }),
              "`at` and `every` exclude each other: states are recorded at given times, or at every K-th step");
    EXPECT_EQ(message_of([&] { (void)resolve(model, {.tol = 1e-8}); }),
              "`tol`: it requires `adaptive`; also give `adaptive = reversible` or `adaptive = standard`");
}

TEST(Request, given_again_must_agree_with_what_is_kept) {
    const auto kept = resolve(Model::load("pendulum"), {.method = "lobatto(3)", .step = 0.1, .steps = 5}).request;
    EXPECT_EQ(message_of([&] { require_same(kept, {.method = "lobatto( 3 )", .step = 0.1}, "a.h5"); }), "accepted");
    EXPECT_EQ(message_of([&] { require_same(kept, {.step = 0.2}, "a.h5"); }),
              "`resume = a.h5`: `step` is 0.1 in the file and 0.2 now; omit it, or start a new run");
    EXPECT_EQ(message_of([&] { require_same(kept, {.project = true}, "a.h5"); }),
              "`resume = a.h5`: `project` is not set in the file and set now; omit it, or start a new run");
    EXPECT_EQ(message_of([&] {
                  require_same(kept, {.events = {"x", "y"}}, "a.h5");
              }),
              "`resume = a.h5`: `events` is not set in the file and \"x\", \"y\" now; omit it, or start a new run");
    // What does not decide the result may differ.
    EXPECT_EQ(message_of([&] { require_same(kept, {.backend = "interpreted", .quiet = true}, "a.h5"); }), "accepted");
}

TEST(Request, is_written_as_the_command_that_asks_for_it) {
    RunRequest request{.model = "kepler", .method = "compose(verlet, kahanli8)", .step = 0.1};
    request.set = {"e=0.3", "x=1"};
    request.events = {"x rising"};
    request.force = true;
    EXPECT_EQ(command_line<RunRequest>("run", request, run_fields),
              "libration run kepler --method \"compose(verlet, kahanli8)\" --step 0.1 --set e=0.3 --set x=1 "
              "--event \"x rising\" --force");
}

TEST(Assignments, are_names_and_values) {
    EXPECT_EQ(read_assignments({"g=1", "x=a=b"}),
              (std::vector<std::pair<std::string, std::string>>{{"g", "1"}, {"x", "a=b"}}));
    EXPECT_EQ(message_of([] { read_assignments({"g"}); }),
              "`set = g`: a name or a value is missing; write it as `set = name=value`");
    EXPECT_EQ(message_of([] { read_assignments({"g=1", "g=2"}); }), "`set = g=2`: the parameter g is set twice");
}

}  // namespace
}  // namespace libration
