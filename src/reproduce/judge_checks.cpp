// Whether what was measured is what must come out.
#include "reproduce/judge_checks.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <cmath>

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

// What is called corrected or not reproduced must not agree with the print after all.
bool agrees_with_print(const std::vector<CheckRow>& rows) {
    for (const auto& row : rows) {
        if (!row.printed || std::abs(row.measured - *row.printed) > row.tolerance) {
            return false;
        }
    }
    return true;
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
        const bool differs = check.kind == CheckKind::corrected || check.kind == CheckKind::not_reproduced;
        if (differs && !check.printed.empty() && check.printed != check.expected && agrees_with_print(result.rows)) {
            result.passed = false;
            result.fault = "the printed value comes out after all";
        }
    } catch (const InputError& error) {
        result.passed = false;
        result.fault = error.what();
    }
    return result;
}

}  // namespace libration
