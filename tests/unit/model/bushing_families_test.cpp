// Families of bushings: the builder makes the model of the text.
#include "same_model.hpp"

#include <libration/model/builder.hpp>

#include <gtest/gtest.h>

namespace libration {
namespace {

TEST(BushingFamily, the_builder_makes_the_model_of_the_text) {
    const auto text =
        Model::parse("[parameters]\nk = 20\n[[body]]\nfor = 'i in 0..3'\nname = 'cell[i]'\nmass = 1\n"
                     "inertia = [1, 1.25, 0.75]\nposition = ['i', 0, 0]\n"
                     "[[bushing]]\nfor = 'i in 1..3'\nname = 'mount'\nbetween = ['cell[i-1]', 'cell[i]']\n"
                     "at = ['i - 1/2', 0, 0]\nstiffness = ['k*i', 1, 2]\ndamping = 'i/10'\n",
                     "t");
    ModelBuilder builder("t");
    const auto k = builder.parameter("k", 20), i = symbol("i");
    builder.bodies({.name = "cell[i]",
                    .inertia = {1, ratio(5, 4), ratio(3, 4)},
                    .mass = 1,
                    .start = BodyStart{.in_body = true, .position = {i, 0, 0}}},
                   over(i, 0, 3));
    builder.bushings({.name = "mount",
                      .between = {"cell[i-1]", "cell[i]"},
                      .at = {{i - ratio(1, 2), 0, 0}},
                      .stiffness = {k * i, 1, 2},
                      .damping = {i / 10}},
                     over(i, 1, 3));
    const auto built = builder.build();
    ASSERT_EQ(built.forces.size(), 1U);
    EXPECT_EQ(built.forces[0].name, "mount");
    EXPECT_EQ(built.potential.size(), 3U);
    expect_same_model(built, text);
}

}  // namespace
}  // namespace libration
