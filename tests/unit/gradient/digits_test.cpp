// What is said of the digits that are left is true.
#include "reference.hpp"

namespace libration::gradient_test {
namespace {

// Chaotic motion: the growth of tangents is 1e2 after 300 steps and 1e11 after 1400. Exact tangents are those of dual
// numbers in quadruple precision, from the same start.
TEST(GradientDigits, are_not_more_than_are_correct) {
    const auto model = Model::load("henon-heiles", {{"H0", "1/6"}});
    const auto verlet = method("verlet");
    const auto system = make_system<double>(model);
    const auto start = start_state<double>(model, *system);
    double growth = 1;
    for (const std::int64_t steps : {300, 600, 1000, 1400}) {
        const Case one{"", "", "x*y", {"y0", "w0"}, 0.1, steps};
        const auto loss = read_loss(model, one.loss);
        const auto unknowns = unknowns_of(model, one.by);
        const TangentTask task{.model = &model,
                               .method = &verlet,
                               .loss = &loss,
                               .start = {0, start.q, start.p, false},
                               .sequence = {0, one.step},
                               .steps = steps};
        const auto exact = run_forward<Quad>(task, unknowns);
        ASSERT_FALSE(exact.failure);
        const std::vector<double> slopes{to_double(exact.loss.tangent[0]), to_double(exact.loss.tangent[1])};
        for (const auto mode : {GradientMode::backward, GradientMode::forward}) {
            const auto found = gradient(model, verlet, one.options(mode));
            ASSERT_FALSE(found.failure) << found.failure->message;
            const double correct = -std::log10(difference(values_of(found), slopes));
            // One digit for the sum of the roundings of all steps.
            EXPECT_GT(correct, found.digits - 1)
                << to_string(mode) << ", " << steps << " steps, growth " << found.tangent_growth;
            EXPECT_GT(found.tangent_growth, growth) << "the motion must be chaotic";
        }
        growth *= 10;
    }
}

}  // namespace
}  // namespace libration::gradient_test
