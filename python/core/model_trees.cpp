// libration._core.Model.build: the arguments of lb.Model as a tree of values, which the library makes a model of.
#include "bindings.hpp"
#include "expression_values.hpp"
#include "external.hpp"
#include "gil.hpp"

#include "model/tree.hpp"

#include <pybind11/stl.h>

namespace libration::python {

namespace py = pybind11;

namespace {

using Overrides = std::vector<std::pair<std::string, std::string>>;

std::string item_of(const std::string& argument, const py::handle& key) {
    return argument.empty() ? argument : argument + '[' + std::string(py::str(py::repr(key))) + ']';
}

// Texts, numbers, expressions, flags, and lists and dicts of such.
ModelTree tree_of(const py::handle& value, const std::string& argument) {
    ModelTree tree{{}, argument};
    if (py::isinstance<py::str>(value)) {
        tree.value = value.cast<std::string>();
    } else if (py::isinstance<py::bool_>(value)) {
        tree.value = value.cast<bool>();
    } else if (py::isinstance<py::dict>(value)) {
        ModelTree::Table table;
        for (const auto& [key, item] : py::reinterpret_borrow<py::dict>(value)) {
            table.emplace_back(key.cast<std::string>(), tree_of(item, item_of(argument, key)));
        }
        tree.value = std::move(table);
    } else if (py::isinstance<py::list>(value)) {
        ModelTree::List list;
        for (const auto item : py::reinterpret_borrow<py::list>(value)) {
            list.push_back(tree_of(item, argument));
        }
        tree.value = std::move(list);
    } else {
        tree.value = to_expression(value, argument.c_str());
    }
    return tree;
}

// One section after the other: its header, "" for what stands above all and [NAME] for one of several blocks, and its
// entries, each with the argument that it comes from.
ModelTree tree_of_sections(const py::list& sections) {
    ModelTree::Table root;
    for (const auto section : sections) {
        const auto [header, entries] = section.cast<std::pair<std::string, py::list>>();
        ModelTree::Table table;
        std::string argument;
        for (const auto entry : entries) {
            const auto [name, value, given] = entry.cast<std::tuple<std::string, py::object, std::string>>();
            argument = argument.empty() ? given : argument;
            table.emplace_back(name, tree_of(value, given));
        }
        const bool block = header.starts_with('[');
        // What is said of [dynamics] as a whole concerns arguments that are missing.
        argument = header == "dynamics" ? "" : argument.substr(0, block ? argument.size() : argument.find('['));
        if (header.empty()) {
            root.insert(root.end(), table.begin(), table.end());
        } else if (block) {
            const auto name = header.substr(1, header.size() - 2);
            if (root.empty() || root.back().first != name) {
                root.emplace_back(name, ModelTree{ModelTree::List{}, argument.substr(0, argument.find('['))});
            }
            std::get<ModelTree::List>(root.back().second.value).push_back({std::move(table), argument});
        } else {
            root.emplace_back(header, ModelTree{std::move(table), argument});
        }
    }
    return {std::move(root)};
}

std::shared_ptr<Model> build(const py::list& sections, const Overrides& overrides, const py::object& external) {
    const auto tree = tree_of_sections(sections);
    auto functions = functions_of(external);
    const ReleasedGil released;
    return std::make_shared<Model>(build_model(tree, "model", overrides, std::move(functions)));
}

}  // namespace

void bind_model_trees(py::module_& m) {
    m.def("build_model", &build, py::arg("sections"), py::arg("overrides") = Overrides{},
          py::arg("external") = py::none(),
          "The model of sections [(header, [(name, value, argument), ...]), ...], as a model file has them.");
}

}  // namespace libration::python
