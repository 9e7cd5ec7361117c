// Gravity: the potential -m g.r of every body and point.
#include "draft.hpp"
#include "dynamics.hpp"
#include "motion_formulas.hpp"
#include "term_groups.hpp"

#include <fmt/format.h>

namespace libration {

namespace {

constexpr std::string_view by_hand = "write weights as `[dynamics] potential` instead of gravity";

// The parts of a group of points that have one formula for their masses.
struct PointMasses {
    const Formula* mass;
    std::size_t first, count;  // points
};

std::vector<PointMasses> masses_of(const Model& model, const PointGroup& group) {
    std::vector<PointMasses> parts;
    std::size_t at = 0;
    for (const auto& block : model.mass.diagonal) {
        const std::size_t size = block.value.instances * block.repeat;
        if (at >= group.first && at < group.first + group.count * group.dimension) {
            parts.push_back({&block.value, (at - group.first) / group.dimension, size / group.dimension});
        }
        at += size;
    }
    return parts;
}

Term weight_of_points(const PointGroup& group, const PointMasses& part, std::span<const Expression> g,
                      const Place& place) {
    Term term;
    term.place = place;
    Expression height(0);
    for (std::size_t c = 0; c < group.dimension; ++c) {
        const auto slot = symbol(fmt::format("{}[i].{}", group.name, "xyz"[c]));
        height += g[c] * slot;
        term.slots.push_back(slot);
    }
    term.formula = {-(part.mass->kernel * height), part.count, part.mass->parameters};
    Instances points{{"i"}, std::vector<IndexColumn>(1), part.count, {}};
    for (std::size_t i = part.first; i < part.first + part.count; ++i) {
        points.columns[0].push_back(static_cast<std::int64_t>(i));
        for (std::size_t c = 0; c < group.dimension; ++c) {
            term.indices.push_back(static_cast<std::uint32_t>(group.first + i * group.dimension + c));
        }
    }
    term.origin = std::make_shared<const Instances>(std::move(points));
    return term;
}

}  // namespace

void Draft::set_gravity(std::vector<Expression> vector, const Place& place) {
    if (vector.size() != 2 && vector.size() != 3) {
        refuse(place, fmt::format("gravity is an acceleration with two or three components, such as [0, -9.81, 0]; it "
                                  "has {}",
                                  vector.size()));
    }
    model_.gravity = Gravity{std::move(vector), 0, place};
}

// Components that something in the plane cannot feel must be zero.
void Draft::require_no_gravity(std::size_t from, const std::string& what) {
    const auto& [vector, terms, place] = *model_.gravity;
    for (std::size_t c = from; c < vector.size(); ++c) {
        if (!vector[c].is_constant(0) && number(vector[c], "gravity", place) != 0) {
            refuse(place, fmt::format("gravity has a component along {}, in which {} cannot move; set it to 0, or {}",
                                      "xyz"[c], what, by_hand));
        }
    }
}

void Draft::add_gravity() {
    if (!model_.gravity) {
        return;
    }
    const auto place = model_.gravity->place;
    if (model_.kinetic || model_.hamiltonian || model_.field || !model_.mass.matrix.empty()) {
        refuse(place, fmt::format("gravity needs the mass of every point and body; {}", by_hand));
    }
    if (model_.points.empty() && model_.bodies.empty()) {
        refuse(place, fmt::format("gravity acts on points and bodies, and there are none; {}", by_hand));
    }
    auto g = model_.gravity->vector;
    g.resize(3, Expression(0));
    const std::size_t before = model_.potential.size();
    for (const auto& group : model_.points) {
        require_no_gravity(group.dimension, fmt::format("the points {}", group.name));
        for (const auto& part : masses_of(model_, group)) {
            if (!moving_symbols(model_, std::array{part.mass->kernel}).q.empty()) {
                refuse(place, fmt::format("the mass of the points {} depends on coordinates; {}", group.name, by_hand));
            }
            model_.potential.push_back(weight_of_points(group, part, g, place));
        }
    }
    TermGroups members(model_);  // of families
    for (const auto& body : model_.bodies) {
        if (!body.centre) {
            refuse(place,
                   fmt::format("gravity cannot act on the body {0}, because only its fixed point is known, not "
                               "its center of mass: make it a free body with a spherical joint to the ground, or "
                               "{1}",
                               body.name, by_hand));
        }
        const auto r = centre_symbols(body);
        if (r.size() == 3 && model_.gravity->vector.size() == 2) {
            refuse(place, fmt::format("gravity has two components, and the body {} moves in space; write three, such "
                                      "as [0, 0, -9.81]",
                                      body.name));
        }
        require_no_gravity(r.size(), fmt::format("the planar body {}", body.name));
        Expression height(0);
        for (std::size_t c = 0; c < r.size(); ++c) {
            height += g[c] * r[c];
        }
        if (body.name.ends_with(']')) {
            members.add(-(*body.mass * height));
        } else {
            model_.potential.push_back(single_term(-(*body.mass * height), place));
        }
    }
    for (auto& group : members.made(place)) {
        model_.potential.push_back(std::move(group.term));
    }
    model_.gravity->terms = model_.potential.size() - before;
}

}  // namespace libration
