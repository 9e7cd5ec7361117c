// What the ends of a joint are.
#include "joint_places.hpp"

#include "text/suggest.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration {

namespace {

void set_joint_place(JointEnd& end, const std::string& name, const Place& place) {
    const auto& body = *end.body;
    if (const auto point = std::ranges::find(body.points, name, &BodyPoint::name); point != body.points.end()) {
        end.point = point->at;
        return;
    }
    if (const auto frame = std::ranges::find(body.frames, name, &BodyMark::name); frame != body.frames.end()) {
        end.point = frame->at;
        end.axis = frame->axis;
        end.x = frame->x;
        return;
    }
    std::vector<std::string> names;
    std::ranges::transform(body.points, std::back_inserter(names), &BodyPoint::name);
    std::ranges::transform(body.frames, std::back_inserter(names), &BodyMark::name);
    throw InputError(place,
                     names.empty() ? fmt::format("the body {} has no point '{}'; give it one by this name under "
                                                 "'points', [x, y, z] in its own frame",
                                                 body.name, name)
                                   : fmt::format("the body {} has no point or frame '{}'{}", body.name, name,
                                                 suggestion(name, names)),
                     name.size());
}

}  // namespace

std::vector<std::string> joint_end_names(const Model& model) {
    std::vector<std::string> names{"ground"};
    for (const auto& body : model.bodies) {
        names.push_back(body.name);
    }
    return names;
}

JointEnd joint_end(const Model& model, const std::string& text, const Place& place) {
    if (text == "ground") {
        return {};
    }
    const auto dot = text.find('.');
    const auto name = text.substr(0, dot);
    const auto found = model.body_numbers.find(name);
    if (found == model.body_numbers.end()) {
        const auto reason =
            name == "ground" ? std::string("the ground has no points with names; write \"ground\" and "
                                           "give 'at' in the world")
                             : fmt::format("there is no body '{}'{}", name, suggestion(name, joint_end_names(model)));
        throw InputError(place, reason, std::max<std::size_t>(characters(text), 1));
    }
    JointEnd end{&model.bodies[found->second], found->second, {}, {}, {}};
    if (dot != std::string::npos) {
        set_joint_place(end, text.substr(dot + 1), place);
    }
    return end;
}

bool is_planar(const Body& body) { return body.kind == BodyKind::planar; }
Expression planar_angle(const Body& body) { return symbol(body_coordinate_name(body, body.first)); }
Expression planar_start_angle(const Body& body) { return body.start->angle.value_or(0); }

Vector3 slender_axis(const Body& body) {
    const std::size_t j = body.columns[0];
    return {body.principal[j], body.principal[3 + j], body.principal[6 + j]};
}

Vector3 slender_direction(const Body& body) {
    const std::size_t j = body.columns[0];
    const auto symbols = column_symbols(body);
    return {symbols[j], symbols[3 + j], symbols[6 + j]};
}

namespace {

void add_start_values(const Body& body, std::vector<Expression>& symbols, std::vector<Expression>& values) {
    const auto frame = start_frame_of(body);
    const auto add = [&](const auto& names, const auto& numbers) {
        for (std::size_t k = 0; k < names.size(); ++k) {
            if (names[k].is(Op::symbol)) {
                symbols.push_back(names[k]);
                values.push_back(numbers[k]);
            }
        }
    };
    add(centre_symbols(body), frame.centre);
    if (is_planar(body)) {
        symbols.push_back(planar_angle(body));
        values.push_back(planar_start_angle(body));
    } else {
        add(column_symbols(body), product(frame.axes, body.principal));
    }
}

}  // namespace

std::optional<Expression> at_start(const Model& model, const Expression& formula) {
    std::vector<Expression> symbols, values;
    for (const auto& s : symbols_of(std::array{formula})) {
        const auto k = model.coordinate_number(s.text());
        if (!k || std::ranges::find(symbols, s) != symbols.end()) {
            continue;
        }
        const auto body = std::ranges::find_if(
            model.bodies, [&](const Body& b) { return b.centre.value_or(b.first) <= *k && *k < b.end(); });
        if (body == model.bodies.end() || !body->start) {
            return std::nullopt;
        }
        add_start_values(*body, symbols, values);
    }
    return substitute(formula, symbols, values);
}

Expression motion_at_start(const JointProperties& given) {
    return substitute(*given.motion, std::array{symbol("t")}, std::array{Expression(0)});
}

}  // namespace libration
