// Poses in words.
#include "assembly_words.hpp"

#include "pose_bodies.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace libration {

namespace {

constexpr std::size_t most_named = 4;

// |R - 1| = 2 sqrt(2) |sin(angle/2)| of a rotation R.
double angle_between(const Body& body, std::span<const double> from, std::span<const double> to) {
    if (body.kind == BodyKind::planar) {
        return std::abs(to[body.first] - from[body.first]);
    }
    const auto R = rotation_between<double>(body, from, to);
    double square = 0;
    for (std::size_t k = 0; k < 9; ++k) {
        const double difference = R.at(k) - (k % 4 == 0 ? 1.0 : 0.0);
        square += difference * difference;
    }
    return 2 * std::asin(std::min(1.0, std::sqrt(square / 8)));
}

double size_of(const MovedPart& part) { return std::max(part.by, part.angle); }

}  // namespace

std::vector<MovedPart> moved_parts(const Model& model, std::span<const double> from, std::span<const double> to) {
    std::vector<MovedPart> parts;
    std::size_t end = from.size();
    for (const auto& body : model.bodies) {
        const std::size_t first = first_coordinate(body);
        end = std::min(end, first);
        double square = 0;
        for (std::size_t k = first; k < body.first; ++k) {
            square += (to[k] - from[k]) * (to[k] - from[k]);
        }
        const bool same = std::equal(from.begin() + static_cast<std::ptrdiff_t>(first),
                                     from.begin() + static_cast<std::ptrdiff_t>(body.end()),
                                     to.begin() + static_cast<std::ptrdiff_t>(first));
        parts.push_back({body.name, std::sqrt(square), same ? 0.0 : angle_between(body, from, to), true});
    }
    for (std::size_t k = 0; k < end; ++k) {
        parts.push_back({model.coordinate_name(k), std::abs(to[k] - from[k])});
    }
    std::erase_if(parts, [](const auto& part) { return size_of(part) == 0; });
    std::ranges::stable_sort(parts, [](const auto& a, const auto& b) { return size_of(a) > size_of(b); });
    return parts;
}

std::string moved_text(const std::vector<MovedPart>& parts) {
    constexpr double degree = 0.017453292519943295;
    std::vector<std::string> texts;
    for (const auto& part : parts) {
        if (texts.size() == most_named && parts.size() > most_named + 1) {
            texts.push_back(fmt::format("{} more by less", parts.size() - most_named));
            break;
        }
        texts.push_back(part.body
                            ? fmt::format("{} by {:.3g} and {:.3g} degrees", part.name, part.by, part.angle / degree)
                            : fmt::format("{} by {:.3g}", part.name, part.by));
    }
    return fmt::format("{}", fmt::join(texts, ", "));
}

std::string open_rows_text(const Model& model, std::span<const double> rows) {
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](auto a, auto b) { return std::abs(rows[a]) > std::abs(rows[b]); });
    const auto named = [&](std::size_t row) {
        return row < model.constraint_rows ? model.constraint_name(row)
                                           : model.assembly->hold[row - model.constraint_rows].name + " (held)";
    };
    std::vector<std::string> texts;
    for (const auto row : order) {
        if (texts.size() == most_named || !(std::abs(rows[row]) > 1e-3 * std::abs(rows[order[0]]))) {
            break;
        }
        texts.push_back(fmt::format("{:.3g} in {}", std::abs(rows[row]), named(row)));
    }
    return fmt::format("{}", fmt::join(texts, ", "));
}

namespace {

// Adds coordinates until no two ways have the same values, where there are such coordinates.
void tell_apart(const std::vector<ClosingWay>& ways, std::span<const double> spread, std::vector<std::size_t>& shown) {
    constexpr std::size_t most = 4;
    const auto differ = [&](std::size_t a, std::size_t b, std::size_t j) {
        return std::abs(ways[a].q[j] - ways[b].q[j]) > 0.01 * spread[j];
    };
    std::vector<std::pair<std::size_t, std::size_t>> alike;
    for (std::size_t a = 0; a < ways.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            if (std::ranges::none_of(shown, [&](std::size_t j) { return differ(a, b, j); })) {
                alike.emplace_back(a, b);
            }
        }
    }
    while (!alike.empty() && shown.size() < most) {
        std::size_t best = 0, best_count = 0;
        for (std::size_t j = 0; j < spread.size(); ++j) {
            const auto count = static_cast<std::size_t>(std::ranges::count_if(
                alike, [&](const auto& pair) { return spread[j] > 0 && differ(pair.first, pair.second, j); }));
            if (count > best_count || (count == best_count && count > 0 && spread[j] > spread[best])) {
                best = j;
                best_count = count;
            }
        }
        if (best_count == 0) {
            return;
        }
        shown.push_back(best);
        std::erase_if(alike, [&](const auto& pair) { return differ(pair.first, pair.second, best); });
    }
}

}  // namespace

std::vector<std::string> way_texts(const Model& model, const Assembly& assembly) {
    const auto& ways = assembly.ways;
    std::vector<double> spread(assembly.q.size());
    for (std::size_t j = 0; j < spread.size(); ++j) {
        for (const auto& way : ways) {
            spread[j] = std::max(spread[j], std::abs(way.q[j] - ways[0].q[j]));
        }
    }
    std::vector<std::size_t> order(spread.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](auto a, auto b) { return spread[a] > spread[b]; });
    order.resize(std::min<std::size_t>(order.size(), 2));
    tell_apart(ways, spread, order);
    std::vector<std::string> texts;
    for (std::size_t k = 0; k < ways.size(); ++k) {
        std::string text = fmt::format("{}{}: ", k + 1, k + 1 == assembly.branch ? " (chosen)" : "");
        for (const auto j : order) {
            text += ways.size() > 1 ? fmt::format("{} = {:.6g}, ", model.coordinate_name(j), ways[k].q[j]) : "";
        }
        texts.push_back(text + (ways[k].q == assembly.rough ? std::string("as given")
                                                            : fmt::format("moved by {:.3g}", ways[k].distance)));
    }
    return texts;
}

StartChange start_change(const Model& model, const std::string& how, std::span<const double> q_change,
                         std::span<const double> p_change) {
    StartChange change{how, 0, 0, {}, {}};
    for (std::size_t k = 0; k < model.dimension; ++k) {
        if (std::abs(q_change[k]) > change.q) {
            change.q = std::abs(q_change[k]);
            change.q_name = model.coordinate_name(k);
        }
        if (std::abs(p_change[k]) > change.p) {
            change.p = std::abs(p_change[k]);
            change.p_name = "p_" + model.coordinate_name(k);
        }
    }
    return change;
}

std::string to_text(const StartChange& change) {
    if (change.q_name.empty() && change.p_name.empty()) {
        return fmt::format("{}; nothing moved: the initial values satisfy the constraints", change.how);
    }
    const auto part = [](const char* what, double by, const std::string& name) {
        return name.empty() ? fmt::format("{} unchanged", what)
                            : fmt::format("{} by at most {:.3g} ({})", what, by, name);
    };
    return fmt::format("{}: moved {}, {}", change.how, part("q", change.q, change.q_name),
                       part("p", change.p, change.p_name));
}

}  // namespace libration
