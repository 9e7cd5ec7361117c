// What one more member of an ensemble costs before its first step: its model, its system, and all that a run needs
// besides.
//
//     member_setup [MODEL] [PARAMETER]        triple-pendulum g, unless something else is named
//
// Members differ in one parameter, which is varied by up to one per cent around its value in the model. Three columns:
// the model alone, a member that shares lanes with others, and one that runs alone, as those of methods without lanes
// do.
#include "ensemble/trajectory.hpp"

#include <libration/integrate/integrate.hpp>
#include <libration/kit/make_system.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace {

using libration::Model;

constexpr std::size_t members = 2000;

// In microseconds; the first of them, which finds nothing prepared, is told apart.
struct Times {
    double first = 0, median = 0;
};

template <class Work>
Times measure(const Work& work) {
    std::vector<double> times;
    for (std::size_t member = 0; member < members; ++member) {
        const auto start = std::chrono::steady_clock::now();
        work(member);
        const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - start;
        times.push_back(spent.count());
    }
    const double first = times.front();
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::ranges::nth_element(times, middle);
    return {first, *middle};
}

void print(const char* what, const Times& times) {
    fmt::print("{:<44} {:>10.1f} us, median {:>8.1f} us\n", what, times.first, times.median);
}

int run(int count, char** words) {
    const std::string name = count > 1 ? words[1] : "triple-pendulum", parameter = count > 2 ? words[2] : "g";
    const auto base = Model::load(name);
    const auto given = libration::parameter_values<double>(base);
    const auto found = std::ranges::find(given.symbols, libration::symbol(parameter));
    if (found == given.symbols.end()) {
        throw libration::InputError(name + " has no parameter '" + parameter + "' that is one number");
    }
    const double value = given.values[static_cast<std::size_t>(found - given.symbols.begin())];
    libration::VariedValues values{{parameter}, {}};
    for (std::size_t member = 0; member < members; ++member) {
        values.values.push_back(value * (1 + 0.01 * static_cast<double>(member) / static_cast<double>(members)));
    }
    const libration::VariedModel models(base, values);
    const auto rattle = libration::method("rattle");
    libration::IntegrationOptions options;
    options.step = 0.01;
    options.steps = 1;
    options.project = true;  // a varied length moves the constraints
    options.backend = libration::Backend::interpreted;
    const libration::EnsemblePlan plan{.models = &models, .method = rattle, .options = options, .steps = 1};

    fmt::print("{}, {} varied, {} members: the first, and the median\n", base.name, parameter, members);
    print("model", measure([&](std::size_t member) { static_cast<void>(models.of(member)); }));
    print("model and system",
          measure([&](std::size_t member) { static_cast<void>(libration::make_system<double>(models.of(member))); }));
    print("member in a lane, ready to step", measure([&](std::size_t member) {
              libration::TrajectoryRecord record;
              std::shared_ptr<libration::System<double>> own;
              const libration::LaneTrajectory trajectory(plan, member, record, own);
          }));
    print("member alone, ready to step",
          measure([&](std::size_t member) { const libration::Integration alone(models.of(member), rattle, options); }));
    return 0;
}

}  // namespace

int main(int count, char** words) {
    try {
        return run(count, words);
    } catch (const std::exception& fault) {
        fmt::print(stderr, "member_setup: {}\n", fault.what());
        return 2;
    }
}
