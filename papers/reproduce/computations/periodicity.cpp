// P-stability: the eigenvalues of the stability matrix of a pair of methods on the harmonic oscillator, y' = z, z' = -y
// with step mu [Jay 1998, (30)]. Arguments:
//   position, momentum   families, "Lobatto IIIA" and so on
//   s                    numbers of stages
//   largest              the mu up to which the eigenvalues are looked at
// Numbers, one each number of stages: `end`, the end of the interval of periodicity (-1: none, as with damping;
// `largest`: nothing unstable below), `beyond`, the largest distance of a modulus from 1 over 1000 values of mu below
// `largest`, `at_largest`, the larger modulus there. Curves "s = 2", ...: the larger modulus against mu.
#include "reproduce/computations/list.hpp"
#include "reproduce/computations/named_family.hpp"

#include "reports/periodicity.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration {

Computed pair_periodicity(const ComputationArguments& arguments) {
    const auto position = family_named(arguments.text("position")), momentum = family_named(arguments.text("momentum"));
    const double largest = arguments.number("largest");
    if (!(largest > 0 && largest <= periodicity_largest_mu)) {
        throw InputError(fmt::format("largest is {}; write a mu above 0, at most {}", largest, periodicity_largest_mu));
    }
    constexpr int parts = 1000;
    Computed result;
    for (const double stages : arguments.numbers("s")) {
        const auto s = static_cast<std::size_t>(std::max(0.0, stages));
        const auto a = tableau(position, s), ahat = tableau(momentum, s);
        const auto found = periodicity(a, ahat);
        const bool ends = found.kind == PeriodicityKind::interval && high(found.end) < largest;
        const bool rotates = found.kind == PeriodicityKind::interval || found.kind == PeriodicityKind::everywhere ||
                             found.kind == PeriodicityKind::not_found;
        result.numbers["end"].push_back(ends ? high(found.end) : rotates ? largest : -1);
        plot::Series curve{.name = fmt::format("s = {}", s)};
        double beyond = 0;
        for (int n = 1; n <= parts; ++n) {
            const double mu = largest * n / parts;
            const auto moduli = stability_matrix_moduli(a, ahat, mu);
            beyond = std::max({beyond, std::abs(moduli.larger - 1), std::abs(moduli.smaller - 1)});
            curve.x.push_back(mu);
            curve.y.push_back(moduli.larger);
        }
        result.numbers["beyond"].push_back(beyond);
        result.numbers["at_largest"].push_back(curve.y.back());
        result.curves[curve.name] = std::move(curve);
    }
    return result;
}

}  // namespace libration
