// The text of rigid bodies: [[body]] and [initial.NAME].
#include "model_text.hpp"

#include <fmt/format.h>

#include <span>

namespace libration {

namespace {

std::string formula_list(std::span<const Expression> values, std::size_t indent) {
    std::vector<std::string> all;
    for (const auto& value : values) {
        all.push_back(toml_formula(value));
    }
    return toml_list(all, indent);
}

// Nine in three rows.
std::string matrix_text(std::span<const Expression> entries) {
    return toml_list({formula_list(entries.first(3), 6), formula_list(entries.subspan(3, 3), 6),
                      formula_list(entries.subspan(6, 3), 6)},
                     4);
}

std::string orientation_text(const Orientation& orientation) {
    const std::span<const Expression> values(orientation.values);
    switch (orientation.form) {
        case Orientation::Form::matrix: return matrix_text(values);
        case Orientation::Form::axis:
            return toml_inline_table({{"axis", formula_list(values.first(3), 9)}, {"angle", toml_formula(values[3])}});
        case Orientation::Form::euler:
            return toml_inline_table(
                {{"euler", toml_quoted(orientation.sequence)}, {"angles", formula_list(values, 11)}});
        case Orientation::Form::rpy: return toml_inline_table({{"rpy", formula_list(values, 8)}});
        case Orientation::Form::identity:
        case Orientation::Form::quaternion: break;
    }
    return formula_list(values, 14);
}

std::string inertia_text(const Body& body) {
    if (body.kind == BodyKind::planar) {
        return toml_formula(body.inertia[0]);
    }
    return body.inertia.size() == 9 ? matrix_text(body.inertia) : formula_list(body.inertia, 10);
}

}  // namespace

void ModelText::write_bodies() {
    for (const auto& body : model_.bodies) {
        const std::size_t n = body.dimension();
        const auto vector = [&](const std::array<Expression, 3>& given, std::size_t indent) {
            return formula_list(std::span(given).first(n), indent);
        };
        Entries facts{{"name", toml_quoted(body.name)}, {"inertia", inertia_text(body)}};
        if (n == 2) {
            facts.emplace_back("planar", "true");
        }
        if (!body.centre) {
            facts.emplace_back("fixed", "true");
        }
        if (body.mass) {
            facts.emplace_back("mass", toml_formula(*body.mass));
        }
        if (body.com != std::array<Expression, 3>{}) {
            facts.emplace_back("com", vector(body.com, 6));
        }
        if (body.start && body.start->in_body) {
            write_body_start(*body.start, facts);
        }
        Entries points, frames;
        for (const auto& point : body.points) {
            points.emplace_back(point.name, vector(point.at, 0));
        }
        for (const auto& frame : body.frames) {
            Entries mark{{"at", vector(frame.at, 0)}};
            if (n == 3) {
                mark.emplace_back("axis", formula_list(frame.axis, 0));
            }
            if (frame.x) {
                mark.emplace_back("x", vector(*frame.x, 0));
            }
            frames.emplace_back(frame.name, toml_inline_table(mark));
        }
        for (const auto& [key, table] : {std::pair("points", &points), std::pair("frames", &frames)}) {
            if (!table->empty()) {
                facts.emplace_back(key, toml_inline_table(*table));
            }
        }
        section("[body]", facts);
    }
}

void ModelText::write_body_start(const BodyStart& start, Entries& facts) {
    if (!start.position.empty()) {
        facts.emplace_back("position", formula_list(start.position, 11));
    }
    if (start.orientation.form != Orientation::Form::identity) {
        facts.emplace_back("orientation", orientation_text(start.orientation));
    }
    if (start.angle) {
        facts.emplace_back("angle", toml_formula(*start.angle));
    }
    if (!start.velocity.empty()) {
        facts.emplace_back("velocity", formula_list(start.velocity, 11));
    }
    if (start.omega.size() == 1) {
        facts.emplace_back("omega", toml_formula(start.omega[0]));
    } else if (!start.omega.empty()) {
        facts.emplace_back("omega", formula_list(start.omega, 8));
    }
}

void ModelText::write_initial_body(const Body& body) {
    if (!body.start || body.start->in_body) {
        return;
    }
    const auto& start = *body.start;
    Entries entries;
    if (!start.Q.empty()) {
        entries.emplace_back("Q", matrix_text(start.Q));
    }
    if (start.angle) {
        entries.emplace_back("angle", toml_formula(*start.angle));
    }
    for (const auto& [key, values] : {std::pair("quaternion", &start.quaternion), std::pair("omega", &start.omega),
                                      std::pair("r", &start.r), std::pair("v", &start.v)}) {
        if (values->size() == 1) {
            entries.emplace_back(key, toml_formula((*values)[0]));
        } else if (!values->empty()) {
            entries.emplace_back(key, formula_list(*values, std::string_view(key).size() + 3));
        }
    }
    section("initial." + toml_key(body.name), entries);
}

}  // namespace libration
