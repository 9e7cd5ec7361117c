// The tangent at the end is one of the manifold, and pairs with others as the derivative of the loss does.
#include "gradient/end_tangent.hpp"
#include "reference.hpp"

#include "gradient/extended_model.hpp"

namespace libration::gradient_test {
namespace {

using D = Dual<double>;

TEST(EndTangent, is_a_tangent_of_the_manifold_and_pairs_to_the_derivative_of_the_loss) {
    const auto model = Model::load("double-pendulum");
    const std::vector<std::string> names{"g", "l1", "m1"};
    const auto unknowns = unknowns_of(model, names);
    const auto extended = extended_model(model, unknowns);
    ASSERT_EQ(extended.obstacle, "");
    const auto system = make_system<double>(extended.model);
    const auto dual = make_system<D>(extended.model);
    const auto run = integrate(model, method("rattle"), {.step = 0.02, .steps = 40});
    auto q = run.q, p = run.p;
    q.resize(q.size() + names.size(), 1);
    p.resize(q.size(), 0);
    const auto loss = read_loss(model, "x2*v_y1 + p_x1");
    PointGradient gradient(model, loss, unknowns_of(model, names), extended);
    gradient.read({run.t, run.q, {}, run.p});
    const auto& slope = gradient.of(0);
    EndTangent end_tangent(*system, *dual);
    end_tangent.set_state({run.t, q, {}, p});
    const auto w = end_tangent.of(slope);

    std::vector<D> x(q.size()), y(q.size()), g(2), f(2);
    for (std::size_t j = 0; j < q.size(); ++j) {
        x[j] = {q[j], {w.q[j]}};
        y[j] = {p[j], {w.p[j]}};
    }
    Manifold<D> manifold(*dual);
    dual->constraint(from_double<D>(run.t), x, g);
    manifold.hidden_residual(from_double<D>(run.t), x, y, f);
    // Sums of some ten terms of the size of 10.
    for (const auto& row : {g[0], g[1], f[0], f[1]}) {
        EXPECT_NEAR(row.tangent[0], 0, 1e-13);
    }
    set_generic_direction<double>(*dual, run.t, x, y, 1);
    double paired = 0, along = 0;
    for (std::size_t j = 0; j < q.size(); ++j) {
        paired += w.q[j] * y[j].tangent[1] - w.p[j] * x[j].tangent[1];
        along += slope.q[j] * x[j].tangent[1] + slope.p[j] * y[j].tangent[1];
    }
    EXPECT_NEAR(paired, along, 1e-13);
    EXPECT_GT(std::abs(along), 0.1);
}

}  // namespace
}  // namespace libration::gradient_test
