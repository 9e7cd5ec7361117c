// How round-off grows in the energy of the pendulum: bench/round_off [METHOD] [STEPS] [--plain].
#include "analysis/round_off.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <string>

int main(int count, char** words) {
    const std::vector<std::string> arguments(words + 1, words + count);
    const std::string spec = !arguments.empty() ? arguments[0] : "rattle";
    libration::RoundOffOptions options;
    options.step = 0.01;  // that of the built-in pendulum
    options.steps = arguments.size() > 1 ? std::atoll(arguments[1].c_str()) : 1'000'000;
    options.compensated = arguments.size() < 3 || arguments[2] != "--plain";
    std::vector<libration::Model> models;
    for (int k = 0; k < 16; ++k) {
        models.push_back(libration::Model::parse(
            fmt::format("[coordinates]\nq = [\"x\", \"y\"]\n[dynamics]\nmass = 1\npotential = \"y\"\n"
                        "constraints = [\"x^2 + y^2 - 1\"]\n[initial]\nq = [\"sin({0})\", \"-cos({0})\"]\nv = [0, 0]\n",
                        1 + 0.05 * k),
            "pendulum"));
    }
    const auto growth = libration::round_off_growth(libration::method(spec), models, options);
    fmt::print("{}, 16 starts of the pendulum, h = {}, {}\n", spec, options.step,
               options.compensated ? "compensated" : "plain sums");
    for (std::size_t k = 0; k < growth.steps.size(); ++k) {
        fmt::print("{:10.0f} steps   rms of the energy at a fixed phase {:.2e}\n", growth.steps[k], growth.rms[k]);
    }
    fmt::print("exponent {:.2f}\n", growth.exponent);
}
