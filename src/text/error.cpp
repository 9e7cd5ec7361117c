// Mistakes as text.
#include <libration/text/error.hpp>

#include <fmt/format.h>

namespace libration {

std::string text(const Mistake& mistake) {
    std::string message;
    if (!mistake.argument.empty()) {
        message = fmt::format("`{}{}{}`: ", mistake.argument, mistake.value.empty() ? "" : " = ", mistake.value);
    }
    message += mistake.problem;
    if (!mistake.remedy.empty()) {
        message += "; " + mistake.remedy;
    }
    return point_at(mistake.place, message, mistake.width);
}

InputError::InputError(Mistake mistake)
    : std::runtime_error(text(mistake)), mistake_(std::make_shared<Mistake>(std::move(mistake))) {}

InputError::InputError(const std::string& problem)
    : std::runtime_error(problem), mistake_(std::make_shared<Mistake>(Mistake{{}, {}, problem, {}, {}, 1})) {}

InputError::InputError(const Place& place, const std::string& problem, std::size_t width)
    : InputError(Mistake{{}, {}, problem, {}, place, width}) {}

}  // namespace libration
