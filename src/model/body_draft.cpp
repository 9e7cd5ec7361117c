// Rigid bodies on their way into a model: mass and inertia, points and frames, constraint rows.
#include "model_values.hpp"

#include "body_exclusion.hpp"
#include "body_inertia.hpp"
#include "draft.hpp"
#include "dynamics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace libration {

namespace {

// Rows of one kind, diagonal or not, in the columns of the body: column a dot column b, minus `value`.
std::optional<Constraint> rigid_rows_of(const Body& body, bool diagonal, const Expression& value) {
    Term term;
    term.place = body.place;
    Expression kernel = -value;
    for (std::size_t i = 0; i < 3; ++i) {
        const auto a = symbol(fmt::format("Q[{},a]", i + 1));
        const auto b = diagonal ? a : symbol(fmt::format("Q[{},b]", i + 1));
        term.slots.push_back(a);
        if (!diagonal) {
            term.slots.push_back(b);
        }
        kernel += a * b;
    }
    Instances origin{{"a", "b"}, std::vector<IndexColumn>(2), 0, {}};
    const std::size_t width = body.columns.size();
    for (std::size_t a = 0; a < width; ++a) {
        for (std::size_t b = diagonal ? a : a + 1; b < (diagonal ? a + 1 : width); ++b) {
            for (std::size_t i = 0; i < 3; ++i) {
                term.indices.push_back(static_cast<std::uint32_t>(body.first + width * i + a));
                if (!diagonal) {
                    term.indices.push_back(static_cast<std::uint32_t>(body.first + width * i + b));
                }
            }
            origin.columns[0].push_back(static_cast<std::int64_t>(body.columns[a] + 1));
            origin.columns[1].push_back(static_cast<std::int64_t>(body.columns[b] + 1));
            ++origin.count;
        }
    }
    if (origin.count == 0) {
        return std::nullopt;
    }
    term.formula = {kernel, origin.count, {}};
    term.origin = std::make_shared<const Instances>(std::move(origin));
    return Constraint{std::move(term), body.name + ".rigid", true, false, 0};
}

// The rows of several bodies with the same columns, body after body, each in the order of rigid_rows_of: column a dot
// column b, minus 1 or 0.
Constraint member_rigid_rows(std::span<const Body> bodies) {
    Term term;
    term.place = bodies[0].place;
    const auto value = symbol("instance%1");  // no text can contain it
    Expression kernel = -value;
    for (std::size_t i = 0; i < 3; ++i) {
        const auto a = symbol(fmt::format("Q[{},a]", i + 1)), b = symbol(fmt::format("Q[{},b]", i + 1));
        term.slots.insert(term.slots.end(), {a, b});
        kernel += a * b;
    }
    InstanceParameter products{value, InstanceParameter::Kind::index, {}, {}, nullptr};
    Constraint rows{{}, bodies[0].name + ".rigid", false, false, 0};
    for (const auto& body : bodies) {
        const std::size_t width = body.columns.size();
        const auto add = [&](std::size_t a, std::size_t b) {
            for (std::size_t i = 0; i < 3; ++i) {
                term.indices.push_back(static_cast<std::uint32_t>(body.first + width * i + a));
                term.indices.push_back(static_cast<std::uint32_t>(body.first + width * i + b));
            }
            products.integers.push_back(a == b ? 1 : 0);
            rows.row_names.push_back(
                fmt::format("{}.rigid[{},{}]", body.name, body.columns[a] + 1, body.columns[b] + 1));
        };
        for (std::size_t a = 0; a < width; ++a) {
            add(a, a);
        }
        for (std::size_t a = 0; a < width; ++a) {
            for (std::size_t b = a + 1; b < width; ++b) {
                add(a, b);
            }
        }
    }
    const std::size_t count = rows.row_names.size();
    term.formula = {kernel, count, {std::move(products)}};
    Instances origin;
    origin.count = count;
    term.origin = std::make_shared<const Instances>(std::move(origin));
    term.grouped = true;
    rows.term = std::move(term);
    return rows;
}

// What `NAME.` means something else with.
bool is_part_of_bodies(std::string_view name) {
    constexpr std::array<std::string_view, 14> parts{"Q",     "P",     "r", "at", "omega", "L", "quaternion",
                                                     "rigid", "angle", "x", "y",  "z",     "w", "axis"};
    return std::ranges::find(parts, name) != parts.end();
}

}  // namespace

std::string body_exclusion(std::string_view what) {
    return fmt::format("bodies have their own kinetic energy and constraints, and {} would have to contain both; "
                       "remove it and give masses and a potential, or write the bodies as coordinates of your own",
                       what);
}

void Draft::require_constant(const Expression& given, const std::string& what, const Place& place) const {
    for (const auto& s : symbols_of(std::array{given})) {
        const auto found = std::ranges::find(model_.parameters, s.text(), &Parameter::name);
        if (found == model_.parameters.end() || found->list || found->function_of_index) {
            refuse(place, fmt::format("{} uses '{}', which is not a parameter; it must be constant", what, s.text()));
        }
    }
}

// Lists may be long, and every body asks for numbers.
struct Draft::Values {
    ParameterValues<double> real;
    ParameterValues<InertiaScalar> exact;
};

const Draft::Values& Draft::values() {
    (void)numbers();
    if (!values_) {
        values_ = std::make_shared<const Values>(
            Values{parameter_values<double>(model_), parameter_values<InertiaScalar>(model_)});
    }
    return *values_;
}

double Draft::number(const Expression& constant, const std::string& what, const Place& place) {
    (void)numbers();
    require_constant(constant, what, place);
    note_number(constant);
    return evaluated(constant);
}

double Draft::evaluated(const Expression& constant) {
    const auto& given = values().real;
    return Tape<double>(compile(std::array{constant}, {}, given.symbols), given.values).output(0);
}

double Draft::positive_number(const Expression& value, const std::string& what, const Place& place) {
    const double x = number(value, what, place);
    if (!(x > 0) || !std::isfinite(x)) {
        refuse(place, fmt::format("{} is {}; it must be positive and finite", what, x));
    }
    return x;
}

void Draft::settle_body_inertia(Body& body, const BodyProperties& given) {
    const std::size_t count = given.inertia.size();
    if (given.planar) {
        if (count != 1) {
            refuse(given.inertia_place,
                   fmt::format("the inertia of {} has {} entries; a planar body has one moment of inertia, a number",
                               given.name, count));
        }
        positive_number(given.inertia[0], fmt::format("the moment of inertia of {}", given.name), given.inertia_place);
        body.kind = BodyKind::planar;
        body.columns.clear();
        body.d[0] = given.inertia[0];
        return;
    }
    if (count != 3 && count != 9) {
        refuse(given.inertia_place,
               fmt::format("the inertia of {} has {} entries; it needs the three principal moments, or a symmetric "
                           "matrix of three rows",
                           given.name, count));
    }
    std::vector<InertiaScalar> values;
    for (std::size_t k = 0; k < count; ++k) {
        const auto what = count == 3 ? fmt::format("the moment of inertia I_{} of {}", k + 1, given.name)
                                     : fmt::format("the inertia of {}", given.name);
        if (const double x = number(given.inertia[k], what, given.inertia_place); !std::isfinite(x)) {
            refuse(given.inertia_place, fmt::format("{} is {}; it must be finite", what, x));
        }
        const auto& numbers = this->values().exact;
        values.push_back(
            Tape<InertiaScalar>(compile(std::array{given.inertia[k]}, {}, numbers.symbols), numbers.values).output(0));
    }
    settle_inertia(body, given, values);
}

void Draft::settle_body_places(Body& body, const BodyProperties& given) {
    const std::size_t n = body.dimension();
    if (given.fixed && !given.com.empty()) {
        refuse(given.com_place, fmt::format("the body {} is fixed: its inertia is that about the fixed point, the "
                                            "origin of its frame; remove com, and include the weight in the potential",
                                            given.name));
    }
    if (!given.com.empty() && given.com.size() != n) {
        refuse(given.com_place,
               fmt::format("com of the body {} has {} entries; it needs {}", given.name, given.com.size(), n));
    }
    std::ranges::copy(given.com, body.com.begin());
    for (const auto& component : body.com) {
        require_constant(component, fmt::format("com of {}", given.name), given.com_place);
    }
    std::set<std::string> names;
    const auto require_new = [&](const std::string& name, const Place& place) {
        if (!is_plain_name(name) || is_part_of_bodies(name)) {
            refuse(place,
                   fmt::format("a point or frame of {0} cannot be called '{1}': {2}", given.name, name,
                               is_part_of_bodies(name) ? fmt::format("{}.{} means something else", given.name, name)
                                                       : "a name consists of letters, digits and _"));
        }
        if (!names.insert(name).second) {
            refuse(place, fmt::format("two points or frames of {} are called '{}'", given.name, name));
        }
    };
    for (const auto& point : given.points) {
        require_new(point.name, point.place);
        for (const auto& component : point.at) {
            require_constant(component, fmt::format("the point {}.{}", given.name, point.name), point.place);
        }
    }
    for (const auto& frame : given.frames) {
        require_new(frame.name, frame.place);
        require_frame_axes(frame, given.name);
    }
    body.points = given.points;
    body.frames = given.frames;
}

void Draft::require_frame_axes(const BodyMark& frame, const std::string& body) {
    const auto length = [&](const Vector3& vector, const std::string& what) {
        return std::sqrt(number(dot(vector, vector), what, frame.place));
    };
    const auto what = fmt::format("the frame {}.{}", body, frame.name);
    const double axis = length(frame.axis, what);
    if (!(axis > 0) || !std::isfinite(axis)) {
        refuse(frame.place,
               fmt::format("the axis of {} has length {}; give it a direction, e.g. [0, 0, 1]", what, axis));
    }
    if (frame.x) {
        constexpr double parallel = 1e-7;  // as of gradients of constraints
        const double x = length(*frame.x, what);
        if (!(x > 0) || length(cross(frame.axis, *frame.x), what) <= parallel * axis * x) {
            refuse(frame.place, fmt::format("x of {} is {}; it is a direction across the axis", what,
                                            x > 0 ? "along the axis" : "zero"));
        }
    }
}

void Draft::add_body(const BodyProperties& given) {
    require_free_member(given.name, given.place, false);
    if (given.name == "ground") {
        refuse(given.place, "the name 'ground' cannot be used for a body: in joints it is the world, at rest; "
                            "rename the body, e.g. base");
    }
    Body body;
    body.name = given.name;
    body.place = given.place;
    body.first = model_.dimension;
    body.inertia = given.inertia;
    body.mass = given.mass;
    settle_body_inertia(body, given);
    settle_body_places(body, given);
    if (given.mass) {
        positive_number(*given.mass, fmt::format("the mass of {}", given.name), given.mass_place);
    }
    if (!given.fixed) {
        if (!given.mass) {
            refuse(given.place,
                   fmt::format("the body {} is free and needs a mass; add mass = ..., or fixed = true if one "
                               "of its points is fixed at the origin",
                               given.name));
        }
        body.centre = model_.dimension;
        body.first += body.dimension();
        body_masses_.push_back({single_formula(*given.mass), body.dimension(), given.mass_place});
    }
    if (body.kind == BodyKind::planar) {
        body_masses_.push_back({single_formula(body.d[0]), 1, given.inertia_place});
    }
    for (std::size_t k = 0; k < 3 * body.columns.size(); ++k) {
        const auto& d = body.d.at(body.columns[k % body.columns.size()]);
        body_masses_.push_back({single_formula(d), 1, given.inertia_place});
    }
    model_.dimension = body.end();
    model_.body_numbers.emplace(body.name, model_.bodies.size());
    note_member(body.name, false);
    model_.bodies.push_back(std::move(body));
    if (given.start) {
        auto start = *given.start;
        start.in_body = true;
        settle_start(model_.bodies.back(), start);
    }
}

// How many bodies from number k on are members of families and have the same rows; 0 if there are none.
std::size_t Draft::members_alike(std::size_t k) const {
    std::size_t end = k;
    while (end < model_.bodies.size() && model_.bodies[end].name.ends_with(']') && model_.bodies[end].rows() > 0 &&
           model_.bodies[end].columns == model_.bodies[k].columns) {
        ++end;
    }
    return end - k;
}

void Draft::add_rigid_rows() {
    add_joint_rows();
    while (bodies_with_rows_ < model_.bodies.size()) {
        const std::size_t members = members_alike(bodies_with_rows_);
        const auto bodies = std::span(model_.bodies).subspan(bodies_with_rows_, std::max<std::size_t>(members, 1));
        bodies_with_rows_ += bodies.size();
        if (members > 1) {
            std::size_t row = model_.constraint_rows;
            for (auto& body : bodies) {
                body.first_row = row;
                row += body.rows();
            }
            add_constraint(member_rigid_rows(bodies));
            continue;
        }
        auto& body = bodies[0];
        body.first_row = model_.constraint_rows;
        for (const bool diagonal : {true, false}) {
            if (auto rows = rigid_rows_of(body, diagonal, diagonal ? 1 : 0)) {
                add_constraint(std::move(*rows));
            }
        }
    }
}

void Draft::finish_bodies() {
    add_rigid_rows();
    if (model_.bodies.empty()) {
        return;
    }
    if (model_.kinetic) {
        refuse(model_.kinetic->place, body_exclusion("the kinetic energy"));
    }
    if (model_.hamiltonian) {
        refuse(model_.hamiltonian->place, body_exclusion("the hamiltonian"));
    }
    if (model_.field) {
        refuse(model_.field->place, body_exclusion("a `[field]`"));
    }
    if (!model_.mass.matrix.empty()) {
        refuse(model_.mass.place,
               "a mass matrix and bodies exclude each other; give the masses of the plain coordinates "
               "as a number or a list");
    }
    model_.mass.diagonal.insert(model_.mass.diagonal.end(), body_masses_.begin(), body_masses_.end());
}

}  // namespace libration
