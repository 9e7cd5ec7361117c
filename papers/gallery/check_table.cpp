// The table of checks on the page of an item.
#include "pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration::html {

namespace {

bool bounded(const CheckResult& check) { return check.below || check.above; }

// The expected value, where it differs from the printed one.
bool expects_something_else(const CheckResult& check, const CheckRow& row) {
    return bounded(check) || (row.expected && row.expected != row.printed);
}

std::string expected_cell(const CheckResult& check, const CheckRow& row) {
    if (check.below && check.above) {
        return fmt::format("{} to {}", number(number_text(*check.above)), number(number_text(*check.below)));
    }
    if (check.below) {
        return "&lt; " + number(number_text(*check.below));
    }
    if (check.above) {
        return "&gt; " + number(number_text(*check.above));
    }
    return expects_something_else(check, row) ? number(number_text(*row.expected)) : "";
}

// Bounds allow any number of digits; three tell the story.
std::string measured_cell(const CheckRow& row) {
    const double tolerance = row.tolerance > 0 ? row.tolerance : std::abs(row.measured) * 1e-3;
    const bool exact = !(row.tolerance > 0) && row.measured == std::nearbyint(row.measured);
    return number(exact ? number_text(row.measured) : number_text(row.measured, tolerance));
}

std::string tolerance_cell(const CheckResult& check, const CheckRow& row) {
    if (bounded(check)) {
        return "";
    }
    return row.tolerance > 0 ? "±&#160;" + number(number_text(row.tolerance, row.tolerance / 10)) : "exact";
}

std::string sign(bool passed) { return passed ? R"(<span class="good">✓</span>)" : R"(<span class="bad">✗ no</span>)"; }

std::string kind_badge(CheckKind kind) {
    const auto verdict = static_cast<ItemVerdict>(kind);
    return kind == CheckKind::reproduced ? "" : " " + badge(&verdict);
}

struct Columns {
    bool expected = false;
    [[nodiscard]] int count() const { return expected ? 6 : 5; }
};

// With the name of its column, which narrow pages show beside it.
std::string column_cell(std::string_view column, const std::string& text, bool number = true) {
    return fmt::format("<td data-column=\"{}\"{}>{}</td>", column, number ? " class=\"number\"" : "", text);
}

std::string row_cells(const CheckResult& check, const CheckRow& row, const Columns& columns, bool alone) {
    std::string printed = row.printed ? number(number_text(*row.printed)) : "";
    if (!row.printed && alone && !check.printed_text.empty()) {
        printed = inline_text(check.printed_text);
    }
    std::string cells = column_cell("Printed", printed, row.printed.has_value());
    if (columns.expected) {
        cells += column_cell("Expected", expected_cell(check, row));
    }
    return cells + column_cell("Measured", "<b>" + measured_cell(row) + "</b>") +
           column_cell("Allowed", tolerance_cell(check, row)) + column_cell("Holds", sign(row.passed), false);
}

std::string notes(const CheckResult& check) {
    std::string text;
    const auto add = [&text](const std::string& html) { text += (text.empty() ? "" : "<br/>") + html; };
    if (!check.why.empty()) {
        add((bounded(check) ? "Bound: " : "Tolerance: ") + inline_text(check.why));
    }
    if (!check.remark.empty()) {
        add(inline_text(check.remark));
    }
    if (!check.fault.empty()) {
        add("<span class=\"bad\">" + inline_text(check.fault) + "</span>");
    }
    return text;
}

std::string rows_of(const CheckResult& check, const Columns& columns) {
    const auto note = notes(check);
    const char* with_note = note.empty() ? "" : " has-why";
    std::string html;
    if (check.rows.size() == 1) {
        const auto& row = check.rows.front();
        html += fmt::format("<tr class=\"single{}\"><td>{}{}{}</td>{}</tr>\n", with_note, inline_text(check.what),
                            row.label.empty() ? "" : ", " + inline_text(row.label), kind_badge(check.kind),
                            row_cells(check, row, columns, true));
    } else {
        html += fmt::format("<tr class=\"group\"><th colspan=\"{}\" scope=\"rowgroup\">{}{}{}{}</th></tr>\n",
                            columns.count(), inline_text(check.what), kind_badge(check.kind),
                            check.printed_text.empty() ? ""
                                                       : fmt::format(" <span class=\"tag\">in the paper: {}</span>",
                                                                     inline_text(check.printed_text)),
                            check.rows.empty() && !check.passed ? " " + sign(false) : "");
    }
    for (std::size_t k = 0; check.rows.size() > 1 && k < check.rows.size(); ++k) {
        const bool last = k + 1 == check.rows.size() && !note.empty();
        html += fmt::format("<tr class=\"row{}\"><td>{}</td>{}</tr>\n", last ? " last" : "",
                            inline_text(check.rows[k].label), row_cells(check, check.rows[k], columns, false));
    }
    return note.empty()
               ? html
               : html + fmt::format("<tr class=\"why\"><td colspan=\"{}\">{}</td></tr>\n", columns.count(), note);
}

}  // namespace

std::string check_table(const ItemResult& item) {
    if (item.checks.empty()) {
        return "";
    }
    Columns columns;
    for (const auto& check : item.checks) {
        columns.expected |=
            std::ranges::any_of(check.rows, [&](const CheckRow& row) { return expects_something_else(check, row); });
    }
    std::string html = fmt::format(
        "<div class=\"wide\"><table class=\"checks\">\n<thead><tr><th>What</th><th>Printed</th>{}<th>Measured"
        "</th><th>Allowed</th><th>Holds</th></tr></thead>\n",
        columns.expected ? "<th>Expected</th>" : "");
    for (const auto& check : item.checks) {
        html += "<tbody>\n" + rows_of(check, columns) + "</tbody>\n";
    }
    return html + "</table></div>\n";
}

}  // namespace libration::html
