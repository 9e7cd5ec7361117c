// Bodies that are refused, each with its reason.
#include "integrate/start.hpp"
#include "system/term_system.hpp"
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

namespace libration {
namespace {

struct Text {
    std::string before;
    std::string body = "name = \"top\"\ninertia = [2, 1.5, 1]\nfixed = true\n";
    std::string dynamics;
    std::string initial = "[initial.top]\nquaternion = [1, 0, 0, 0]\n";
};

std::string body_fault(const Text& text) {
    try {
        Model::parse(text.before + "\n[[body]]\n" + text.body + text.dynamics + "\n" + text.initial, "test.toml");
    } catch (const InputError& error) {
        return error.what();
    }
    return "no fault";
}

void expect_body_fault(const Text& text, const std::vector<std::string>& says) {
    const auto fault = body_fault(text);
    EXPECT_NE(fault.find("test.toml:"), std::string::npos) << fault;
    for (const auto& words : says) {
        EXPECT_NE(fault.find(words), std::string::npos) << words << " is missing in\n" << fault;
    }
}

Text body_with(const std::string& body) {
    Text text;
    text.body = body;
    return text;
}

Text free_body(const std::string& initial) {
    Text text;
    text.body = "name = \"top\"\ninertia = [2, 1.5, 1]\nmass = 1\n";
    text.initial = "[initial.top]\n" + initial;
    return text;
}

TEST(BodyRefusal, the_base_of_these_tests_is_sound) {
    EXPECT_EQ(body_fault({}), "no fault");
    EXPECT_EQ(body_fault(free_body("quaternion = [1, 0, 0, 0]\nr = [0, 0, 0]")), "no fault");
    EXPECT_EQ(body_fault(body_with("name = \"top\"\ninertia = [2, 1.5, 1]\nfixed = true\nmass = 3\n")), "no fault");
}

TEST(BodyRefusal, moments_that_no_body_has) {
    const auto inertia = [](const std::string& list) {
        return body_with("name = \"top\"\nfixed = true\ninertia = " + list + "\n");
    };
    for (const auto* thin : {"[1, 1, 2]", "[3, 1, 2]", "[0.1, 0.3, 0.2]", "[1, 0, 1]"}) {
        EXPECT_EQ(body_fault(inertia(thin)), "no fault") << thin;
    }
    expect_body_fault(inertia("[0, 0, 0]"), {"no moment of inertia", "[points]"});
    expect_body_fault(inertia("[1, 1, 2.5]"), {"I_3 is larger than I_1 + I_2", "d_3 = -0.25"});
    expect_body_fault(inertia("[1, 0, 2]"), {"I_3 is larger than I_1 + I_2"});
    expect_body_fault(inertia("[1, -1, 1]"), {"I_2 of top is -1", "positive"});
    expect_body_fault(inertia("[1, 1]"), {"2 entries", "three principal moments"});
    expect_body_fault(inertia("[1, 1, 1, 1]"), {"4 entries"});
    expect_body_fault(inertia("[1, 1, \"top.Q[1,1]\"]"), {"unknown name 'top'"});
    expect_body_fault(inertia("2"), {"'inertia'", "must be a list"});
}

TEST(BodyRefusal, keys_and_names) {
    expect_body_fault(body_with("name = \"top\"\nfixed = true\n"), {"needs the key 'inertia'"});
    expect_body_fault(body_with("inertia = [1, 1, 1]\nfixed = true\n"), {"needs the key 'name'"});
    expect_body_fault(body_with("name = \"top\"\ninertia = [1, 1, 1]\nfixd = true\n"),
                      {"unknown key 'fixd'", "'fixed'"});
    expect_body_fault(body_with("name = \"top\"\ninertia = [1, 1, 1]\nfixed = 1\n"), {"'fixed'"});
    expect_body_fault(body_with("name = \"top\"\ninertia = [1, 1, 1]\n"), {"needs a mass", "fixed = true"});
    expect_body_fault(body_with("name = \"top\"\ninertia = [1, 1, 1]\nmass = 0\n"),
                      {"the mass of top is 0", "positive"});
    expect_body_fault(body_with("name = \"p_top\"\ninertia = [1, 1, 1]\nfixed = true\n"), {"p_"});
    expect_body_fault(body_with("name = \"top\"\ninertia = [1, 1, 1]\nfixed = true\n[[body]]\nname = \"top\"\n"
                                "inertia = [1, 1, 1]\nfixed = true\n"),
                      {"already a body"});
    Text taken;
    taken.before = "[parameters]\ntop = 1";
    expect_body_fault(taken, {"already a parameter"});
    Text table;
    table.body = "";
    table.before = "body = 3";
    EXPECT_NE(body_fault({.before = "body = 3\n[initial]", .body = "", .initial = ""}), "no fault");
}

TEST(BodyRefusal, parts_that_bodies_do_not_have_here) {
    const auto potential = [](const std::string& formula) {
        Text text;
        text.dynamics = "[dynamics]\npotential = \"" + formula + "\"\n";
        return text;
    };
    EXPECT_EQ(body_fault(potential("top.Q[3,3] + top.at(0, 0, 1).z + top.quaternion.w")), "no fault");
    expect_body_fault(potential("top.omega.x"), {"top.omega depends on the velocities and cannot be used here"});
    expect_body_fault(potential("top.L.z"), {"top.L depends on the momenta"});
    expect_body_fault(potential("v_top.Q[1,1]"), {"depends on the velocities"});
    expect_body_fault(potential("lambda_top.rigid[1,1]"), {"depends on the multipliers"});
    expect_body_fault(potential("top.omegaa"), {"has no 'omegaa'", "did you mean 'omega'?"});
    expect_body_fault(potential("top.Q[0,1]"), {"the index 0 of top.Q", "from 1 to 3"});
    expect_body_fault(potential("top.Q[1,4]"), {"the index 4 of top.Q"});
    expect_body_fault(potential("top.Q[1]"), {"two indices"});
    expect_body_fault(potential("top.Q[1,1,1]"), {"two indices"});
    expect_body_fault(potential("top.Q"), {"two indices"});
    expect_body_fault(potential("top.Q(1, 1)"), {"two indices"});
    expect_body_fault(potential("top.at(1, 2).x"), {"top.at(x, y, z)"});
    expect_body_fault(potential("top.at(1, 2, 3)"), {"a number is expected"});
    expect_body_fault(potential("top.quaternion.v"), {"no component 'v'"});
    expect_body_fault(potential("top.at(1, 2, 3).w"), {"no component 'w'"});
    expect_body_fault(potential("top.quaternion[1,1]"), {"takes no index"});
    expect_body_fault(potential("top.quaternion(1)"), {"takes no arguments"});
    expect_body_fault(potential("top.r.x"), {"fixed at the origin", "top.at(x, y, z)"});
    expect_body_fault(potential("top"), {"'top' is a body", "top.Q[3,3]"});
    expect_body_fault(potential("top[1]"), {"top"});
    expect_body_fault(potential("tpo.Q[1,1]"), {"did you mean 'top'?"});
    expect_body_fault(potential("top."), {"a part of 'top'"});
    expect_body_fault(potential("top.Q[1,1"), {"']'"});
    Text range;
    range.dynamics = "[[energy]]\nfor = \"i in 1..3\"\nterm = \"top.Q[i,i]\"\n";
    expect_body_fault(range, {"not those of a `for` range"});
}

TEST(BodyRefusal, dynamics_that_do_not_go_with_bodies) {
    for (const auto* line : {"kinetic = \"v_top.Q[1,1]^2\"", "hamiltonian = \"p_top.Q[1,1]^2\""}) {
        Text text;
        text.dynamics = "[dynamics]\n" + std::string(line) + "\n";
        expect_body_fault(text, {"bodies have their own kinetic energy"});
    }
    Text field;
    field.dynamics = "[field]\nq = { }\n";
    expect_body_fault(field, {"bodies have their own kinetic energy"});
    Text alone;
    alone.dynamics = "[dynamics]\nmass = 1\n";
    expect_body_fault(alone, {"bodies have their own"});
    Text matrix;
    matrix.before = "[coordinates]\nq = [\"x\"]";
    matrix.dynamics = "[dynamics]\nmass = [[1]]\n";
    matrix.initial = "[initial]\nq = [0]\n" + matrix.initial;
    expect_body_fault(matrix, {"mass matrix and bodies exclude each other"});
}

TEST(BodyRefusal, initial_values) {
    const auto initial = [](const std::string& lines) {
        Text text;
        text.initial = "[initial.top]\n" + lines;
        return text;
    };
    expect_body_fault(initial("quaternion = [0, 0, 0, 0]"), {"zero", "[1, 0, 0, 0]"});
    expect_body_fault(initial("quaternion = [1, 0, 0]"), {"4 numbers", "3"});
    expect_body_fault(initial("omega = [0, 0, 1]"), {"needs the orientation"});
    expect_body_fault(initial("quaternion = [1, 0, 0, 0]\nQ = [[1,0,0],[0,1,0],[0,0,1]]"), {"not both"});
    expect_body_fault(initial("Q = [[1,0,0],[0,1,0],[0,0,-1]]"), {"determinant -1", "reflection", "sign"});
    expect_body_fault(initial("Q = [[1,0,0],[0,1,0]]"), {"three rows"});
    expect_body_fault(initial("Q = [[1,0],[0,1],[0,0]]"), {"three rows"});
    expect_body_fault(initial("quaternion = [1, 0, 0, 0]\nomega = [1]"), {"3 numbers"});
    expect_body_fault(initial("quaternion = [1, 0, 0, 0]\nomga = [1, 0, 0]"), {"unknown key 'omga'", "'omega'"});
    expect_body_fault(initial("quaternion = [1, 0, 0, 0]\nr = [1, 0, 0]"), {"fixed at the origin", "no r"});
    expect_body_fault(free_body("quaternion = [1, 0, 0, 0]"), {"needs r"});
    Text default_start;
    default_start.initial = "[initial]\n";
    EXPECT_EQ(body_fault(default_start), "no fault");
    Text list;
    list.initial = "[initial]\nq = [1, 0, 0, 0, 1, 0, 0, 0, 1]\n[initial.top]\nquaternion = [1, 0, 0, 0]";
    expect_body_fault(list, {"there are none", "[initial.top]"});
}

TEST(BodyRefusal, a_matrix_that_is_not_orthogonal_is_judged_with_the_start) {
    const auto model = Model::parse("[[body]]\nname = \"top\"\ninertia = [2, 1.5, 1]\nfixed = true\n[initial.top]\nQ = "
                                    "[[1.001,0,0],[0,1,0],[0,0,1]]",
                                    "test.toml");
    TermSystem<double> system(model);
    const auto state = start_state<double>(model, system);
    EXPECT_NE(start_fault(model, system, state.q, state.p).find("orientation of the body top is not a rotation"),
              std::string::npos);
}

}  // namespace
}  // namespace libration
