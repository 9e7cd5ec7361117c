// Values one by one.
#include "records.hpp"

#include <cmath>

namespace libration::python {

namespace py = pybind11;

namespace {

py::object number_of(double value) { return std::isfinite(value) ? py::object(py::float_(value)) : py::none(); }

py::object object_of(const ResultValue& value) {
    return std::visit(
        [](const auto& content) -> py::object {
            using Content = std::decay_t<decltype(content)>;
            if constexpr (std::is_same_v<Content, std::monostate>) {
                return py::none();
            } else if constexpr (std::is_same_v<Content, double>) {
                return number_of(content);
            } else if constexpr (std::is_same_v<Content, std::vector<double>> ||
                                 std::is_same_v<Content, std::vector<ResultValue>>) {
                py::list list;
                for (const auto& item : content) {
                    if constexpr (std::is_same_v<Content, std::vector<double>>) {
                        list.append(number_of(item));
                    } else {
                        list.append(object_of(item));
                    }
                }
                return list;
            } else if constexpr (std::is_same_v<Content, Record>) {
                return dict_of(content);
            } else {
                return py::cast(content);
            }
        },
        value.content);
}

}  // namespace

py::dict dict_of(const Record& record) {
    py::dict dict;
    for (const auto& entry : record.entries) {
        if (entry.shown) {
            dict[py::str(entry.name)] = object_of(entry.value);
        }
    }
    return dict;
}

}  // namespace libration::python
