// [certify] of a model: where a certificate is measured, and against what.
#include "analysis/certify_section.hpp"

#include <libration/text/error.hpp>

#include <gtest/gtest.h>

namespace libration {
namespace {

Model oscillator(const std::string& section, const std::vector<std::pair<std::string, std::string>>& overrides = {}) {
    return Model::parse(
        "[parameters]\nk = 1\n[coordinates]\nq = [\"x\"]\n[dynamics]\nmass = 1\npotential = \"k*x^2/2\"\n"
        "[initial]\nq = [1]\n" +
            section,
        "oscillator.toml", overrides);
}

// x = cos t, p = -sin t at t = 1.
constexpr const char* solution = "time = 1\nq = [\"0.5403023058681397174009366074429766\"]\n"
                                 "p = [\"-0.8414709848078965066525023216302990\"]\naccuracy = 1e-34\n";

std::string refusal(const std::string& section) {
    try {
        (void)certify_section(oscillator(section));
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(CertifySection, gives_step_duration_and_exact_solution) {
    const auto options =
        certify_section(oscillator(std::string("[certify]\nstep = 0.25\nduration = 2\n") + solution)).value().options;
    EXPECT_EQ(options.step, 0.25);
    EXPECT_EQ(options.duration, 2);
    ASSERT_TRUE(options.exact);
    EXPECT_EQ(options.exact->time, 1);
    EXPECT_EQ(options.exact->q, std::vector<std::string>{"0.5403023058681397174009366074429766"});
    EXPECT_TRUE(options.exact->lambda.empty());
    EXPECT_EQ(options.exact->accuracy, 1e-34);
}

// A wrong solution would contradict the order of every method: the one of the section is the one that is used.
TEST(CertifySection, is_what_errors_are_measured_against) {
    const auto order_on = [](const std::string& section) {
        const auto model = oscillator(section);
        return certify(method("verlet"), model, certify_section(model).value().options).finding("order of q").verdict;
    };
    const std::string right = std::string("[certify]\nstep = 0.25\n") + solution;
    EXPECT_EQ(order_on(right), Verdict::confirmed);
    std::string wrong = right;
    wrong.replace(wrong.find("0.54"), 4, "0.55");
    EXPECT_NE(order_on(wrong), Verdict::confirmed);
}

// Whoever starts from the file of a problem and changes the model has another solution.
TEST(CertifySection, counts_for_a_problem_as_it_is_built_in_only) {
    const auto kepler = Model::load("kepler");
    EXPECT_TRUE(options_for(kepler).exact);
    EXPECT_FALSE(options_for(Model::load("kepler", {{"e", "0.5"}})).exact);
    const auto copied = Model::parse(kepler.text + "\n# mine\n", "mine.toml");
    EXPECT_TRUE(certify_section(copied)->options.exact);
    EXPECT_FALSE(options_for(copied).exact);
    EXPECT_EQ(options_for(copied).step, 0);
}

TEST(CertifySection, is_refused_with_its_place_where_it_makes_no_sense) {
    EXPECT_NE(refusal("[certify]\nstep = 0\n").find("oscillator"), std::string::npos);
    EXPECT_NE(refusal("[certify]\nstep = 0\n").find("positive number"), std::string::npos);
    EXPECT_NE(refusal("[certify]\nstep = \"fast\"\n").find("positive number"), std::string::npos);
    EXPECT_NE(refusal("[certify]\nstpe = 1\n").find("step"), std::string::npos);
    EXPECT_NE(refusal("[certify]\nq = [\"1\"]\n").find("time"), std::string::npos);
    EXPECT_NE(refusal("[certify]\ntime = 1\nq = [\"1\"]\n").find("`[certify] p`"), std::string::npos);
    EXPECT_NE(refusal("[certify]\ntime = 1\nq = [\"1\", \"2\"]\np = [\"1\"]\n").find("list of 1"), std::string::npos);
    EXPECT_NE(refusal("[certify]\ntime = 1\nq = [0.5]\np = [\"1\"]\n").find("in quotes"), std::string::npos);
    EXPECT_NE(refusal("[certify]\ntime = 1\nq = [\"half\"]\np = [\"1\"]\n").find("in quotes"), std::string::npos);
}

TEST(CertifySection, stands_in_the_problems_on_which_methods_are_certified) {
    const auto all = certified_problems();
    EXPECT_EQ(all.size(), 23U);
    for (const auto& problem : all) {
        EXPECT_GT(problem.options.step, 0) << problem.model;
        EXPECT_TRUE(problem.options.exact || problem.options.duration > 0) << problem.model;
    }
}

}  // namespace
}  // namespace libration
