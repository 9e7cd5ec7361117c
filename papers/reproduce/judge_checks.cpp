// Whether the measured values are the expected ones.
#include "reproduce/judge_checks.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace libration {

namespace {

std::optional<double> element(const RecipeNumbers& numbers, std::size_t row) {
    if (numbers.empty()) {
        return std::nullopt;
    }
    return numbers.size() == 1 ? numbers[0] : numbers.at(row);
}

void require_length(const RecipeNumbers& numbers, std::size_t rows, const char* what) {
    if (numbers.size() > 1 && numbers.size() != rows) {
        throw InputError(fmt::format("{} numbers were measured, {} are {}", rows, numbers.size(), what));
    }
}

CheckRow judge_row(const Check& check, double measured, std::size_t row) {
    CheckRow result;
    result.label = row < check.labels.size() ? check.labels[row] : std::string{};
    result.measured = measured;
    result.printed = element(check.printed, row);
    result.expected = element(check.expected, row);
    result.passed = std::isfinite(measured);
    if (result.expected) {
        result.tolerance = check.absolute + check.relative * std::abs(*result.expected);
        result.passed = result.passed && std::abs(measured - *result.expected) <= result.tolerance;
    }
    result.passed = result.passed && (!check.below || measured < *check.below);
    result.passed = result.passed && (!check.above || measured > *check.above);
    return result;
}

// Rounded or truncated to the printed digits it is the printed number: -unit/2 <= |measured| - |printed| < unit. Zero
// and expressions have no digits; there the tolerance decides.
bool has_printed_digits(const CheckRow& row, double unit) {
    if (unit == 0) {
        return std::abs(row.measured - *row.printed) <= row.tolerance;
    }
    const double larger = std::copysign(1.0, *row.printed) * (row.measured - *row.printed);
    const double roundoff = 4 * std::numeric_limits<double>::epsilon() * std::abs(*row.printed);
    return larger >= -unit / 2 - roundoff && larger < unit - roundoff;
}

// What is wrong with what is called reproduced, corrected or not reproduced, given what is printed; empty: nothing. A
// check whose tolerance is about the printed number itself has been judged by it.
std::string fault_of_print(const Check& check, const std::vector<CheckRow>& rows) {
    const bool same = check.kind == CheckKind::reproduced && check.printed != check.expected;
    const bool other = check.kind == CheckKind::corrected || check.kind == CheckKind::not_reproduced;
    for (std::size_t row = 0; row < rows.size() && !check.printed.empty(); ++row) {
        const auto& found = rows[row];
        const auto where = found.label.empty() ? std::string{} : found.label + ": ";
        const bool digits = has_printed_digits(found, *element(check.printed_units, row));
        if (same && !digits) {
            return fmt::format("{}{:.6g} was measured: neither rounding nor truncation gives the printed {}", where,
                               found.measured, *found.printed);
        }
        if (other && (digits || std::abs(found.measured - *found.printed) <= found.tolerance)) {
            return fmt::format("{}the printed value is reproduced after all", where);
        }
    }
    return {};
}

}  // namespace

CheckResult judge(const Check& check, const Numbers& numbers) {
    CheckResult result;
    result.what = check.what;
    result.printed_text = check.printed_text;
    result.why = check.why;
    result.remark = check.remark;
    result.kind = check.kind;
    result.below = check.below;
    result.above = check.above;
    try {
        std::vector<double> measured;
        for (const auto& text : check.values) {
            const auto values = numbers.evaluate(text);
            measured.insert(measured.end(), values.begin(), values.end());
        }
        require_length(check.expected, measured.size(), "expected");
        require_length(check.printed, measured.size(), "printed");
        if (!check.labels.empty() && check.labels.size() != measured.size()) {
            throw InputError(
                fmt::format("{} numbers were measured, {} have labels", measured.size(), check.labels.size()));
        }
        result.passed = !measured.empty();
        for (std::size_t row = 0; row < measured.size(); ++row) {
            result.rows.push_back(judge_row(check, measured[row], row));
            result.passed = result.passed && result.rows.back().passed;
        }
        result.fault = fault_of_print(check, result.rows);
        result.passed = result.passed && result.fault.empty();
    } catch (const InputError& error) {
        result.passed = false;
        result.fault = error.what();
    }
    return result;
}

}  // namespace libration
