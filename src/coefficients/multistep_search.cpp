// The search works in double and in sorted parameters; every candidate is a function of its number alone.
#include "multistep_search.hpp"

#include "multistep_stability.hpp"
#include <libration/text/error.hpp>

#include "multistep_reduced.hpp"

#include <fmt/format.h>

#include <numeric>

namespace libration {

namespace {

using Point = std::vector<double>;

// Points that fill (-1, 1)^d evenly: multiples of powers of 1/phi modulo 1, where phi^(d+1) = phi + 1.
class Points {
  public:
    explicit Points(std::size_t dimension) : slope_(dimension), at_(dimension, 0.5) {
        double phi = 1.5;
        for (int i = 0; i < 60; ++i) {
            phi = std::pow(1 + phi, 1.0 / (static_cast<double>(dimension) + 1));
        }
        for (std::size_t i = 0; i < dimension; ++i) {
            slope_[i] = std::pow(phi, -static_cast<double>(i + 1));
        }
    }
    Point next() {
        Point result;
        for (std::size_t i = 0; i < at_.size(); ++i) {
            at_[i] = std::fmod(at_[i] + slope_[i], 1.0);
            result.push_back(2 * at_[i] - 1);
        }
        std::sort(result.begin(), result.end());
        return result;
    }

  private:
    Point slope_, at_;
};

double distance(const Point& x, const Point& y) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        sum += (x[i] - y[i]) * (x[i] - y[i]);
    }
    return std::sqrt(sum);
}

Point rounded(Point a, double unit = 100) {
    for (auto& x : a) {
        x = std::round(x * unit) / unit;
    }
    return a;
}

bool is_good(const Point& a, double beta) {
    const auto rating = multistep_rating(a, beta);
    return rating && rating->good;
}

// Steps along the axes that make `value` larger, until steps of 0.001 do not.
template <class Value>
void climb(Point& a, Value value) {
    double best = value(a);
    for (double step = 0.064; step > 0.0009;) {
        bool moved = false;
        for (std::size_t i = 0; i < a.size(); ++i) {
            for (const double sign : {-1.0, 1.0}) {
                auto trial = a;
                trial[i] += sign * step;
                const double there = value(trial);
                if (there > best) {
                    best = there;
                    a = std::move(trial);
                    moved = true;
                }
            }
        }
        step = moved ? step : step / 2;
    }
}

bool is_new(const std::vector<MultistepRating>& known, const Point& a, double gap) {
    return std::none_of(known.begin(), known.end(), [&](const auto& other) { return distance(other.a, a) < gap; });
}

// Climbs to a maximum of `value` among good choices and adds it, rounded, unless it is there already.
template <class Value>
void add_climbed(std::vector<MultistepRating>& result, Point a, Value value, double beta, const std::string& note) {
    climb(a, [&](const Point& x) {
        const auto rating = multistep_rating(x, beta);
        return rating && rating->good ? value(*rating) : -1.0;
    });
    std::sort(a.begin(), a.end());  // two may have passed each other
    for (const double unit : {100.0, 1000.0, 10000.0}) {
        auto rating = multistep_rating(rounded(a, unit), beta);
        if (rating && rating->good) {
            if (is_new(result, rating->a, 0.05)) {
                rating->note = note;
                result.push_back(std::move(*rating));
            }
            return;
        }
    }
}

std::size_t samples(std::size_t dimension) { return dimension < 4 ? 20'000 : (dimension == 4 ? 60'000 : 200'000); }

// The nearest point with two digits that is good, among the neighbours of a.
std::optional<Point> nearest_with_two_digits(const Point& a, const Point& target, double beta) {
    std::optional<Point> best;
    const auto corners = static_cast<std::size_t>(std::pow(3.0, static_cast<double>(a.size())));
    for (std::size_t corner = 0; corner < corners; ++corner) {
        auto trial = a;
        std::size_t rest = corner;
        for (auto& x : trial) {
            x += 0.01 * (static_cast<double>(rest % 3) - 1);
            rest /= 3;
        }
        trial = rounded(trial);
        if ((!best || distance(trial, target) < distance(*best, target)) && is_good(trial, beta)) {
            best = trial;
        }
    }
    return best;
}

}  // namespace

bool sigma_on_circle(std::span<const double> a, double beta) {
    const auto sigma = multistep::reduced<double>(a, beta).sigma;
    const auto roots = polynomial::real_roots(sigma, -4.0, 0.0);
    return roots.size() + 1 == sigma.size() && multistep::smallest_gap(roots) > 0;
}

std::optional<MultistepRating> multistep_rating(std::span<const double> a, double beta) {
    MultistepRating result{.a = {a.begin(), a.end()}};
    std::vector<double> rho_roots;
    for (const double x : a) {
        rho_roots.push_back(-2 - 2 * x);
    }
    result.rho_margin = multistep::smallest_gap(rho_roots);
    if (!(result.rho_margin > 0)) {
        return std::nullopt;
    }
    const auto pair = multistep::reduced<double>(a, beta);
    const auto sigma_roots = polynomial::real_roots(pair.sigma, -4.0, 0.0);
    result.sigma_margin = multistep::smallest_gap(sigma_roots);
    if (sigma_roots.size() + 1 != pair.sigma.size() || !(result.sigma_margin > 0)) {
        return std::nullopt;
    }
    const double k = 2 + 2 * static_cast<double>(a.size());
    result.error_constant = pair.error_constant;
    result.periodicity = std::sqrt(multistep::periodicity_squared(pair.rho, pair.sigma));
    result.depth = multistep::depth(pair.sigma);
    result.sigma_response =
        multistep::response(pair.sigma, sigma_roots, pair.sigma[0], [](double x) { return std::sqrt(x); });
    result.merit = std::sqrt(result.periodicity * std::pow(std::max(std::abs(result.error_constant), 1e-12), -1 / k)) *
                   std::pow(result.depth, 0.1);
    result.good = result.rho_margin >= good_root_margin && result.sigma_margin >= good_root_margin &&
                  result.sigma_response <= good_sigma_response;
    return result;
}

std::vector<MultistepRating> search_multistep(int k, std::size_t count, double beta) {
    if (k < 4 || k > most_searched_steps || k % 2 != 0) {
        throw InputError(fmt::format("the search supports k = 4, 6, ..., {}, not {}", most_searched_steps, k));
    }
    const auto dimension = static_cast<std::size_t>(k / 2 - 1);
    Points points(dimension);
    std::vector<MultistepRating> found;
    for (std::size_t i = 0; i < samples(dimension); ++i) {
        if (auto rating = multistep_rating(points.next(), beta); rating && rating->good) {
            found.push_back(std::move(*rating));
        }
    }
    const auto merit = [](const MultistepRating& x) { return x.merit; };
    const auto by_merit = [](const MultistepRating& x, const MultistepRating& y) { return x.merit > y.merit; };
    std::sort(found.begin(), found.end(), by_merit);
    std::vector<MultistepRating> result, starts;
    for (const auto& start : found) {
        if (starts.size() == 3 * count || result.size() == count) {
            break;
        }
        if (is_new(starts, start.a, 0.2)) {
            starts.push_back(start);
            add_climbed(result, start.a, merit, beta, "");
        }
    }
    const auto add_extreme = [&](auto value, const char* note) {
        const auto best = std::max_element(found.begin(), found.end(),
                                           [&](const auto& x, const auto& y) { return value(x) < value(y); });
        if (best != found.end()) {
            add_climbed(result, best->a, value, beta, note);
        }
    };
    add_extreme([](const MultistepRating& x) { return x.periodicity; }, "largest Omega");
    add_extreme([](const MultistepRating& x) { return 1 / (std::abs(x.error_constant) + 1e-12); },
                "smallest error constant");
    add_extreme([](const MultistepRating& x) { return x.depth; }, "largest depth");
    std::sort(result.begin(), result.end(), by_merit);
    return result;
}

std::optional<std::vector<double>> nearest_good_parameters(std::span<const double> a, double beta) {
    if (a.empty()) {
        return std::nullopt;
    }
    std::vector<std::size_t> order(a.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return a[i] < a[j]; });
    Point target(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        target[i] = a[order[i]];
    }
    Points points(a.size());
    std::vector<Point> starts;
    for (std::size_t i = 0; i < samples(a.size()); ++i) {
        if (auto point = points.next(); is_good(point, beta)) {
            starts.push_back(std::move(point));
        }
    }
    const auto closer = [&](const Point& x, const Point& y) { return distance(x, target) < distance(y, target); };
    const auto kept = std::min<std::size_t>(8, starts.size());
    std::partial_sort(starts.begin(), starts.begin() + static_cast<std::ptrdiff_t>(kept), starts.end(), closer);
    starts.resize(kept);
    for (auto& start : starts) {
        climb(start, [&](const Point& x) { return is_good(x, beta) ? -distance(x, target) : -1e9; });
    }
    const auto nearest = std::min_element(starts.begin(), starts.end(), closer);
    if (nearest == starts.end()) {
        return std::nullopt;
    }
    const auto sorted = nearest_with_two_digits(*nearest, target, beta).value_or(*nearest);
    Point result(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        result[order[i]] = sorted[i];
    }
    return result;
}

}  // namespace libration
