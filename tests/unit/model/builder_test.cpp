// What only texts could say: points, lists, families, definitions and runs, from C++.
#include "same_model.hpp"

#include <libration/model/builder.hpp>
#include <libration/model/to_text.hpp>
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

namespace libration {
namespace {

const std::string net_text = R"toml(
name = "net"
description = "points and springs"
source = "here"
[parameters]
n = 5
k = [1, 2.5, "n/3", 1, 2]
m = "1 + i/8"
[coordinates]
q = ["h"]
[points]
r = { count = "n", dimension = 3, mass = "m[i]" }
s = { count = 2, dimension = 1 }
[definitions]
height = "r[n-1].z + h"
away = "r[1] - r[0]"
[dynamics]
mass = 4
potential = "height^2 + k[2]*s[1].x^2 + sum(j in 0..n-1, k[j]*r[j].x^2)"
[[energy]]
for = "i in 0..n-1, j in i+1..n-1"
term = "k[i]*(r[i].x - r[j].x)^4 + h*sum(l in 0..i, k[l]*m[l])"
[[energy]]
for = "(i, j) in springs"
springs = [[0, 1], [4, 2]]
term = "cos(r[i].y - r[j].z)"
[[constraint]]
for = "i in 1..n-1"
name = "rod"
equation = "(r[i].x - r[i-1].x)*(r[i].x - r[i-1].x) + (r[i].y - r[i-1].y)*(r[i].y - r[i-1].y) + (r[i].z - r[i-1].z)*(r[i].z - r[i-1].z) - 1"
[observables]
top = "height + away.x"
[[events]]
name = "low"
when = "height + 3"
direction = "falling"
terminal = true
[initial]
q = [0.5]
[[initial.r]]
for = "i in 0..n-1"
q = ["i", 0, 0]
v = [0, "k[i]", 0]
[[initial.s]]
for = "i in 0..1"
q = ["i/2"]
[run]
method = "rattle"
step = 0.01
duration = 2
)toml";

Model built_net() {
    ModelBuilder builder("net");
    builder.describe("points and springs", "here");
    const auto n = builder.parameter("n", 5);
    const auto k = builder.parameters("k", {1, 2.5, n / 3, 1, 2});
    const auto i = symbol("i"), j = symbol("j"), l = symbol("l");
    const auto m = builder.parameter_of_index("m", 1 + i / 8);
    const auto h = builder.coordinates({"h"})[0];
    const auto r = builder.points({.name = "r", .count = n, .dimension = 3, .mass = m[i]});
    const auto s = builder.points({.name = "s", .count = 2, .dimension = 1});
    const auto height = builder.definition("height", r[n - 1][2] + h);
    const auto d = r[1] - r[0];
    const auto away = builder.definition("away", {d[0], d[1], d[2]});
    builder.mass(4).potential(pow(height, 2) + k[2] * pow(s[1][0], 2) +
                              sum_over(j, 0, n - 1, k[j] * pow(symbol("r[j].x"), 2)));
    builder.potential(k[i] * pow(r[i][0] - r[j][0], 4) + h * sum_over(l, 0, i, k[l] * m[l]),
                      over(i, 0, n - 1).then(j, i + 1, n - 1));
    builder.potential(cos(r[i][1] - r[j][2]), over_rows({i, j}, {{0, 1}, {4, 2}}, "springs"));
    const auto rod = r[i] - r[i - 1];
    builder.constraint("rod", dot(rod, rod) - 1, over(i, 1, n - 1));
    builder.observable("top", height + away[0]);
    builder.event({.name = "low", .value = height + 3, .direction = Event::Direction::falling, .terminal = true});
    builder.initial_position({0.5});
    builder.initial_points("r", over(i, 0, n - 1), {.q = {i, 0, 0}, .v = {0, k[i], 0}});
    builder.initial_points("s", over(i, 0, 1), {.q = {i / 2}});
    RunRequest run;
    run.method = "rattle";
    run.step = 0.01;
    run.duration = 2;
    return builder.run(run).build();
}

TEST(ModelBuilder, gives_points_families_lists_and_definitions_as_a_text_does) {
    const auto from_text = Model::parse(net_text, "net.toml");
    const auto from_cpp = built_net();
    expect_same_model(from_text, from_cpp);
    expect_same_run(from_text, from_cpp, "rattle", 0.01, 10);
    EXPECT_EQ(from_cpp.formula("2*height", "it"), from_text.formula("2*height", "it"));
    EXPECT_EQ(text_from_data(from_cpp), text_from_data(from_text));
    const auto copy = Model::parse(to_text(from_cpp), "net.toml");
    expect_same_model(from_cpp, copy);
}

template <class F>
std::string builder_fault(F build) {
    try {
        ModelBuilder builder("model");
        build(builder);
        (void)builder.build();
    } catch (const InputError& error) {
        return error.what();
    }
    return "no fault";
}

void expect_words(const std::string& found, const std::string& words) {
    EXPECT_NE(found.find(words), std::string::npos) << found;
}

TEST(ModelBuilder, refuses_what_does_not_fit) {
    const auto i = symbol("i");
    expect_words(builder_fault([&](auto& b) { b.points({.name = "r", .count = 0.5}); }), "whole number");
    expect_words(builder_fault([&](auto& b) { b.points({.name = "r", .count = 2, .dimension = 4}); }), "1, 2 or 3");
    expect_words(builder_fault([&](auto& b) { b.points({.name = "r", .count = symbol("n")}); }), "'n'");
    expect_words(builder_fault([&](auto& b) {
                     const auto r = b.points({.name = "r", .count = 2, .mass = 1});
                     b.potential(r[i + 1][0], over(i, 0, 1));
                 }),
                 "r[2], which does not exist");
    expect_words(builder_fault([&](auto& b) {
                     b.points({.name = "r", .count = 2, .mass = 1});
                     b.initial_points("r", over(i, 0, 2), {.q = {0, 0, 0}});
                 }),
                 "r[2] does not exist");
    expect_words(builder_fault([&](auto& b) {
                     b.points({.name = "r", .count = 2, .mass = 1});
                     b.initial_points("r", over(i, 0, 1), {.q = {0, 0}});
                 }),
                 "3 components");
    expect_words(builder_fault([&](auto& b) { b.initial_points("r", over(i, 0, 1), {.q = {0}}); }), "no points 'r'");
    expect_words(builder_fault([&](auto& b) { b.potential(i, over_rows({i}, {{1, 2}})); }), "2 numbers for 1");
    expect_words(builder_fault([&](auto& b) { b.potential(i, over(i + 1, 0, 1)); }), "an index must be a symbol");
    expect_words(builder_fault([&](auto& b) {
                     b.coordinates({"x"});
                     b.definition("x", 3);
                 }),
                 "already a coordinate");
    expect_words(builder_fault([&](auto& b) {
                     RunRequest run;
                     run.every = 3;
                     b.run(run);
                 }),
                 "does not belong to a model");
    expect_words(builder_fault([&](auto& b) {
                     b.coordinates({"x"});
                     b.points({.name = "r", .count = 2});
                     b.mass(std::vector<Expression>{1});
                 }),
                 "have no mass");
}

}  // namespace
}  // namespace libration
