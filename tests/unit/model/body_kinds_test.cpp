// Bodies with a frame of their own, flat, slender and planar bodies: coordinates, masses, rows, motion.
#include "same_model.hpp"

#include "integrate/monitor.hpp"
#include "integrate/start.hpp"
#include "model/body_frame.hpp"
#include "system/term_system.hpp"
#include <libration/integrate/integrate.hpp>
#include <libration/model/builder.hpp>
#include <libration/model/to_text.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

namespace libration {
namespace {

// The value of a formula at the end of a run.
double quantity(const Model& model, const std::string& text, const Run& run) {
    TermSystem<double> system(model);
    std::vector<double> v(model.dimension);
    system.velocity(0, run.q, run.p, v);
    NodeFormula formula(model, model.formula(text, text), text);
    return formula.value({run.t, run.q, {}, run.p}, v, {});
}

std::array<double, 3> vector_at_end(const Model& model, const std::string& text, const Run& run) {
    return {quantity(model, text + ".x", run), quantity(model, text + ".y", run), quantity(model, text + ".z", run)};
}

Run run_of(const Model& model, const std::string& spec, double step, std::int64_t steps) {
    return integrate(model, method(spec), {.step = step, .steps = steps});
}

// The same stone twice: its frame has the principal axes and the center of mass, or turned axes and another origin.
// Both hang at a spring and in a field.
struct SameStone {
    // A = turn by 0.7 about (1, 2, -1): columns are the axes of the second frame in the first one; the origin of the
    // second frame is `c` in the first one.
    std::array<double, 9> A{};
    std::array<double, 3> c{0.3, -0.2, 0.1};

    SameStone() {
        const double n = std::sqrt(6.0);
        const std::array<double, 3> a{1 / n, 2 / n, -1 / n};
        const double cosine = std::cos(0.7), sine = std::sin(0.7);
        const std::array<double, 9> cross{0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0};
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 3; ++j) {
                A[3 * i + j] = (i == j ? cosine : 0) + (1 - cosine) * a[i] * a[j] + sine * cross[3 * i + j];
            }
        }
    }
    // In the second frame, of what is given in the first one.
    [[nodiscard]] std::array<double, 3> turned(const std::array<double, 3>& x) const {
        std::array<double, 3> y{};
        for (std::size_t j = 0; j < 3; ++j) {
            y[j] = A[j] * x[0] + A[3 + j] * x[1] + A[6 + j] * x[2];
        }
        return y;
    }
    [[nodiscard]] std::array<double, 3> place(const std::array<double, 3>& x) const {
        return turned({x[0] - c[0], x[1] - c[1], x[2] - c[2]});
    }
    [[nodiscard]] static std::string text(const std::array<double, 3>& x) {
        return fmt::format("[{}, {}, {}]", x[0], x[1], x[2]);
    }
    [[nodiscard]] std::string tensor() const {
        constexpr std::array<double, 3> moments{2, 1.5, 1};
        std::string rows;
        for (std::size_t i = 0; i < 3; ++i) {
            std::array<double, 3> row{};
            for (std::size_t j = 0; j < 3; ++j) {
                for (std::size_t k = 0; k < 3; ++k) {
                    row[j] += A[3 * k + i] * moments[k] * A[3 * k + j];
                }
            }
            rows += (i == 0 ? "[" : ", ") + text(row);
        }
        return rows + "]";
    }
    [[nodiscard]] Model principal() const { return stone("[2, 1.5, 1]", "", {0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}); }
    [[nodiscard]] Model other() const { return stone(tensor(), "com = " + text(place({0, 0, 0})) + "\n", c, A); }

    [[nodiscard]] Model stone(const std::string& inertia, const std::string& com, const std::array<double, 3>& origin,
                              const std::array<double, 9>& axes) const {
        const bool first = com.empty();
        constexpr std::array<double, 3> omega{0.3, -0.2, 2}, v{0.1, 0.4, -0.3}, tip{0.5, 0.25, -1};
        // v of the second origin: v + omega x c
        std::array<double, 3> velocity = v;
        for (std::size_t k = 0; k < 3; ++k) {
            const std::size_t a = (k + 1) % 3, b = (k + 2) % 3;
            velocity[k] += omega[a] * origin[b] - omega[b] * origin[a];
        }
        const auto row = [&](std::size_t i) { return text({axes[3 * i], axes[3 * i + 1], axes[3 * i + 2]}); };
        return Model::parse(
            fmt::format(
                "[[body]]\nname = \"stone\"\nmass = 3\ninertia = {}\n{}position = {}\norientation = [{}, {}, {}]\n"
                "velocity = {}\nomega = {}\npoints = {{ tip = {} }}\n[dynamics]\npotential = \"3*stone.r.z + "
                "4*((stone.tip.x - 1)^2 + stone.tip.y^2 + stone.tip.z^2)\"\n",
                inertia, com, text(origin), row(0), row(1), row(2), text(velocity), text(first ? omega : turned(omega)),
                text(first ? tip : place(tip))),
            "stone.toml");
    }
};

TEST(BodyKinds, a_body_moves_the_same_whatever_its_frame_is) {
    const SameStone same;
    const auto a = same.principal(), b = same.other();
    ASSERT_TRUE(b.bodies[0].turned);
    const auto x = run_of(a, "rattle", 0.01, 200), y = run_of(b, "rattle", 0.01, 200);
    // The principal axes of the second one are those of the first one up to signs, so that both make the same steps.
    // The tensor is rounded to 16 digits: its axes are off by some 1e-16/(1.5 - 1), and two units of time magnify all
    // this and the round-off of 200 steps (below 1e-14) a few times.
    const double round_off = 1e-13;
    const auto near = [&](const std::string& p, const std::string& q, bool axes) {
        const auto u = vector_at_end(a, p, x);
        const auto given = vector_at_end(b, q, y);
        const auto w = axes ? same.turned(u) : u;
        for (std::size_t k = 0; k < 3; ++k) {
            EXPECT_NEAR(w[k], given[k], round_off) << p << ' ' << k;
        }
    };
    near("stone.r", "stone.r", false);
    near("v_stone.r", "v_stone.r", false);
    near("stone.tip", "stone.tip", false);
    near("v_stone.tip", "v_stone.tip", false);
    near("stone.at(0.3, -0.2, 0.1)", "stone.at(0, 0, 0)", false);
    near("v_stone.at(0.3, -0.2, 0.1)", "v_stone.at(0, 0, 0)", false);
    near("stone.L", "stone.L", false);
    near("stone.omega", "stone.omega", true);
    EXPECT_NEAR(x.energy.final, y.energy.final, round_off);
    // The motion is not trivial: the tip is far from where it began.
    EXPECT_GT(std::abs(quantity(a, "stone.tip.x", x) - 0.5), 0.1);
}

TEST(BodyKinds, axes_of_a_turned_body_follow_from_the_coordinates) {
    const SameStone same;
    const auto b = same.other();
    EXPECT_EQ(b.coordinate_name(3), "stone.P[1,1]");
    const auto run = run_of(b, "rattle", 0.01, 100);
    // Q = P R^T with a rotation R that is exact to round-off.
    for (std::size_t i = 1; i <= 3; ++i) {
        for (std::size_t j = 1; j <= 3; ++j) {
            double sum = 0;
            for (std::size_t k = 1; k <= 3; ++k) {
                sum += quantity(b, fmt::format("stone.Q[{},{}]", k, i), run) *
                       quantity(b, fmt::format("stone.Q[{},{}]", k, j), run);
            }
            EXPECT_NEAR(sum, i == j ? 1 : 0, 2e-15);
        }
    }
    // d/dt Q = Q [omega]: the first column turns with (0, omega_3, -omega_2).
    const auto w = vector_at_end(b, "stone.omega", run);
    for (std::size_t i = 1; i <= 3; ++i) {
        const auto q = [&](int j) { return quantity(b, fmt::format("stone.Q[{},{}]", i, j), run); };
        EXPECT_NEAR(quantity(b, fmt::format("v_stone.Q[{},1]", i), run), q(2) * w[2] - q(3) * w[1], 1e-14);
    }
}

TEST(BodyKinds, a_diagonal_tensor_is_the_list_of_its_moments) {
    const auto text = [](const char* inertia) {
        return fmt::format("[[body]]\nname = \"top\"\nfixed = true\ninertia = {}\nomega = [0.3, -0.2, 2]\n[dynamics]\n"
                           "potential = \"top.Q[3,3]\"\n",
                           inertia);
    };
    const auto a = Model::parse(text("[2, 1.5, 1]"), "a.toml");
    const auto b = Model::parse(text("[[2, 0, 0], [0, 1.5, 0], [0, 0, 1]]"), "b.toml");
    EXPECT_EQ(a.coordinate_name(0), b.coordinate_name(0));
    const auto x = run_of(a, "rattle", 0.05, 40), y = run_of(b, "rattle", 0.05, 40);
    EXPECT_EQ(x.q, y.q);
    EXPECT_EQ(x.p, y.p);
}

TEST(BodyKinds, flat_slender_and_planar_bodies_have_fewer_coordinates_and_rows) {
    const auto model = Model::parse(R"toml(
[[body]]
name = "plate"
mass = 2
inertia = [1, 2, 3]
[[body]]
name = "rod"
mass = 3
inertia = [4, 0, 4]
[[body]]
name = "disc"
planar = true
mass = 5
inertia = 6
)toml",
                                    "kinds.toml");
    ASSERT_EQ(model.dimension, 3U + 6 + 3 + 3 + 3);
    ASSERT_EQ(model.constraint_rows, 3U + 1);
    const std::vector<std::string> names{"plate.r.x",    "plate.r.y",    "plate.r.z",    "plate.Q[1,1]", "plate.Q[1,2]",
                                         "plate.Q[2,1]", "plate.Q[2,2]", "plate.Q[3,1]", "plate.Q[3,2]", "rod.r.x",
                                         "rod.r.y",      "rod.r.z",      "rod.Q[1,2]",   "rod.Q[2,2]",   "rod.Q[3,2]",
                                         "disc.r.x",     "disc.r.y",     "disc.angle"};
    const std::vector<double> masses{2, 2, 2, 2, 1, 2, 1, 2, 1, 3, 3, 3, 4, 4, 4, 5, 5, 6};
    TermSystem<double> system(model);
    for (std::size_t k = 0; k < model.dimension; ++k) {
        EXPECT_EQ(model.coordinate_name(k), names[k]);
        EXPECT_EQ(model.coordinate_number(names[k]), k);
        EXPECT_EQ(1 / system.inverse_masses()[k], masses[k]) << names[k];
    }
    EXPECT_EQ(model.constraint_name(0), "plate.rigid[1,1]");
    EXPECT_EQ(model.constraint_name(1), "plate.rigid[2,2]");
    EXPECT_EQ(model.constraint_name(2), "plate.rigid[1,2]");
    EXPECT_EQ(model.constraint_name(3), "rod.rigid[2,2]");
    // The matrix algorithms take nine coordinates for granted.
    EXPECT_TRUE(system.bodies().empty());
}

TEST(BodyKinds, a_free_plate_follows_eulers_equations) {
    // I = (1, 2, 3): w' of mpmath.odefun at 40 digits from (0.3, -0.2, 2), at t = 1.
    constexpr std::array<double, 3> omega{0.057164296559758743646658808368316, 0.35599472355475713520352269770407,
                                          1.9927592057915721364885446154008};
    const auto model =
        Model::parse("[[body]]\nname = \"plate\"\nfixed = true\ninertia = [1, 2, 3]\norientation = { axis = "
                     "[1, 2, 3], angle = 0.5 }\nomega = [0.3, -0.2, 2]\n",
                     "plate.toml");
    const auto run = run_of(model, "compose(rattle, kahanli8)", 0.01, 100);
    const auto start = run_of(model, "rattle", 0.01, 0);
    const auto found = vector_at_end(model, "plate.omega", run);
    // Order 8 at h = 0.01 leaves the round-off of 1700 stages.
    const double round_off = 1e-14;
    for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_NEAR(found[k], omega[k], round_off);
        EXPECT_NEAR(vector_at_end(model, "plate.L", run)[k], vector_at_end(model, "plate.L", start)[k], round_off);
    }
    // L = Q I omega, with the third column of Q too, which is no coordinate.
    for (std::size_t i = 1; i <= 3; ++i) {
        double L = 0;
        for (std::size_t j = 1; j <= 3; ++j) {
            L += quantity(model, fmt::format("plate.Q[{},{}]", i, j), run) * static_cast<double>(j) * found[j - 1];
        }
        EXPECT_NEAR(vector_at_end(model, "plate.L", run)[i - 1], L, round_off);
    }
}

TEST(BodyKinds, a_symmetric_plate_precesses_at_the_rate_of_its_spin) {
    // I = (1, 1, 2): w_1 + i w_2 turns with the rate w_3 (I_3 - I_1)/I_1 = w_3.
    const auto model = Model::parse(
        "[[body]]\nname = \"disc\"\nfixed = true\ninertia = [1, 1, 2]\nomega = [0.5, 0, 1.5]\n", "disc.toml");
    const auto run = run_of(model, "compose(rattle, kahanli8)", 0.01, 100);
    const auto found = vector_at_end(model, "disc.omega", run);
    EXPECT_NEAR(found[0], 0.5 * std::cos(1.5), 1e-14);
    EXPECT_NEAR(found[1], 0.5 * std::sin(1.5), 1e-14);
    EXPECT_NEAR(found[2], 1.5, 1e-14);
}

// A pendulum in a field, with a little thickness or none.
double thin_error(const char* kind, double thickness, const std::string& formula) {
    const std::string name = kind;
    const auto inertia = [&](double e) {
        return name == "flat" ? fmt::format("[1, 2, {}]", 3 - e) : fmt::format("[{}, {}, {}]", e, 2, 2);
    };
    const auto model = [&](double e) {
        return Model::parse(
            fmt::format("[[body]]\nname = \"body\"\nfixed = true\ninertia = {}\norientation = {{ axis = "
                        "[1, 2, 3], angle = 0.5 }}\nomega = [0.3, 1, -0.5]\n[dynamics]\npotential = "
                        "\"body.at(1.5, 0, 0).z\"\n",
                        inertia(e)),
            "thin.toml");
    };
    const auto thin = model(0), thick = model(thickness);
    const auto a = run_of(thin, "compose(rattle, kahanli8)", 0.02, 50);
    const auto b = run_of(thick, "compose(rattle, kahanli8)", 0.02, 50);
    return std::abs(quantity(thin, formula, a) - quantity(thick, formula, b));
}

TEST(BodyKinds, thin_bodies_are_the_limit_of_thicker_ones) {
    for (const auto& [kind, formula] : {std::pair("flat", "body.Q[1,3]"), std::pair("slender", "body.at(1, 0, 0).y")}) {
        const double coarse = thin_error(kind, 1e-3, formula), fine = thin_error(kind, 1e-4, formula);
        EXPECT_GT(coarse, 1e-6) << kind;  // a difference that is no round-off
        // Linear in the thickness e up to terms of relative size e: the ratio is 10 within 1 %.
        EXPECT_NEAR(coarse / fine, 10, 0.1) << kind;
    }
}

TEST(BodyKinds, a_slender_pendulum_is_a_point_on_a_sphere_bit_by_bit) {
    const auto rod =
        Model::parse("[[body]]\nname = \"rod\"\nfixed = true\ninertia = [2, 2, 0]\norientation = { axis = [1, 0, "
                     "0], angle = 2 }\nomega = [0.25, 0.5, 0]\n[dynamics]\npotential = \"rod.at(0, 0, 1).z\"\n",
                     "rod.toml");
    const auto start = run_of(rod, "rattle", 0.02, 0);
    auto point =
        Model::parse(fmt::format("[coordinates]\nq = [\"x\", \"y\", \"z\"]\n[dynamics]\nmass = 2\npotential = "
                                 "\"z\"\nconstraints = [\"-1 + x*x + y*y + z*z\"]\n[initial]\nq = [{}, {}, {}]\np = "
                                 "[{}, {}, {}]\n",
                                 start.q[0], start.q[1], start.q[2], start.p[0], start.p[1], start.p[2]),
                     "point.toml");
    for (const auto* spec : {"rattle", "lobatto(3)"}) {
        const auto a = run_of(rod, spec, 0.02, 100), b = run_of(point, spec, 0.02, 100);
        EXPECT_EQ(a.q, b.q) << spec;
        EXPECT_EQ(a.p, b.p) << spec;
        EXPECT_GT(std::abs(a.q[2] - start.q[2]), 0.1);
    }
    // L = u x p, about the vertical it stays.
    const auto end = run_of(rod, "rattle", 0.02, 100);
    EXPECT_NEAR(quantity(rod, "rod.L.z", end), quantity(rod, "rod.L.z", start), 1e-14);
    EXPECT_NEAR(quantity(rod, "rod.L.z", start), start.q[0] * start.p[1] - start.q[1] * start.p[0], 1e-15);
}

TEST(BodyKinds, a_planar_body_is_a_spatial_one_that_stays_in_the_plane) {
    const auto planar = Model::parse(R"toml(
[[body]]
name = "plate"
planar = true
mass = 3
inertia = 0.7
com = [0.2, -0.1]
position = [1, 0.5]
angle = 0.4
velocity = [0.3, -0.2]
omega = 1.5
points = { pin = [1, 0.25] }
[dynamics]
potential = "2*(plate.pin.x^2 + plate.pin.y^2) + 3*plate.r.y"
)toml",
                                     "planar.toml");
    const auto spatial = Model::parse(R"toml(
[[body]]
name = "plate"
mass = 3
inertia = [0.5, 0.4, 0.7]
com = [0.2, -0.1, 0]
position = [1, 0.5, 0]
orientation = { axis = [0, 0, 2], angle = 0.4 }
velocity = [0.3, -0.2, 0]
omega = [0, 0, 1.5]
points = { pin = [1, 0.25, 0] }
[dynamics]
potential = "2*(plate.pin.x^2 + plate.pin.y^2) + 3*plate.r.y"
)toml",
                                      "spatial.toml");
    ASSERT_EQ(planar.dimension, 3U);
    const std::string spec = "compose(rattle, kahanli8)";
    const auto a = run_of(planar, "compose(verlet, kahanli8)", 0.01, 100), b = run_of(spatial, spec, 0.01, 100);
    // Both of order 8 at h = 0.01: the error of one unit of time is round-off of 1700 stages.
    const double round_off = 2e-14;
    for (const auto* formula :
         {"plate.r.x", "plate.r.y", "plate.pin.x", "plate.pin.y", "v_plate.pin.x", "v_plate.pin.y", "v_plate.r.x"}) {
        EXPECT_NEAR(quantity(planar, formula, a), quantity(spatial, formula, b), round_off) << formula;
    }
    EXPECT_NEAR(quantity(planar, "cos(plate.angle)", a), quantity(spatial, "plate.Q[1,1]", b), round_off);
    EXPECT_NEAR(quantity(planar, "plate.omega", a), quantity(spatial, "plate.omega.z", b), round_off);
    EXPECT_NEAR(quantity(planar, "plate.L", a), quantity(spatial, "plate.L.z", b), round_off);
    EXPECT_NEAR(a.energy.final, b.energy.final, 4 * round_off);
}

TEST(BodyKinds, a_lent_direction_settles_the_axes_of_a_slender_body) {
    auto model = Model::parse("[[body]]\nname = \"rod\"\nmass = 1\ninertia = [0, 2, 2]\ncom = [1, 0, 0]\n", "rod.toml");
    auto& rod = model.bodies[0];
    const auto free = frame_of(rod);
    EXPECT_TRUE(free.determines_point({5, 0, 0}));
    EXPECT_FALSE(free.determines_point({1, 0.1, 0}));
    EXPECT_THROW((void)free.point({1, 0, 1}), InputError);
    EXPECT_THROW((void)free.local_direction({1, 0, 0}), InputError);
    // The direction (3, 4, 0)/5 of the rod is (0, 0.8, 0.6) in the world, where its axis is (0, 0, 1).
    rod.lent = LentDirection{{3, 4, 0}, {0, 0.8, 0.6}};
    const auto frame = frame_of(rod);
    const std::vector<Expression> q = model.coordinate_symbols();
    const std::vector<double> at{0, 0, 0, 0, 0, 1};
    const auto value = [&](const Expression& e) { return Tape<double>(compile(std::array{e}, {}, q), at).output(0); };
    constexpr std::array<double, 9> expected{0, 0, -1, 0, 1, 0, 1, 0, 0};  // columns u, e2 = (0, 1, 0), u x e2
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
            EXPECT_NEAR(value(frame.axes[3 * i + j]), expected[3 * i + j], 1e-15) << i << ' ' << j;
        }
        EXPECT_NEAR(value(frame.direction({0.6, 0.8, 0})[i]), (std::array{0.0, 0.8, 0.6})[i], 1e-15);
    }
    EXPECT_NEAR(value(frame.origin[2]), -1, 1e-15);
}

TEST(BodyKinds, frames_and_points_stand_in_formulas) {
    const auto model = Model::parse(R"toml(
[[body]]
name = "crank"
mass = 1
inertia = [2, 1.5, 1]
com = [0.5, 0, 0]
position = [1, 2, 3]
orientation = { euler = "zxz", angles = ["pi/2", 0, 0] }
points = { pin = [0.5, 1, 0] }
frames = { bore = { at = [1, 0, 0], axis = [0, 0, 2], x = [1, 0, 0] }, plain = { at = [0, 0, 1] } }
velocity = [1, 0, 0]
omega = [0, 0, 2]
)toml",
                                    "crank.toml");
    const auto run = run_of(model, "rattle", 0.01, 0);
    // Turned by 90 degrees about z: (x, y, z) is at (1 - y, 2 + x, 3 + z).
    const auto expect = [&](const std::string& formula, const std::array<double, 3>& values) {
        const auto found = vector_at_end(model, formula, run);
        for (std::size_t k = 0; k < 3; ++k) {
            EXPECT_NEAR(found[k], values[k], 2e-15) << formula << ' ' << k;
        }
    };
    expect("crank.pin", {0, 2.5, 3});
    expect("crank.bore", {1, 3, 3});
    expect("crank.plain", {1, 2, 4});
    expect("crank.bore.axis", {0, 0, 1});
    expect("crank.r", {1, 2.5, 3});
    expect("crank.at(0, 0, 0)", {1, 2, 3});
    expect("v_crank.pin", {1 - 1, -2, 0});  // (1, 0, 0) + 2 z x (-1, 0.5, 0)
    expect("v_crank.bore", {1 - 2, 0, 0});
    expect("v_crank.bore.axis", {0, 0, 0});
    expect("v_crank.r", {0, 0, 0});
    expect("crank.omega", {0, 0, 2});
}

TEST(BodyKinds, texts_are_written_from_the_data) {
    auto model = Model::parse(R"toml(
[parameters]
J = 2
[[body]]
name = "crank"
mass = 1
inertia = [["J", 0.1, 0], [0.1, 1.5, -0.25], [0, -0.25, 1]]
com = ["J/8", 0, 0]
position = [1, "J", 3]
orientation = { euler = "zxz", angles = ["pi/2", 0.25, 0] }
points = { pin = [0.5, "J", 0] }
frames = { bore = { at = [1, 0, 0], axis = [0, 0, "J"], x = [1, 0, 0] }, plain = { at = [0, 0, 1] } }
velocity = [1, 0, 0]
omega = [0, 0, 2]
[[body]]
name = "plate"
mass = 2
inertia = [1, 2, 3]
orientation = { axis = [1, 2, "J"], angle = 0.5 }
[[body]]
name = "rod"
fixed = true
inertia = [4, 0, 4]
orientation = { rpy = [0.1, 0.2, 0.3] }
[[body]]
name = "late"
mass = 1
inertia = [1, 2, 3]
[[body]]
name = "disc"
planar = true
mass = 5
inertia = "J"
com = [1, 0]
angle = "pi/2"
omega = 2
points = { rim = [0, 1] }
[[body]]
name = "wheel"
planar = true
mass = 5
inertia = 1
[[body]]
name = "flap"
planar = true
fixed = true
inertia = 1
angle = 0.3
[dynamics]
potential = "crank.pin.x*rod.at(0, 1, 0).z + disc.rim.y*plate.Q[3,3] + crank.bore.axis.x + cos(flap.angle)"
[initial.late]
Q = [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
omega = [1, 2, 3]
r = [1, 2, 3]
[initial.wheel]
r = [1, 2]
angle = "J/3"
omega = -1
)toml",
                              "kinds.toml");
    auto built = model;
    built.text.clear();
    const auto again = Model::parse(to_text(built), "again.toml");
    expect_same_model(model, again);
    expect_same_run(model, again, "rattle", 0.01, 10);
    auto second = again;
    second.text.clear();
    EXPECT_EQ(to_text(second), to_text(built));
    // With another value the tensor has other principal axes.
    const auto varied = model.with({{"J", "2.2"}});
    EXPECT_NE(varied.bodies[0].principal, model.bodies[0].principal);
}

TEST(BodyKinds, cpp_describes_the_same_bodies_as_a_text) {
    ModelBuilder builder("plate");
    BodyStart start{.omega = {0.3, 1, -0.5}};
    start.orientation = {Orientation::Form::axis, {1, 2, 3, 0.5}};
    const auto plate = builder.body({.name = "plate",
                                     .inertia = {1, 2, 3},
                                     .mass = 2,
                                     .com = {1, 0, 0},
                                     .points = {{"tip", {1, 0, 0.5}}},
                                     .start = start});
    builder.potential(2 * plate.at({1, 0, 0.5})[2]);
    const auto from_text =
        Model::parse("[[body]]\nname = \"plate\"\ninertia = [1, 2, 3]\nmass = 2\ncom = [1, 0, 0]\norientation "
                     "= { axis = [1, 2, 3], angle = 0.5 }\nomega = [0.3, 1, -0.5]\npoints = { tip = [1, 0, "
                     "0.5] }\n[dynamics]\npotential = \"2*plate.tip.z\"\n",
                     "plate.toml");
    const auto from_cpp = builder.build();
    const auto a = run_of(from_cpp, "rattle", 0.05, 20), b = run_of(from_text, "rattle", 0.05, 20);
    EXPECT_EQ(a.q, b.q);
    EXPECT_EQ(a.p, b.p);
}

TEST(BodyKinds, orientations_in_all_forms_are_the_same) {
    const auto start = [](const std::string& orientation) {
        const auto model = Model::parse(
            "[[body]]\nname = \"b\"\nfixed = true\ninertia = [2, 1.5, 1]\norientation = " + orientation + "\n",
            "b.toml");
        return run_of(model, "rattle", 0.01, 0).q;
    };
    // Turn by 0.7 about z, then by -0.4 about the new x, and by 0.3 about the new z.
    const auto euler = start("{ euler = \"zxz\", angles = [0.7, -0.4, 0.3] }");
    const double a = 0.7, b = -0.4, c = 0.3;
    // Goldstein, Poole, Safko, Classical Mechanics, (4.47), for the rotation of the body.
    const std::array<double, 9> expected{std::cos(c) * std::cos(a) - std::cos(b) * std::sin(a) * std::sin(c),
                                         -std::sin(c) * std::cos(a) - std::cos(b) * std::sin(a) * std::cos(c),
                                         std::sin(b) * std::sin(a),
                                         std::cos(c) * std::sin(a) + std::cos(b) * std::cos(a) * std::sin(c),
                                         -std::sin(c) * std::sin(a) + std::cos(b) * std::cos(a) * std::cos(c),
                                         -std::sin(b) * std::cos(a),
                                         std::sin(b) * std::sin(c),
                                         std::sin(b) * std::cos(c),
                                         std::cos(b)};
    for (std::size_t k = 0; k < 9; ++k) {
        EXPECT_NEAR(euler[k], expected[k], 4e-16);
    }
    // Roll, pitch and yaw about fixed axes are yaw, pitch and roll about those of the body.
    const auto rpy = start("{ rpy = [0.1, 0.2, 0.3] }"), zyx = start("{ euler = \"zyx\", angles = [0.3, 0.2, 0.1] }");
    EXPECT_EQ(rpy, zyx);
    const auto axis = start("{ axis = [0, 3, 0], angle = 0.6 }"), turned = start("{ rpy = [0, 0.6, 0] }");
    const auto quaternion = start("[\"cos(0.3)\", 0, \"sin(0.3)\", 0]");
    for (std::size_t k = 0; k < 9; ++k) {
        EXPECT_NEAR(axis[k], turned[k], 4e-16);
        EXPECT_NEAR(axis[k], quaternion[k], 4e-16);
    }
    EXPECT_EQ(start("[[1, 0, 0], [0, 1, 0], [0, 0, 1]]"), start("[1, 0, 0, 0]"));
}

}  // namespace
}  // namespace libration
