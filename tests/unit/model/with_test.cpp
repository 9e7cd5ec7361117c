// A model with other values is the model that its text gives with these values, in all that can be seen of it.
#include "model/embedded.hpp"
#include "model/model_values.hpp"
#include "request/run_fields.hpp"
#include <libration/ensemble/ensemble.hpp>
#include <libration/integrate/integrate.hpp>
#include <libration/kit/make_system.hpp>
#include <libration/model/builder.hpp>
#include <libration/model/model.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace libration {
namespace {

using Overrides = std::vector<std::pair<std::string, std::string>>;

// Equal expressions are one node: comparing them compares whole formulas.
void expect_same_formula(const Formula& a, const Formula& b, const std::string& where) {
    EXPECT_EQ(a.kernel, b.kernel) << where;
    EXPECT_EQ(a.instances, b.instances) << where;
    ASSERT_EQ(a.parameters.size(), b.parameters.size()) << where;
    for (std::size_t k = 0; k < a.parameters.size(); ++k) {
        EXPECT_EQ(a.parameters[k].symbol, b.parameters[k].symbol) << where;
        EXPECT_EQ(a.parameters[k].list, b.parameters[k].list) << where;
        for (std::size_t i = 0; a.parameters[k].kind != InstanceParameter::Kind::sum && i < a.instances; ++i) {
            ASSERT_EQ(a.parameters[k].integers[i], b.parameters[k].integers[i]) << where;
        }
    }
}

void expect_same_term(const Term& a, const Term& b, const std::string& where) {
    expect_same_formula(a.formula, b.formula, where);
    EXPECT_EQ(a.slots, b.slots) << where;
    EXPECT_EQ(a.indices, b.indices) << where;
    EXPECT_EQ(a.uses_time, b.uses_time) << where;
    EXPECT_EQ(a.part, b.part) << where;
}

Expression value_of(const std::optional<WholeExpression>& whole) { return whole ? whole->value : symbol("none"); }

void expect_same_model(const Model& a, const Model& b, const std::string& where) {
    EXPECT_EQ(a.name, b.name) << where;
    EXPECT_EQ(a.text, b.text) << where;
    EXPECT_EQ(a.saved_text(), b.saved_text()) << where;
    EXPECT_EQ(a.overrides, b.overrides) << where;
    EXPECT_EQ(a.dimension, b.dimension) << where;
    EXPECT_EQ(a.constraint_rows, b.constraint_rows) << where;
    EXPECT_EQ(a.singular_mass, b.singular_mass) << where;
    EXPECT_EQ(a.replaced_initial, b.replaced_initial) << where;
    EXPECT_EQ(a.run.step, b.run.step) << where;
    EXPECT_EQ(a.run.duration, b.run.duration) << where;
    EXPECT_EQ(a.run.steps, b.run.steps) << where;
    ASSERT_EQ(a.parameters.size(), b.parameters.size()) << where;
    for (std::size_t k = 0; k < a.parameters.size(); ++k) {
        EXPECT_EQ(a.parameters[k].name, b.parameters[k].name) << where;
        EXPECT_EQ(a.parameters[k].values, b.parameters[k].values) << where;
        EXPECT_EQ(a.parameters[k].list, b.parameters[k].list) << where;
        EXPECT_EQ(a.parameters[k].read_as_number, b.parameters[k].read_as_number) << where;
        EXPECT_EQ(point_at(a.parameters[k].place, "here"), point_at(b.parameters[k].place, "here")) << where;
    }
    ASSERT_EQ(a.mass.diagonal.size(), b.mass.diagonal.size()) << where;
    for (std::size_t k = 0; k < a.mass.diagonal.size(); ++k) {
        expect_same_formula(a.mass.diagonal[k].value, b.mass.diagonal[k].value, where);
        EXPECT_EQ(a.mass.diagonal[k].repeat, b.mass.diagonal[k].repeat) << where;
    }
    EXPECT_EQ(a.mass.matrix, b.mass.matrix) << where;
    EXPECT_EQ(value_of(a.kinetic), value_of(b.kinetic)) << where;
    EXPECT_EQ(value_of(a.hamiltonian), value_of(b.hamiltonian)) << where;
    ASSERT_EQ(a.potential.size(), b.potential.size()) << where;
    for (std::size_t k = 0; k < a.potential.size(); ++k) {
        expect_same_term(a.potential[k], b.potential[k], where);
    }
    ASSERT_EQ(a.constraints.size(), b.constraints.size()) << where;
    for (std::size_t k = 0; k < a.constraints.size(); ++k) {
        expect_same_term(a.constraints[k].term, b.constraints[k].term, where);
    }
    ASSERT_EQ(a.initial.size(), b.initial.size()) << where;
    for (std::size_t k = 0; k < a.initial.size(); ++k) {
        EXPECT_EQ(a.initial[k].kind, b.initial[k].kind) << where;
        EXPECT_EQ(a.initial[k].coordinates, b.initial[k].coordinates) << where;
        expect_same_formula(a.initial[k].value, b.initial[k].value, where);
    }
    ASSERT_EQ(a.observables.size(), b.observables.size()) << where;
    for (std::size_t k = 0; k < a.observables.size(); ++k) {
        EXPECT_EQ(a.observables[k].value, b.observables[k].value) << where;
    }
}

// Either way gives the same model, or the same words.
void expect_same_either_way(const std::string& text, const std::string& name, const Overrides& before,
                            const Overrides& values) {
    auto all = before;
    all.insert(all.end(), values.begin(), values.end());
    const auto where = fmt::format("{} with {}={}", name, values[0].first, values[0].second);
    const auto base = Model::parse(text, name, before);
    std::optional<Model> read;
    std::string refused;
    try {
        read = Model::parse(text, name, all);
    } catch (const InputError& error) {
        refused = error.what();
    }
    try {
        const auto varied = base.with(values);
        ASSERT_TRUE(read) << where << ": " << refused;
        expect_same_model(varied, *read, where);
    } catch (const InputError& error) {
        EXPECT_EQ(error.what(), refused) << where;
    }
}

TEST(With, gives_what_every_built_in_problem_gives_with_any_parameter_changed) {
    std::size_t quick = 0, tried = 0;
    for (const auto& problem : embedded_problems()) {
        const auto base = Model::load(std::string(problem.name));
        const auto given = parameter_values<double>(base);
        for (std::size_t k = 0; k < given.symbols.size(); ++k) {
            const auto& name = given.symbols[k].text();
            const auto parameter = std::ranges::find(base.parameters, name, &Parameter::name);
            const double step = parameter->read_as_number && given.values[k] >= 100 ? -given.values[k] + 4 : 1;
            expect_same_either_way(std::string(problem.text), std::string(problem.name), {},
                                   {{name, fmt::format("{}", given.values[k] + step)}});
            ++tried;
            quick += parameter->read_as_number ? 0U : 1U;
        }
    }
    EXPECT_GT(quick, tried / 2);  // most parameters are only numbers
}

TEST(With, moves_the_start_as_overrides_do) {
    for (const auto& problem : embedded_problems()) {
        const auto base = Model::load(std::string(problem.name));
        const auto last = base.coordinate_name(base.dimension - 1);
        for (const auto* prefix : {"", "p_", "v_"}) {
            expect_same_either_way(std::string(problem.text), std::string(problem.name), {},
                                   {{prefix + last, "sqrt(2)/7"}});
        }
    }
}

const std::string linked = R"toml(
[parameters]
a = "2*b"
b = 3
n = 2
k = [1, 2]
[coordinates]
q = ["x", "y"]
[dynamics]
mass = ["b", "a"]
potential = "sum(i in 1..n, x^i) + a*y^2"
[initial]
q = [1, 2]
v = [0, 0]
[run]
step = "a/100"
)toml";

TEST(With, goes_on_from_values_that_were_changed_before) {
    const Overrides both{{"b", "7"}, {"x", "5"}};
    expect_same_either_way(linked, "t", {{"x", "5"}}, {{"b", "7"}});
    expect_same_either_way(linked, "t", {{"b", "7"}}, {{"v_x", "3"}});
    const auto once = Model::parse(linked, "t").with({{"x", "4"}, {"b", "7"}}).with({{"x", "5"}});
    expect_same_model(once, Model::parse(linked, "t", both), "twice");
    const auto resting = Model::load("triple-pendulum", {{"p_x1", "0"}});
    EXPECT_EQ(resting.with({{"p_x1", "1"}}).overrides, (Overrides{{"p_x1", "1"}}));
}

TEST(With, knows_which_numbers_the_model_is_made_of) {
    const auto model = Model::parse(linked, "t");
    const auto is_read = [&](const char* name) {
        return std::ranges::find(model.parameters, name, &Parameter::name)->read_as_number;
    };
    EXPECT_TRUE(is_read("n"));  // a bound of a sum
    EXPECT_TRUE(is_read("a"));  // the step
    EXPECT_TRUE(is_read("b"));  // of which a is made
    EXPECT_FALSE(is_read("k"));
    for (const auto* name : {"a", "b", "n"}) {
        expect_same_either_way(linked, "t", {}, {{name, "4"}});
    }
}

TEST(With, refuses_in_the_words_of_the_reader) {
    for (const Overrides& values : {Overrides{{"bb", "1"}},
                                    {{"b", "1 +"}},
                                    {{"b", "x"}},
                                    {{"b", "-1"}},
                                    {{"b", "1/0"}},
                                    {{"n", "1.5"}},
                                    {{"k", "1"}},
                                    {{"p_x", "1"}},
                                    {{"x", "log(-1)"}},
                                    {{"b", "i"}},
                                    {{"v_x", "1"}, {"p_x", "1"}},
                                    {{"b", "0"}}}) {
        expect_same_either_way(linked, "t", {}, values);
    }
}

TEST(With, runs_bit_for_bit_as_the_model_that_was_read) {
    const auto base = Model::load("triple-pendulum");
    const IntegrationOptions options{.step = 0.01, .steps = 200};
    for (const auto* spec : {"rattle", "lobatto(3)", "spark(2)"}) {
        for (const auto* value : {"1.7", "0.1", "pi"}) {
            const auto varied = integrate(base.with({{"g", value}}), method(spec), options);
            const auto read = integrate(Model::load("triple-pendulum", {{"g", value}}), method(spec), options);
            EXPECT_EQ(varied.q, read.q) << spec << value;
            EXPECT_EQ(varied.p, read.p) << spec << value;
            EXPECT_EQ(varied.energy.max_error, read.energy.max_error) << spec << value;
        }
    }
}

TEST(With, varies_a_model_without_text) {
    ModelBuilder builder("spring");
    const auto k = builder.parameter("k", 2);
    const auto q = builder.coordinates({"x"});
    const auto model = builder.mass(1).potential(k * q[0] * q[0]).initial_position({1}).build();
    const auto varied = model.with({{"k", "3"}, {"x", "2"}});
    const auto system = make_system<double>(varied);
    const auto start = initial_state<double>(varied).q;
    EXPECT_EQ(start, std::vector<double>{2});
    EXPECT_EQ(system->energy(0, start, std::vector<double>{0}), 12);
    EXPECT_THROW(static_cast<void>(model.with({{"kk", "3"}})), InputError);
    EXPECT_THROW(static_cast<void>(model.with({{"k", "1/0"}})), InputError);
}

TEST(With, shares_programs_with_the_model_that_it_varies) {
    const auto base = Model::load("triple-pendulum");
    EXPECT_EQ(base.with({{"g", "2"}}).programs, base.programs);
    EXPECT_NE(Model::load("triple-pendulum").programs, base.programs);
}

}  // namespace
}  // namespace libration
