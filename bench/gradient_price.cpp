// What a gradient by all parameters and initial values costs, in units of the compiled run itself.
//
//     gradient_price [STEPS]        200000, unless something else is given
//
// Eleven interleaved pairs of run and gradient, CPU time of the thread; the ratio is the median of the pairs. Code is
// compiled by a first call, which is not counted: what it costs does not depend on the number of steps, and is printed
// apart. "Steps" is the ratio of what the second half of the steps costs: without what each call sets up.
#include <libration/gradient/gradient.hpp>
#include <libration/integrate/integrate.hpp>
#include <libration/model/model.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>

namespace {

using namespace libration;

struct Problem {
    std::string name, text, loss;
    std::vector<std::string> by;
};

// n rods in series, at small angles: the motion is regular, so that long runs have gradients.
std::string pendulum(int n, const std::string& more = "", const std::string& parameters = "") {
    std::string values = "g = 1.0\n", q, mass, energy, rods, start, x = "0", y = "0";
    const auto list = [](std::string& to, const std::string& item) { to += (to.empty() ? "" : ", ") + item; };
    for (int k = 1; k <= n; ++k) {
        values += fmt::format("l{0} = {1}\nm{0} = {2}\ntheta{0} = {3}\n", k, 1 + 0.1 * k, 1.3 - 0.1 * k, 0.1 * k - 0.3);
        list(q, fmt::format("\"x{0}\", \"y{0}\"", k));
        list(mass, fmt::format("\"m{0}\", \"m{0}\"", k));
        energy += fmt::format("{1}g*m{0}*y{0}", k, k > 1 ? " + " : "");
        list(rods, k == 1 ? "\"x1^2 + y1^2 - l1^2\""
                          : fmt::format("\"(x{0} - x{1})^2 + (y{0} - y{1})^2 - l{0}^2\"", k, k - 1));
        x += fmt::format(" + l{0}*sin(theta{0})", k);
        y += fmt::format(" - l{0}*cos(theta{0})", k);
        list(start, fmt::format("\"{}\", \"{}\"", x, y));
    }
    return fmt::format(
        "name = \"pendulum of {} rods\"\n[parameters]\n{}{}[coordinates]\nq = [{}]\n[dynamics]\nmass = [{}]\n"
        "potential = \"{}{}\"\nconstraints = [{}]\n[initial]\nq = [{}]\n",
        n, values, parameters, q, mass, energy, more, rods, start);
}

std::vector<std::string> initial_values(int n) {
    std::vector<std::string> names;
    for (const auto* prefix : {"", "v_"}) {
        for (int k = 1; k <= n; ++k) {
            names.push_back(fmt::format("{}x{}", prefix, k));
            names.push_back(fmt::format("{}y{}", prefix, k));
        }
    }
    return names;
}

std::vector<std::string> all_unknowns(const std::string& text, int n) {
    auto names = initial_values(n);
    for (const auto& parameter : Model::parse(text, "bench").parameters) {
        names.push_back(parameter.name);
    }
    return names;
}

// A field of 100 parameters: a grid of bumps, in the position of the last mass.
std::string bumps(std::string& parameters) {
    std::string sum;
    for (int k = 0; k < 100; ++k) {
        parameters += fmt::format("c{} = {}\n", k, 0.01 / (1 + k));
        sum += fmt::format(" + c{}*exp(-(x2 - {})^2 - (y2 - {})^2)", k, 0.3 * (k % 10) - 1.35, 0.1 - 0.3 * (k / 10));
    }
    return sum;
}

// The same as a polynomial, whose terms cost next to nothing in the run, because they share powers.
std::string polynomial(std::string& parameters) {
    std::string sum;
    int count = 0;
    for (int degree = 1; count < 100; ++degree) {
        for (int k = 0; k <= degree && count < 100; ++k, ++count) {
            parameters += fmt::format("c{} = {}\n", count, 0.01 / (1 + count));
            sum += fmt::format(" + c{}*(x2/3)^{}*(y2/3)^{}", count, degree - k, k);
        }
    }
    return sum;
}

double cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class Work>
double seconds_of(const Work& work) {
    const double start = cpu_seconds();
    work();
    return cpu_seconds() - start;
}

void measure(const Problem& problem, std::int64_t steps) {
    const auto model = Model::parse(problem.text, problem.name);
    const auto rattle = method("rattle");
    GradientOptions options;
    options.run = {.step = 0.01, .steps = steps, .monitor = 0, .backend = Backend::generated};
    options.loss = problem.loss;
    options.by = problem.by;
    options.mode = GradientMode::backward;
    Gradient result;
    const auto run = [&] { static_cast<void>(integrate(model, rattle, options.run)); };
    const auto differentiate = [&] { result = gradient(model, rattle, options); };
    const double first_run = seconds_of(run), first = seconds_of(differentiate);
    std::array<double, 11> ratios{}, of_steps{}, runs{}, gradients{};
    for (std::size_t pair = 0; pair < ratios.size(); ++pair) {
        runs[pair] = seconds_of(run);
        gradients[pair] = seconds_of(differentiate);
        ratios[pair] = gradients[pair] / runs[pair];
        options.run.steps = steps / 2;
        const double half_run = seconds_of(run), half = seconds_of(differentiate);
        options.run.steps = steps;
        of_steps[pair] = (gradients[pair] - half) / (runs[pair] - half_run);
    }
    for (auto* list : {&ratios, &of_steps, &runs, &gradients}) {
        std::ranges::sort(*list);
    }
    if (result.failure) {
        throw InputError(result.failure->message);
    }
    const double each = 1e9 / static_cast<double>(steps);
    fmt::print("{:<28} {:>4} unknowns  run {:>6.0f} ns/step  gradient {:>6.0f} ns/step  ratio {:.2f} ({:.2f} to "
               "{:.2f})  steps {:.2f}  first "
               "call {:.2f} + {:.2f} s  growth {:.0e}\n",
               problem.name, result.derivatives.size(), runs[5] * each, gradients[5] * each, ratios[5], ratios[1],
               ratios[9], of_steps[5], first_run, first, result.tangent_growth);
}

}  // namespace

int main(int count, char** words) {
    try {
        const std::int64_t steps = count > 1 ? std::stoll(words[1]) : 200'000;
        const auto two = pendulum(2), three = pendulum(3);
        measure({"double pendulum", two, "x2*y1 + v_x2", all_unknowns(two, 2)}, steps);
        measure({"triple pendulum", three, "x3*y1 + v_x3", all_unknowns(three, 3)}, steps);
        for (const auto& [name, field] : {std::pair("100 bumps", &bumps), std::pair("100 monomials", &polynomial)}) {
            std::string parameters;
            const auto more = field(parameters);
            const auto text = pendulum(2, more, parameters);
            measure({fmt::format("the first in {}", name), text, "x2*y1 + v_x2", all_unknowns(text, 2)}, steps);
        }
    } catch (const std::exception& error) {
        fmt::print(stderr, "gradient_price: {}\n", error.what());
        return 1;
    }
    return 0;
}
