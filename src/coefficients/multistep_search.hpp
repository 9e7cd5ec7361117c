// Good parameters a_j of symmetric multistep methods: defaults, the nearest to a bad choice, and a search.
#pragma once

#include "multistep.hpp"

#include <optional>
#include <string>

namespace libration {

// A choice that satisfies (12) and (13), and the figures by which it is judged; see multistep_stability.hpp.
struct MultistepRating {
    std::vector<double> a;
    double periodicity = 0, error_constant = 0, rho_margin = 0, sigma_margin = 0, depth = 0, sigma_response = 0;
    // sqrt(Omega |C|^(-1/k)) depth^(1/10). Omega and |C|^(-1/k) are both step sizes: the largest stable one, and the
    // one for a given error; their geometric mean counts a gain of one per cent in either alike. The depth keeps away
    // from the boundary of (13), where the first two are best; doubling it is worth 7 per cent of step.
    double merit = 0;
    bool good = false;  // as MultistepStability::good()
    std::string note;   // of a search: in what it is the extreme of all good choices
};

// Nothing if (12) or (13) fails.
std::optional<MultistepRating> multistep_rating(std::span<const double> a, double beta = 0);

// Condition (13) alone, in double.
bool sigma_on_circle(std::span<const double> a, double beta = 0);

inline constexpr int most_searched_steps = 14;
// At most `count` choices of locally largest merit, and those with the largest Omega, the smallest error constant and
// the largest depth of all good ones, so that one sees what is traded; by merit, best first. Parameters are in
// increasing order and have two digits, or up to four where fewer would not be good. The same at each call; may be
// empty. 4 <= k <= most_searched_steps; about a second.
std::vector<MultistepRating> search_multistep(int k, std::size_t count = 6, double beta = 0);

// The good choice closest to a (Euclidean distance, in the order of a), with two digits; nothing if none is found.
std::optional<std::vector<double>> nearest_good_parameters(std::span<const double> a, double beta = 0);

// Decimals, for k = 2 (none), 4, 6, 8, 10; nothing for other k. The reasons are in docs/multistep.md.
std::optional<std::vector<std::string>> default_parameter_texts(int k);
// The same as numbers; throws an InputError for other k.
std::vector<Wide> default_parameters(int k);

// "multistep(6, -0.7, 0.4)", "multistep(4, 0.2, beta=0.1)"
std::string multistep_spec(int k, const std::vector<std::string>& a, const std::string& beta = "");
// Why this pair of parameters a_j is not fit for constrained runs, or for any, with the nearest good choice; empty if
// it is.
std::string multistep_refusal(const MultistepPair& pair, bool constrained = true);
// Why a pair that satisfies (12) and (13) may still fail in a long constrained run, with the nearest good choice; empty
// if it is good.
std::string multistep_caution(const MultistepPair& pair);

}  // namespace libration
