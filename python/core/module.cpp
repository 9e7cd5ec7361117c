// libration._core: the library as Python sees it. All that is for people (names, pictures, tables) is written in Python
// around it.
#include "bindings.hpp"
#include "gil.hpp"

#include <libration/version.hpp>

namespace {

// A class of the core that says nothing of pickles would be asked by protocols 0 and 1 for objects without content,
// which ends the process.
void refuse_pickles(const pybind11::object& type) {
    const auto name = std::string(pybind11::str(type.attr("__name__")));
    for (const char* const method : {"__reduce_ex__", "__reduce__"}) {
        type.attr(method) = pybind11::cpp_function(
            [name](const pybind11::args&) -> pybind11::object {
                throw pybind11::type_error("_core." + name + " cannot be pickled or copied");
            },
            pybind11::is_method(type));
    }
}

}  // namespace

PYBIND11_MODULE(_core, m) {
    using namespace libration::python;
    m.doc() = "The numerical core of libration; use the package around it.";
    m.attr("version") = std::string(libration::version);
    watch_the_exit();
    bind_arrays(m);
    bind_errors(m);
    bind_requests(m);
    bind_expressions(m);
    bind_external(m);
    bind_models(m);
    bind_constraint_gradients(m);
    bind_joint_places(m);
    bind_model_texts(m);
    bind_model_trees(m);
    bind_runs(m);
    bind_ensembles(m);
    bind_reports(m);
    bind_choices(m);
    bind_gradients(m);
    for (const char* const name : {"Model", "State", "RunResult", "EnsembleResult", "External", "Memory"}) {
        refuse_pickles(m.attr(name));
    }
}
