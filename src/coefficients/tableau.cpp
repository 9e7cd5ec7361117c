// Tableaux on quadrature nodes.
//
// With x = 2c - 1 and nodes x_j, the polynomial that is 1 at x_j and 0 at the other nodes is a sum of Legendre
// polynomials whose coefficients the quadrature formula itself gives (its discrete orthogonality), and
//   int_(-1)^x P_k = (P_(k+1)(x) - P_(k-1)(x)) / (2k+1).
// No Vandermonde matrix is solved: at 40 stages that would lose all digits.
#include "legendre.hpp"

#include "tableau.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

namespace libration {

namespace {

bool is_lobatto(Family family) { return family != Family::gauss && family != Family::radau; }

struct Nodes {
    std::vector<Wide> c, b;
    std::vector<std::vector<Wide>> p;  // p[i][k] = P_k(2 c_i - 1), k = 0..s
};

Nodes nodes_of(Family family, std::size_t s) {
    Nodes nodes;
    nodes.c = is_lobatto(family) ? lobatto_nodes(s) : (family == Family::gauss ? gauss_nodes(s) : radau_nodes(s));
    const auto n = static_cast<Wide>(s);
    for (const Wide c : nodes.c) {
        const Wide x = 2 * c - 1;
        nodes.p.push_back(legendre(s, x));
        const auto& p = nodes.p.back();
        // Abramowitz and Stegun 25.4.29 to 32; on [0, 1] all weights are half of theirs.
        if (is_lobatto(family)) {
            nodes.b.push_back(1 / (n * (n - 1) * p[s - 1] * p[s - 1]));
        } else if (family == Family::radau) {
            nodes.b.push_back(c / (n * n * p[s - 1] * p[s - 1]));
        } else {
            const Wide scaled_slope = n * (p[s - 1] - x * p[s]);
            nodes.b.push_back((1 - x * x) / (scaled_slope * scaled_slope));
        }
    }
    if (family != Family::radau) {
        for (std::size_t i = 0; i < s / 2; ++i) {
            nodes.b[i] = nodes.b[s - 1 - i];
        }
    }
    return nodes;
}

// a_ij = int_0^c_i of the polynomial of node j. Lobatto's formula does not integrate P_(s-1)^2, so its coefficient k =
// s-1 would be another, but that term is zero: P_s - P_(s-2) is a multiple of (1 - x^2) P'_(s-1).
Wide collocation_entry(const Nodes& nodes, std::size_t i, std::size_t j) {
    const auto& at_stage = nodes.p[i];
    const auto& at_node = nodes.p[j];
    Wide sum = 0;
    for (std::size_t k = 1; k < nodes.c.size(); ++k) {
        sum += at_node[k] * (at_stage[k + 1] - at_stage[k - 1]);
    }
    return nodes.b[j] * (nodes.c[i] + sum / 2);
}

// Collocation: Lobatto IIIA, Gauss, Radau IIA.
Tableau collocation(Family family, const Nodes& nodes) {
    const std::size_t s = nodes.c.size();
    Tableau result{s, nodes.c, nodes.b, std::vector<Wide>(s * s, Wide{0})};
    auto& a = result.A;
    if (family == Family::radau) {
        for (std::size_t i = 0; i + 1 < s; ++i) {
            for (std::size_t j = 0; j < s; ++j) {
                a[i * s + j] = collocation_entry(nodes, i, j);
            }
        }
        for (std::size_t j = 0; j < s; ++j) {
            a[(s - 1) * s + j] = nodes.b[j];
        }
        return result;
    }
    // Row i gives row s+1-i, since a_(s+1-i,s+1-j) = b_j - a_ij; the middle row gives its own second half. The first
    // row of Lobatto IIIA is exactly 0, as P_k(-1) = (-1)^k comes out exactly.
    const auto set = [&](std::size_t i, std::size_t j, Wide value) {
        a[i * s + j] = value;
        a[(s - 1 - i) * s + (s - 1 - j)] = nodes.b[j] - value;
    };
    for (std::size_t i = 0; i < s / 2; ++i) {
        for (std::size_t j = 0; j < s; ++j) {
            set(i, j, collocation_entry(nodes, i, j));
        }
    }
    if (s % 2 == 1) {
        const std::size_t middle = s / 2;
        for (std::size_t j = 0; j < middle; ++j) {
            set(middle, j, collocation_entry(nodes, middle, j));
        }
        set(middle, middle, nodes.b[middle] / 2);
    }
    return result;
}

// IIIC: a_i1 = b_1 and C(s-1). It differs from IIIA, which has C(s), by multiples of b_j P_(s-1)(x_j), the one row that
// is orthogonal to all polynomials of degree s-2; b_j P_(s-1)(x_j)^2 is the same for all j.
Tableau lobatto_c(const Tableau& lobatto_a, const Nodes& nodes) {
    Tableau result = lobatto_a;
    const std::size_t s = lobatto_a.stages;
    for (std::size_t i = 0; i < s; ++i) {
        const Wide gap = lobatto_a.b[0] - lobatto_a.a(i, 0);
        for (std::size_t j = 1; j < s; ++j) {
            result.A[i * s + j] += gap * (nodes.p[0][s - 1] / nodes.p[j][s - 1]);
        }
        result.A[i * s] = lobatto_a.b[0];
    }
    return result;
}

}  // namespace

// The quotient is exact where a_ji is 0 or b_i.
Tableau symplectic_conjugate(const Tableau& tableau) {
    Tableau result = tableau;
    const std::size_t s = tableau.stages;
    for (std::size_t i = 0; i < s; ++i) {
        for (std::size_t j = 0; j < s; ++j) {
            result.A[i * s + j] = tableau.b[j] * (1 - tableau.a(j, i) / tableau.b[i]);
        }
    }
    return result;
}

Tableau symmetric_conjugate(const Tableau& tableau) {
    Tableau result = tableau;
    const std::size_t s = tableau.stages;
    for (std::size_t i = 0; i < s; ++i) {
        result.c[i] = 1 - tableau.c[s - 1 - i];
        result.b[i] = tableau.b[s - 1 - i];
        for (std::size_t j = 0; j < s; ++j) {
            result.A[i * s + j] = tableau.b[s - 1 - j] - tableau.a(s - 1 - i, s - 1 - j);
        }
    }
    return result;
}

std::string_view name(Family family) {
    switch (family) {
        case Family::lobatto_a: return "Lobatto IIIA";
        case Family::lobatto_b: return "Lobatto IIIB";
        case Family::lobatto_c: return "Lobatto IIIC";
        case Family::lobatto_cstar: return "Lobatto IIIC*";
        case Family::lobatto_d: return "Lobatto IIID";
        case Family::gauss: return "Gauss";
        case Family::radau: return "Radau IIA";
    }
    return {};
}

Tableau tableau(Family family, std::size_t stages) {
    const std::size_t least = is_lobatto(family) ? 2 : 1;
    if (stages < least || stages > max_stages) {
        throw InputError(
            fmt::format("{} methods have {} to {} stages, not {}", name(family), least, max_stages, stages));
    }
    const auto nodes = nodes_of(family, stages);
    auto base = collocation(family, nodes);
    switch (family) {
        case Family::lobatto_a:
        case Family::gauss:
        case Family::radau: break;
        case Family::lobatto_b: return symplectic_conjugate(base);
        case Family::lobatto_c: return lobatto_c(base, nodes);
        case Family::lobatto_cstar: return symplectic_conjugate(lobatto_c(base, nodes));
        case Family::lobatto_d: {
            base = lobatto_c(base, nodes);
            const auto partner = symplectic_conjugate(base);
            for (std::size_t k = 0; k < base.A.size(); ++k) {
                base.A[k] = (base.A[k] + partner.A[k]) / 2;
            }
            break;
        }
    }
    return base;
}

}  // namespace libration
