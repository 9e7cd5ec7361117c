// Digits, shifted by the exponent.
#include "text/whole_number.hpp"

#include <algorithm>
#include <charconv>
#include <string>

namespace libration {

namespace {

constexpr WholeNumber not_whole{0, std::errc::invalid_argument};

bool all_digits(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// "2.5e3": the digits 25, and what is to be done with the point: 10^2 times.
struct Decimal {
    std::string digits;
    std::int64_t shift = 0;
    bool valid = false;
};

Decimal decimal_of(std::string_view text) {
    Decimal found;
    if (const auto e = text.find_first_of("eE"); e != std::string_view::npos) {
        auto exponent = text.substr(e + 1);
        if (exponent.starts_with('+') && !exponent.starts_with("+-")) {
            exponent.remove_prefix(1);
        }
        const auto [end, error] = std::from_chars(exponent.data(), exponent.data() + exponent.size(), found.shift);
        constexpr std::int64_t most = 1'000'000;  // beyond any number; sums of exponents stay small
        if (error == std::errc::invalid_argument || end != exponent.data() + exponent.size()) {
            return found;
        }
        if (error == std::errc::result_out_of_range) {
            found.shift = exponent.starts_with('-') ? -most : most;
        }
        found.shift = std::clamp(found.shift, -most, most);
        text = text.substr(0, e);
    }
    const auto point = std::min(text.find('.'), text.size());
    const auto fraction = text.substr(std::min(point + 1, text.size()));
    found.digits = std::string(text.substr(0, point)) + std::string(fraction);
    found.shift -= static_cast<std::int64_t>(fraction.size());
    found.valid = !found.digits.empty() && all_digits(found.digits);
    return found;
}

}  // namespace

WholeNumber whole_number(std::string_view text) {
    const bool negative = text.starts_with('-');
    auto found = decimal_of(text.substr(negative || text.starts_with('+') ? 1 : 0));
    if (!found.valid) {
        return not_whole;
    }
    found.digits.erase(0, std::min(found.digits.find_first_not_of('0'), found.digits.size()));
    if (found.digits.empty()) {
        return {};
    }
    while (found.shift < 0 && found.digits.ends_with('0')) {
        found.digits.pop_back();
        ++found.shift;
    }
    if (found.shift < 0) {
        return not_whole;
    }
    constexpr std::size_t most_digits = 19;
    if (found.digits.size() + static_cast<std::size_t>(found.shift) > most_digits) {
        return {0, std::errc::result_out_of_range};
    }
    const auto whole = (negative ? "-" : "") + found.digits + std::string(static_cast<std::size_t>(found.shift), '0');
    WholeNumber result;
    result.error = std::from_chars(whole.data(), whole.data() + whole.size(), result.value).ec;
    return result;
}

}  // namespace libration
