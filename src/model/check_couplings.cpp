// Couplings that contradict each other: around a circle, every coordinate follows itself.
#include "check_joints.hpp"

#include "dynamics.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace libration {

namespace {

constexpr double circle_agreement = 1e-9;  // of products of factors that are given as decimal numbers

struct Relation {
    std::string name;
    std::array<std::size_t, 2> of;  // numbers of coordinates
    double factor, shift;           // second = factor * first + shift
    Place place;
};

// second = factor * first + shift along relations that were followed.
struct Way {
    std::size_t at;
    double factor = 1, shift = 0;
    std::vector<std::string> names = {};
};

class CouplingCheck {
  public:
    CouplingCheck(const Model& model, const ParameterValues<double>& given) : model_(&model), given_(&given) {
        for (const auto& joint : model.joints) {
            first_.push_back(coordinates_.size());
            for (const auto& coordinate : joint.coordinates) {
                coordinates_.push_back(fmt::format("{}.{}", joint.name(), coordinate.name));
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
        if (const auto way = way_between(relation.of[1], relation.of[0])) {
            close(relation, *way);
            return;  // it follows from the others
        }
        relations_.push_back(std::move(relation));
    }

    // From the end of a relation back to its begin, by others; they have no circles.
    [[nodiscard]] std::optional<Way> way_between(std::size_t from, std::size_t to) const {
        std::vector<Way> reached{{from}};
        for (std::size_t k = 0; k < reached.size(); ++k) {
            if (reached[k].at == to) {
                return reached[k];
            }
            for (const auto& relation : relations_) {
                for (const bool forward : {true, false}) {
                    const auto begin = relation.of[forward ? 0 : 1], end = relation.of[forward ? 1 : 0];
                    if (begin != reached[k].at || std::ranges::find(reached, end, &Way::at) != reached.end()) {
                        continue;
                    }
                    const double factor = forward ? relation.factor : 1 / relation.factor;
                    const double shift = forward ? relation.shift : -relation.shift / relation.factor;
                    auto next = reached[k];
                    next.at = end;
                    next.factor *= factor;
                    next.shift = factor * next.shift + shift;
                    next.names.push_back(relation.name);
                    reached.push_back(std::move(next));
                }
            }
        }
        return std::nullopt;
    }

    void close(const Relation& last, const Way& way) const {
        const double factor = way.factor * last.factor, shift = way.factor * last.shift + way.shift;
        auto names = way.names;
        names.push_back(last.name);
        if (std::abs(factor - 1) > circle_agreement) {
            refuse(last.place,
                   fmt::format("the couplings {} form a circle whose factors multiply to {:.10g} instead of 1, so that "
                               "none of their joints can move; change a factor, or remove one of them",
                               fmt::join(names, ", "), factor));
        }
        if (std::abs(shift) > circle_agreement * std::max(1.0, std::abs(last.shift))) {
            refuse(last.place, fmt::format("the couplings {} form a circle that contradicts itself: around it, {} must "
                                           "differ from itself by {:.10g}; change an offset, or remove one of them",
                                           fmt::join(names, ", "), coordinates_[last.of[0]], shift));
        }
    }

    const Model* model_;
    const ParameterValues<double>* given_;
    std::vector<std::size_t> first_;  // of the coordinates of each joint
    std::vector<std::string> coordinates_;
    std::vector<Relation> relations_;
};

}  // namespace

void check_couplings(const Model& model, const ParameterValues<double>& given) { CouplingCheck(model, given).run(); }

}  // namespace libration
