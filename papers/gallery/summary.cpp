// Numbers and cells of tables.
#include "summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace libration {

namespace {

constexpr int most_digits = 12;
// Longer lists show their first and last values only.
constexpr std::size_t longest_list = 6;

int exponent_of(double value) { return static_cast<int>(std::floor(std::log10(std::abs(value)))); }

// Digits of the shortest text that reads back.
int written_digits(double value) {
    std::array<char, 64> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific).ptr;
    char* const mantissa_end = std::find(text.data(), end, 'e');
    return static_cast<int>(std::count_if(text.data(), mantissa_end, [](char c) { return c >= '0' && c <= '9'; }));
}

std::string unusual(double value) { return std::isnan(value) ? "not a number" : value > 0 ? "infinity" : "-infinity"; }

// Powers of ten for what is below 1e-3 or has more zeros than digits.
std::string with_digits(double value, int digits) {
    if (value == 0) {
        return "0";
    }
    const int exponent = exponent_of(value);
    const bool whole = value == std::nearbyint(value) && digits >= exponent - 2;
    if (exponent > -4 && (exponent < 6 || (exponent < 10 && (whole || digits > exponent)))) {
        return fmt::format("{:.{}f}", value, std::max(0, digits - 1 - exponent));
    }
    const auto text = fmt::format("{:.{}e}", value, digits - 1);
    const auto e = text.find('e');
    return fmt::format("{}e{}", text.substr(0, e), std::stoi(text.substr(e + 1)));
}

}  // namespace

std::string number_text(double value) {
    return std::isfinite(value) ? with_digits(value, std::min(most_digits, written_digits(value))) : unusual(value);
}

std::string number_text(double value, double tolerance) {
    if (!std::isfinite(value)) {
        return unusual(value);
    }
    if (!(tolerance > 0) || !std::isfinite(tolerance) || value == 0) {
        return number_text(value);
    }
    const int digits = std::clamp(exponent_of(value) - exponent_of(tolerance) + 1, 2, 17);
    return with_digits(value, std::min(digits, written_digits(value)));
}

std::string SummaryCell::text() const {
    std::string joined;
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        if (numbers.size() > longest_list && k == longest_list - 2) {
            joined += ", ...";
            k = numbers.size() - 1;
        }
        joined += (k == 0 ? "" : ", ") + numbers[k];
    }
    return joined.empty() ? words : joined;
}

namespace {

// Of exact values a summary shows enough to recognise them, and as many digits as the print; the page of the item has
// them all.
std::string short_text(const CheckRow& row) {
    const int digits = row.printed ? std::max(7, written_digits(*row.printed)) : 7;
    const double shown = row.tolerance > 0 ? std::pow(10.0, -digits) : 1e-3;
    return number_text(row.measured, std::max(row.tolerance, std::abs(row.measured) * shown));
}

}  // namespace

SummaryCell printed_cell(const ItemResult& item) {
    SummaryCell cell;
    const auto* const check = headline(item);
    if (check == nullptr) {
        return cell;
    }
    for (const auto& row : check->rows) {
        if (row.printed) {
            cell.numbers.push_back(number_text(*row.printed));
        }
    }
    cell.words = check->printed_text;
    return cell;
}

SummaryCell measured_cell(const ItemResult& item) {
    SummaryCell cell;
    if (!item.fault.empty()) {
        cell.words = item.fault.substr(0, item.fault.find('\n'));
        return cell;
    }
    const auto* const check = headline(item);
    if (check == nullptr) {
        return cell;
    }
    for (const auto& row : check->rows) {
        cell.numbers.push_back(short_text(row));
    }
    cell.words = check->fault;
    return cell;
}

std::string_view symbol(ItemVerdict verdict) {
    switch (verdict) {
        case ItemVerdict::reproduced: return "✓";
        case ItemVerdict::corrected: return "✎";
        case ItemVerdict::statistical: return "≈";
        case ItemVerdict::not_reproduced: return "○";
        case ItemVerdict::failed: break;
    }
    return "✗";
}

}  // namespace libration
