// _core.External: callables become functions of the library. What they raise comes out of it as it was.
#include "external.hpp"

#include "arrays.hpp"
#include "bindings.hpp"
#include "gil.hpp"
#include "signals.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pybind11/stl.h>

#include <algorithm>

namespace py = pybind11;

namespace libration::python {

namespace {

// A Python function and what it is called in messages. Copies share the object: the GIL is needed to let go of it, not
// to copy.
class Callable {
  public:
    Callable(const py::object& function, std::string what)
        : function_(new py::object(function),
                    [](py::object* last) {
                        if (Py_IsInitialized() == 0) {
                            return;  // the interpreter has gone before its objects
                        }
                        const HoldGil gil;
                        delete last;
                    }),
          what_(std::move(what)) {}

    // The numbers of a result in one of the given shapes.
    template <class... Vectors>
    void call(std::span<double> out, std::initializer_list<ArrayShape> shapes, const Vectors&... vectors) const {
        const HoldGil gil;
        py::object result;
        try {
            result = (*function_)(read_only(vectors)...);
        } catch (const py::error_already_set& error) {
            if (!error.matches(PyExc_KeyboardInterrupt) || !InterruptKeeper::keep()) {
                throw;
            }
            result = (*function_)(read_only(vectors)...);
        }
        copy(result, out, shapes);
    }

  private:
    static py::object read_only(std::span<const double> values) { return copied_array(values, Access::read_only); }

    void copy(const py::object& result, std::span<double> out, std::initializer_list<ArrayShape> shapes) const {
        const GivenNumbers numbers(result, "fiu");
        if (!numbers.accepted()) {
            throw InputError(fmt::format("{} must return real numbers, not {} (numpy kind '{}')", what_,
                                         std::string(py::str(py::type::of(result).attr("__name__"))), numbers.kind()));
        }
        const auto& shape = numbers.shape();
        if (std::ranges::find(shapes, shape) == shapes.end()) {
            throw InputError(fmt::format("{} must return an array of shape ({}{}), not ({}{})", what_,
                                         fmt::join(*shapes.begin(), ", "), shapes.begin()->size() == 1 ? "," : "",
                                         fmt::join(shape, ", "), shape.size() == 1 ? "," : ""));
        }
        std::ranges::copy(numbers.values(), out.begin());
    }

    std::shared_ptr<py::object> function_;
    std::string what_;
};

ArrayShape row_shape(std::size_t n) { return {static_cast<py::ssize_t>(n)}; }

ExternalPotential potential_of(const py::object& value, const py::object& gradient) {
    return {.value =
                [call = Callable(value, "the external potential")](std::span<const double> q) {
                    double result = 0;
                    call.call({&result, 1}, {ArrayShape{}, ArrayShape{1}}, q);
                    return result;
                },
            .gradient = [call = Callable(gradient, "the gradient of the external potential")](
                            std::span<const double> q,
                            std::span<double> out) { call.call(out, {row_shape(q.size())}, q); }};
}

// A single constraint may leave the brackets of its row away.
ExternalConstraints constraints_of(std::size_t rows, std::vector<std::string> names, const py::object& value,
                                   const py::object& jacobian, const py::object& curvature) {
    const ArrayShape column = row_shape(rows), alone = rows == 1 ? ArrayShape{} : column;
    ExternalConstraints result{.rows = rows, .names = std::move(names)};
    result.value = [column, alone, call = Callable(value, "the value of the external constraints")](
                       std::span<const double> q, std::span<double> out) {
        call.call(out, {column, alone}, q);
    };
    result.jacobian = [rows, call = Callable(jacobian, "the Jacobian of the external constraints")](
                          std::span<const double> q, std::span<double> out) {
        const auto n = static_cast<py::ssize_t>(q.size());
        const ArrayShape matrix{static_cast<py::ssize_t>(rows), n};
        call.call(out, {matrix, rows == 1 ? ArrayShape{n} : matrix}, q);
    };
    if (!curvature.is_none()) {
        result.curvature = [column, alone, call = Callable(curvature, "the curvature of the external constraints")](
                               std::span<const double> q, std::span<const double> v, std::span<double> out) {
            call.call(out, {column, alone}, q, v);
        };
    }
    return result;
}

struct External {
    std::shared_ptr<const ExternalFunctions> functions;
};

void require_callable(const py::object& function, const char* what) {
    if (!function.is_none() && PyCallable_Check(function.ptr()) == 0) {
        throw py::type_error(fmt::format("{} must be a function, not {}", what,
                                         std::string(py::str(py::type::of(function).attr("__name__")))));
    }
}

External make_external(const py::object& potential, const py::object& gradient, const py::object& constraints,
                       const py::object& jacobian, std::size_t rows, std::vector<std::string> names,
                       const py::object& curvature) {
    for (const auto& [function, what] :
         {std::pair{&potential, "the potential"}, std::pair{&gradient, "the gradient of the potential"},
          std::pair{&constraints, "the constraints"}, std::pair{&jacobian, "the Jacobian of the constraints"},
          std::pair{&curvature, "the curvature of the constraints"}}) {
        require_callable(*function, what);
    }
    if (potential.is_none() != gradient.is_none() || constraints.is_none() != jacobian.is_none()) {
        throw InputError("functions that cannot be traced need derivatives: a potential its gradient, constraints "
                         "their Jacobian");
    }
    ExternalFunctions functions;
    if (!potential.is_none()) {
        functions.potential = potential_of(potential, gradient);
    }
    if (!constraints.is_none()) {
        functions.constraints = constraints_of(rows, std::move(names), constraints, jacobian, curvature);
    }
    return {std::make_shared<const ExternalFunctions>(std::move(functions))};
}

}  // namespace

std::shared_ptr<const ExternalFunctions> functions_of(const py::object& external) {
    if (external.is_none()) {
        return nullptr;
    }
    if (!py::isinstance<External>(external)) {
        throw py::type_error("external functions are given as _core.External");
    }
    return external.cast<const External&>().functions;
}

void bind_external(py::module_& m) {
    py::class_<External> type(m, "External", "Functions that cannot be traced, with their derivatives.");
    // In the place of a constructor: an object without functions, which __new__ alone would leave behind, cannot exist.
    type.def_static(
        "__new__",
        [](const py::type&, const py::object& potential, const py::object& gradient, const py::object& constraints,
           const py::object& jacobian, std::size_t rows, std::vector<std::string> names, const py::object& curvature) {
            return make_external(potential, gradient, constraints, jacobian, rows, std::move(names), curvature);
        },
        py::arg("type"), py::kw_only(), py::arg("potential") = py::none(), py::arg("gradient") = py::none(),
        py::arg("constraints") = py::none(), py::arg("jacobian") = py::none(), py::arg("rows") = 0,
        py::arg("names") = std::vector<std::string>{}, py::arg("curvature") = py::none());
    // Named so in the class only: pybind11 would take a method of that name for a constructor of its own.
    type.attr("__init__") =
        py::cpp_function([](const py::object&, const py::kwargs&) {}, py::name("initialise"), py::is_method(type));
}

}  // namespace libration::python
