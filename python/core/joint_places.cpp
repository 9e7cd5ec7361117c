// Where joints and named points of bodies are along a run, for pictures.
#include "arrays.hpp"
#include "bindings.hpp"

#include "model/body_frame.hpp"
#include "model/model_values.hpp"
#include <libration/text/error.hpp>

#include <pybind11/stl.h>

namespace libration::python {

namespace py = pybind11;

namespace {

// In the world. A direction that nothing determines, because a slender body may turn about its own axis, is 0.
struct PlaceFormulas {
    // [joint][side][point, axis][x, y, z]; where a body rolls on a plane, the point of the plane is that of contact.
    std::vector<Expression> joints;
    std::vector<Expression> marks;  // [named point][x, y, z]
};

void append(std::vector<Expression>& all, const Vector3& vector) {
    all.insert(all.end(), vector.begin(), vector.end());
}

// Those between bodies; couplings have no places.
std::vector<const Joint*> placed_joints(const Model& model) {
    std::vector<const Joint*> all;
    for (const auto& joint : model.joints) {
        if (!joint.coupling) {
            all.push_back(&joint);
        }
    }
    return all;
}

PlaceFormulas place_formulas(const Model& model) {
    PlaceFormulas all;
    for (const auto* placed : placed_joints(model)) {
        const auto& joint = *placed;
        for (const auto& side : joint.sides) {
            const auto frame = side.body ? frame_of(model.bodies[*side.body]) : ground_frame();
            const bool touches = joint.contact && &side == &joint.sides[0];
            append(all.joints, touches ? joint.contact->point : frame.point(side.local.point));
            append(all.joints,
                   frame.determines_direction(side.local.axis) ? frame.direction(side.local.axis) : Vector3{0, 0, 0});
        }
    }
    for (const auto& body : model.bodies) {
        const auto frame = frame_of(body);
        for (const auto& mark : body.points) {
            if (frame.determines_point(mark.at)) {
                append(all.marks, frame.point(mark.at));
            }
        }
    }
    return all;
}

py::object values_at(const Model& model, const std::vector<Expression>& formulas, const GivenNumbers& q,
                     ArrayShape shape) {
    const auto given = parameter_values<double>(model);
    Tape<double> tape(compiled(nullptr, formulas, model.coordinate_symbols(), given.symbols), given.values);
    const std::size_t states = static_cast<std::size_t>(q.shape()[0]), width = formulas.size();
    const auto values = std::make_shared<std::vector<double>>(states * width);
    for (std::size_t k = 0; k < states; ++k) {
        for (std::size_t i = 0; i < model.dimension; ++i) {
            tape.input(i) = q.values()[k * model.dimension + i];
        }
        tape.run();
        for (std::size_t i = 0; i < width; ++i) {
            (*values)[k * width + i] = tape.output(i);
        }
    }
    return view(values->data(), shape, values);
}

// Points and axes of the joints, [state][joint][side][point, axis][3], and named points of bodies, [state][point][3].
py::tuple joint_places(const Model& model, const py::object& q) {
    const auto positions = real_numbers(q);
    if (positions.shape().size() != 2 || positions.shape()[1] != signed_size(model.dimension)) {
        throw InputError("places of joints need one q for each state");
    }
    const auto states = positions.shape()[0];
    const auto formulas = place_formulas(model);
    const auto marks = signed_size(formulas.marks.size() / 3);
    return py::make_tuple(
        values_at(model, formulas.joints, positions, {states, signed_size(placed_joints(model).size()), 2, 2, 3}),
        values_at(model, formulas.marks, positions, {states, marks, 3}));
}

// Name, type, and the numbers of both bodies; None: the ground.
py::list joints(const Model& model) {
    py::list all;
    for (const auto* joint : placed_joints(model)) {
        all.append(py::make_tuple(joint->name(), joint->given.type,
                                  py::make_tuple(joint->sides[0].body, joint->sides[1].body)));
    }
    return all;
}

// The number of the body and the name; without points beside a slender body that may turn about its own axis.
py::list body_points(const Model& model) {
    py::list all;
    for (std::size_t k = 0; k < model.bodies.size(); ++k) {
        const auto frame = frame_of(model.bodies[k]);
        for (const auto& mark : model.bodies[k].points) {
            if (frame.determines_point(mark.at)) {
                all.append(py::make_tuple(k, mark.name));
            }
        }
    }
    return all;
}

// Mass (0: a point is fixed, and a mass would have no effect) and second moments along the principal axes; of a planar
// body the first one is its moment of inertia.
py::list body_moments(const Model& model) {
    const auto given = parameter_values<double>(model);
    py::list all;
    for (const auto& body : model.bodies) {
        const std::array formulas{body.centre ? body.mass.value_or(0) : Expression(0), body.d[0], body.d[1], body.d[2]};
        const Tape<double> tape(compiled(nullptr, formulas, {}, given.symbols), given.values);
        all.append(py::make_tuple(tape.output(0), tape.output(1), tape.output(2), tape.output(3)));
    }
    return all;
}

}  // namespace

void bind_joint_places(py::module_& m) {
    m.def("joints", &joints, py::arg("model"),
          "Name, type and numbers of both bodies of every joint between bodies; None: the ground.");
    m.def("body_moments", &body_moments, py::arg("model"), "Mass, or 0, and three second moments of every body.");
    m.def("body_points", &body_points, py::arg("model"), "The number of the body and the name of every named point.");
    m.def("joint_places", &joint_places, py::arg("model"), py::arg("q"),
          "Points and axes of joints [state][joint][side][point, axis][3], named points of bodies [state][point][3].");
}

}  // namespace libration::python
