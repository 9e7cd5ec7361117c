// Roots of rho and sigma, found in u = zeta + 1/zeta - 2.
#include "multistep_stability.hpp"

#include "multistep_reduced.hpp"

#include <fmt/format.h>

#include <complex>
#include <numbers>

namespace libration {

namespace {

using multistep::Polynomial;
using polynomial::Complex;

// Nearer than this, roots count as one: half of the digits of Wide is all that is known of a double root.
constexpr double same_root = 1e-8;

// All roots; those that are real have an imaginary part of exactly zero.
std::vector<Complex<Wide>> all_roots(const Polynomial<Wide>& p) {
    if (p.size() < 2) {
        return {};
    }
    auto roots = polynomial::complex_roots(p);
    std::sort(roots.begin(), roots.end(), [](const auto& x, const auto& y) { return wide_abs(x.im) < wide_abs(y.im); });
    const auto bound = polynomial::root_bound(p);
    std::size_t i = 0;
    for (const Wide u : polynomial::real_roots(p, Wide{-bound}, bound)) {
        roots[i++] = {u, Wide{0}};
    }
    return roots;
}

MultistepRoot root_of(const Complex<Wide>& u) {
    const double x = high(u.re + 2);
    if (u.im == 0 && std::abs(x) <= 2) {
        return {.modulus = 1, .angle = std::acos(x / 2)};
    }
    const std::complex<double> z{x, std::abs(high(u.im))};
    auto zeta = (z + std::sqrt(z * z - 4.0)) / 2.0;
    zeta = std::abs(zeta) < 1 ? 1.0 / zeta : zeta;
    return {.modulus = std::abs(zeta), .angle = std::abs(std::arg(zeta))};
}

double degrees(double angle) { return angle * 180 / std::numbers::pi; }

// The real parts of roots that are all real.
std::vector<Wide> real_parts(const std::vector<Complex<Wide>>& roots) {
    std::vector<Wide> result;
    for (const auto& root : roots) {
        result.push_back(root.re);
    }
    return result;
}

RootCondition judged(const std::vector<Complex<Wide>>& roots, const char* name) {
    MultistepRoot outside;
    for (const auto& u : roots) {
        const auto root = root_of(u);
        outside = root.modulus > outside.modulus ? root : outside;
    }
    if (outside.modulus > 1 + same_root) {
        return {.holds = false,
                .margin = 1 - outside.modulus,
                .fault = fmt::format("{} has a root of modulus {} at the angle {:.4g} degrees", name,
                                     outside.modulus < 1.001 ? fmt::format("1 + {:.2g}", outside.modulus - 1)
                                                             : fmt::format("{:.4g}", outside.modulus),
                                     degrees(outside.angle))};
    }
    const double gap = high(multistep::smallest_gap(real_parts(roots)));
    if (gap > same_root) {
        return {.holds = true, .margin = gap, .fault = ""};
    }
    return {.holds = false,
            .margin = std::min(gap, 0.0),
            .fault = fmt::format("{} has a multiple root on the unit circle", name)};
}

RootCondition judged_parameters(const std::vector<Wide>& a) {
    std::vector<Wide> u;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (!(wide_abs(a[i]) < 1)) {
            return {.holds = false,
                    .margin = high(1 - wide_abs(a[i])),
                    .fault = fmt::format("a = {:.6g} is not between -1 and 1", high(a[i]))};
        }
        for (std::size_t j = 0; j < i; ++j) {
            if (wide_abs(2 * a[i] - 2 * a[j]) <= same_root) {
                return {.holds = false, .margin = 0, .fault = fmt::format("a = {:.6g} is given twice", high(a[i]))};
            }
        }
        u.push_back(-2 - 2 * a[i]);
    }
    return {.holds = true, .margin = high(multistep::smallest_gap(u)), .fault = ""};
}

std::vector<MultistepRoot> listed(const std::vector<Complex<Wide>>& roots) {
    std::vector<MultistepRoot> result;
    for (const auto& u : roots) {
        if (u.im >= 0) {
            result.push_back(root_of(u));
        }
    }
    std::sort(result.begin(), result.end(), [](const MultistepRoot& x, const MultistepRoot& y) {
        return x.modulus != y.modulus ? x.modulus < y.modulus : x.angle < y.angle;
    });
    return result;
}

RootCondition judged_common(std::vector<Complex<Wide>> rho, const std::vector<Complex<Wide>>& sigma) {
    rho.push_back({});  // the double root 1
    Wide gap = 4;
    for (const auto& x : rho) {
        for (const auto& y : sigma) {
            gap = std::min(gap, polynomial::size(x - y));
        }
    }
    const bool apart = gap > same_root;
    return {.holds = apart, .margin = high(gap), .fault = apart ? "" : "rho and sigma have a common root"};
}

}  // namespace

bool MultistepStability::good() const {
    return holds() && rho.margin >= good_root_margin && sigma.margin >= good_root_margin &&
           sigma_response <= good_sigma_response;
}

RootCondition sigma_condition(const MultistepPair& pair) {
    return judged(all_roots(multistep::in_u(pair.sigma)), "sigma");
}

MultistepStability multistep_stability(const MultistepPair& pair) {
    const auto sigma = multistep::in_u(pair.sigma);
    const auto tilde = multistep::in_u(pair.rho_tilde);
    const auto rho = polynomial::product(tilde, {Wide{0}, Wide{1}});
    const auto sigma_roots = all_roots(sigma);
    auto rho_roots = all_roots(tilde);
    const bool of_parameters = pair.a.size() + 1 == static_cast<std::size_t>(pair.k) / 2;
    if (of_parameters) {  // known exactly
        for (std::size_t i = 0; i < pair.a.size(); ++i) {
            rho_roots[i] = {-2 - 2 * pair.a[i], Wide{0}};
        }
    }
    const double infinite = std::numeric_limits<double>::infinity();
    MultistepStability result;
    result.rho_roots = listed(rho_roots);
    result.sigma_roots = listed(sigma_roots);
    result.rho = of_parameters ? judged_parameters(pair.a) : judged(rho_roots, "rho");
    result.sigma = judged(sigma_roots, "sigma");
    result.irreducible = judged_common(rho_roots, sigma_roots);
    result.largest_root = result.sigma_roots.empty() ? 1 : result.sigma_roots.back().modulus;
    result.periodicity = std::sqrt(high(multistep::periodicity_squared(rho, sigma)));
    result.depth = result.sigma.holds ? high(multistep::depth(sigma)) : 0;
    result.rho_response =
        result.rho.holds ? high(multistep::response(rho, real_parts(rho_roots), sigma[0], wide_sqrt)) : infinite;
    result.sigma_response =
        result.sigma.holds ? high(multistep::response(sigma, real_parts(sigma_roots), sigma[0], wide_sqrt)) : infinite;
    return result;
}

}  // namespace libration
