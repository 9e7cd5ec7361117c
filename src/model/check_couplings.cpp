// Couplings that contradict each other: around a circle, every coordinate follows itself.
#include "check_joints.hpp"

#include "dynamics.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace libration {

namespace {

constexpr double circle_agreement = 1e-9;  // of products of factors that are given as decimal numbers

struct Relation {
    std::string name;
    std::array<std::size_t, 2> of;  // numbers of coordinates
    double factor, shift;           // second = factor * first + shift
    Place place;
};

// `at` = factor * the coordinate where the way begins + shift, along relations that were followed.
struct Way {
    std::size_t at;
    double factor = 1, shift = 0;
    std::size_t before = 0;                    // number of the way that is shorter by one relation
    std::optional<std::size_t> relation = {};  // the last one; none: the way begins here
};

// Which coordinates are connected: each points to another one of its set, or to itself. [Tarjan 1975]
class Sets {
  public:
    void add() { parent_.push_back(parent_.size()); }

    std::size_t of(std::size_t k) {
        while (parent_[k] != k) {
            k = parent_[k] = parent_[parent_[k]];
        }
        return k;
    }
    void join(std::size_t a, std::size_t b) { parent_[of(a)] = of(b); }

  private:
    std::vector<std::size_t> parent_;
};

class CouplingCheck {
  public:
    CouplingCheck(const Model& model, const ParameterValues<double>& given) : model_(&model), given_(&given) {
        for (const auto& joint : model.joints) {
            first_.push_back(coordinates_.size());
            for (const auto& coordinate : joint.coordinates) {
                coordinates_.push_back(fmt::format("{}.{}", joint.name(), coordinate.name));
                relations_at_.emplace_back();
                sets_.add();
            }
        }
    }

    void run() {
        for (std::size_t k = 0; k < model_->joints.size(); ++k) {
            const auto& joint = model_->joints[k];
            require_factor(joint);
            if (joint.coupling) {
                const auto& [ends, factor, shift] = *joint.coupling;
                add({joint.name(),
                     {first_[ends[0].joint] + ends[0].coordinate, first_[ends[1].joint] + ends[1].coordinate},
                     value(factor),
                     value(shift),
                     joint.given.place});
            } else if (joint.given.factor && !joint.contact) {  // a screw: its displacement follows its angle
                const double slope = value(*joint.given.factor) / (2 * std::numbers::pi);
                const double zero = joint.given.zero ? value(*joint.given.zero) : 0;
                add({joint.name(), {first_[k], first_[k] + 1}, slope, -slope * zero, joint.given.place});
            }
        }
    }

  private:
    [[nodiscard]] double value(const Expression& e) const {
        return Tape<double>(compile(std::array{e}, {}, given_->symbols), given_->values).output(0);
    }

    void require_factor(const Joint& joint) const {
        const auto& g = joint.given;
        for (const auto& s : symbols_of(std::array{g.factor.value_or(1), g.offset.value_or(0)})) {
            if (std::ranges::find(given_->symbols, s) == given_->symbols.end()) {
                refuse(g.factor_place, fmt::format("the joint {} uses '{}', which is not a parameter; ratios, radii, "
                                                   "pitches and offsets are constant",
                                                   g.name, s.text()));
            }
        }
        const double factor = value(g.factor.value_or(1));
        if (joint.contact && !(factor > 0 && std::isfinite(factor))) {
            refuse(g.factor_place,
                   fmt::format("the radius of the rolling joint {} is {}; it must be positive", g.name, factor));
        }
        if (factor == 0 || !std::isfinite(factor)) {
            const std::string_view what = g.type == "gear"    ? "ratio"
                                          : g.type == "rack"  ? "radius"
                                          : g.type == "mimic" ? "factor"
                                                              : "pitch";
            refuse(g.factor_place,
                   fmt::format("the {} of the {} '{}' is {}; it must not be zero", what, g.type, g.name, factor));
        }
    }

    void add(Relation relation) {
        const auto [begin, end] = relation.of;
        if (sets_.of(begin) == sets_.of(end)) {
            close(relation, ways_from(end, begin));
            return;  // it follows from the others
        }
        sets_.join(begin, end);
        relations_at_[begin].push_back(relations_.size());
        relations_at_[end].push_back(relations_.size());
        relations_.push_back(std::move(relation));
    }

    // Relations have no circles: there is one way to each coordinate. The last one leads to `to`.
    [[nodiscard]] std::vector<Way> ways_from(std::size_t from, std::size_t to) const {
        std::vector<Way> ways{{from}};
        for (std::size_t k = 0; ways.back().at != to; ++k) {
            for (const auto number : relations_at_[ways[k].at]) {
                if (number == ways[k].relation) {
                    continue;
                }
                const auto& relation = relations_[number];
                const bool forward = relation.of[0] == ways[k].at;
                const double factor = forward ? relation.factor : 1 / relation.factor;
                const double shift = forward ? relation.shift : -relation.shift / relation.factor;
                ways.push_back(
                    {relation.of[forward ? 1 : 0], factor * ways[k].factor, factor * ways[k].shift + shift, k, number});
                if (ways.back().at == to) {
                    break;
                }
            }
        }
        return ways;
    }

    // Of couplings along a way and of the last one, the first few of many.
    [[nodiscard]] std::string names_along(const std::vector<Way>& ways, const std::string& last) const {
        std::vector<std::string> names;
        for (const auto* way = &ways.back(); way->relation; way = &ways[way->before]) {
            names.push_back(relations_[*way->relation].name);
        }
        std::ranges::reverse(names);
        constexpr std::size_t most = 8;
        if (names.size() > most) {
            names[most] = fmt::format("{} more", names.size() - most);
            names.resize(most + 1);
        }
        names.push_back(last);
        return fmt::format("{}", fmt::join(names, ", "));
    }

    void close(const Relation& last, const std::vector<Way>& ways) const {
        const auto& way = ways.back();
        const double factor = way.factor * last.factor, shift = way.factor * last.shift + way.shift;
        const auto names = names_along(ways, last.name);
        if (std::abs(factor - 1) > circle_agreement) {
            refuse(last.place,
                   fmt::format("the couplings {} form a circle whose factors multiply to {:.10g} instead of 1, so that "
                               "none of their joints can move; change a factor, or remove one of them",
                               names, factor));
        }
        if (std::abs(shift) > circle_agreement * std::max(1.0, std::abs(last.shift))) {
            refuse(last.place, fmt::format("the couplings {} form a circle that contradicts itself: around it, {} must "
                                           "differ from itself by {:.10g}; change an offset, or remove one of them",
                                           names, coordinates_[last.of[0]], shift));
        }
    }

    const Model* model_;
    const ParameterValues<double>* given_;
    std::vector<std::size_t> first_;  // of the coordinates of each joint
    std::vector<std::string> coordinates_;
    std::vector<Relation> relations_;
    std::vector<std::vector<std::size_t>> relations_at_;  // each coordinate
    Sets sets_;
};

}  // namespace

void check_couplings(const Model& model, const ParameterValues<double>& given) { CouplingCheck(model, given).run(); }

}  // namespace libration
