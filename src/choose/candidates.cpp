// Lists of methods by what a model is.
#include "candidates.hpp"

#include <libration/kit/method_record.hpp>
#include <libration/text/error.hpp>

#include <algorithm>
#include <string>

namespace libration {

namespace {

std::vector<Method> fitting_methods(const std::vector<std::string>& specs, const SystemProperties& properties,
                                    std::size_t constraints) {
    std::vector<Method> fitting;
    for (const auto& spec : specs) {
        if (auto one = method(spec); unmet_needs(one, properties, constraints).empty()) {
            fitting.push_back(std::move(one));
        }
    }
    return fitting;
}

// The first method of the registry that accepts the model.
std::vector<Method> any_method(const SystemProperties& properties, std::size_t constraints) {
    for (const auto* record : methods()) {
        const auto example = method(examples(*record).front());
        if (unmet_needs(example, properties, constraints).empty()) {
            return {example};
        }
    }
    throw InputError("no method can run this model; `libration methods` shows what each of them needs");
}

}  // namespace

std::vector<Method> usual_methods(const SystemProperties& properties, std::size_t constraints) {
    std::vector<std::string> specs{"verlet", "compose(verlet, kahanli8)", "gauss(2)", "gauss(3)", "runge2"};
    if (constraints > 0) {
        specs = {"rattle", "compose(rattle, kahanli8)", "multistep(8)", "lobatto(3)", "lobatto(4)"};
    }
    if (properties.forced) {
        specs = {"spark(2)", "spark(3)", "spark(4)"};
    }
    auto fitting = fitting_methods(specs, properties, constraints);
    fitting.erase(fitting.begin() + std::min<std::ptrdiff_t>(std::ssize(fitting), 4), fitting.end());
    return fitting.empty() ? any_method(properties, constraints) : fitting;
}

std::vector<Method> candidate_methods(const SystemProperties& properties, std::size_t constraints) {
    std::vector<std::string> specs;
    if (properties.forced || properties.nonholonomic > 0) {
        specs = {"spark(2)", "spark(3)", "spark(4)", "spark(5)", "spark(6)"};
    } else if (constraints > 0) {
        specs = {"rattle",     "respa(4)",
                 "lobatto(3)", "compose(rattle, blanesmoan4)",
                 "lobatto(4)", "compose(rattle, kahanli6)",
                 "lobatto(5)", "compose(rattle, kahanli8)",
                 "lobatto(6)", "multistep(8)"};
    } else {
        specs = {"verlet",
                 "respa(4)",
                 "volume",
                 "gauss(2)",
                 "compose(verlet, blanesmoan4)",
                 "gauss(3)",
                 "compose(verlet, kahanli6)",
                 "gauss(4)",
                 "compose(verlet, kahanli8)",
                 "gauss(6)",
                 "multistep(8)"};
    }
    auto fitting = fitting_methods(specs, properties, constraints);
    return fitting.empty() ? any_method(properties, constraints) : fitting;
}

}  // namespace libration
