// Lists of times.
#include "output_times.hpp"

#include "expression/program.hpp"
#include "expression/tape.hpp"
#include "text/shorten.hpp"
#include <libration/expression/parse.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace libration {

namespace {

// Commas and colons inside brackets belong to expressions.
std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts{""};
    int depth = 0;
    for (const char c : text) {
        depth += c == '(' ? 1 : (c == ')' ? -1 : 0);
        if (c == separator && depth == 0) {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    return parts;
}

double constant_time(const std::string& text, const std::string& list) {
    if (text.find_first_not_of(" \t") == std::string::npos) {
        throw InputError(fmt::format("{}: a time is missing; write times as 0.5,pi,7 or as first:step:last", list));
    }
    // Long lists are of plain numbers.
    const auto plain = text.substr(text.find_first_not_of(' '));
    double number = 0;
    if (const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), number);
        error == std::errc{} && end == plain.data() + plain.size() && std::isfinite(number)) {
        return number;
    }
    const auto expression = parse(text);
    if (const auto names = symbols_of(std::array{expression}); !names.empty()) {
        throw InputError(
            fmt::format("{}: '{}' is not a constant; times are numbers such as 0.5, 2*pi", list, names[0].text()));
    }
    const double value = Tape<double>(compile(std::array{expression}, {}, {}), {}).output(0);
    if (!std::isfinite(value)) {
        throw InputError(fmt::format("{}: {} is not a finite number", list, text));
    }
    return value;
}

void add_range(const std::vector<std::string>& parts, const std::string& list, std::vector<double>& times) {
    if (parts.size() != 3) {
        throw InputError(fmt::format("{}: a range has three parts, first:step:last, e.g. 0:0.1:10", list));
    }
    const double first = constant_time(parts[0], list), step = constant_time(parts[1], list),
                 last = constant_time(parts[2], list);
    const double count = (last - first) / step;
    if (step == 0 || !(count >= 0)) {
        throw InputError(fmt::format("{}: steps of {} do not go from {} to {}", list, step, first, last));
    }
    if (count > 1e8) {
        throw InputError(fmt::format("{}: this is more than 1e8 times; use a larger step", list));
    }
    // The last one belongs to it in spite of rounding.
    const auto n = static_cast<std::int64_t>(std::floor(count * (1 + 1e-12) + 1e-9));
    for (std::int64_t k = 0; k <= n; ++k) {
        times.push_back(first + static_cast<double>(k) * step);
    }
}

double time_rounding(double t) { return 4 * std::numeric_limits<double>::epsilon() * std::abs(t); }

}  // namespace

std::vector<double> read_times(const std::string& text, const std::string& shown) {
    const auto list = shown.empty() ? fmt::format("`at = {}`", shortened(text)) : shown;
    std::vector<double> times;
    for (const auto& item : split(text, ',')) {
        const auto parts = split(item, ':');
        if (parts.size() > 1) {
            add_range(parts, list, times);
        } else {
            times.push_back(constant_time(item, list));
        }
    }
    return times;
}

OutputTimes::OutputTimes(std::vector<double> times, double first, double last, std::vector<std::string>& warnings)
    : times_(std::move(times)), sign_(last < first ? -1 : 1) {
    for (const double t : times_) {
        if (!std::isfinite(t)) {
            throw InputError(fmt::format("the output time {} is not a finite number", t));
        }
    }
    std::ranges::sort(times_, [this](double a, double b) { return sign_ * a < sign_ * b; });
    times_.erase(std::unique(times_.begin(), times_.end()), times_.end());
    const auto range = fmt::format("the run goes from t = {} to t = {}", first, last);
    if (!times_.empty() && sign_ * times_.front() < sign_ * first - time_rounding(first)) {
        throw InputError(fmt::format("output is requested at t = {}, but {}", times_.front(), range));
    }
    const auto behind = [&](double t) { return sign_ * t > sign_ * last + time_rounding(last); };
    const auto outside = static_cast<std::size_t>(std::ranges::count_if(times_, behind));
    if (outside > 0 && outside == times_.size()) {
        throw InputError(fmt::format("output is requested at t = {}{}, but {}", times_.front(),
                                     outside > 1 ? " and later" : "", range));
    }
    if (outside > 0) {
        warnings.push_back(fmt::format("{} of the {} output times are not reached, from t = {} on: {}", outside,
                                       times_.size(), times_[times_.size() - outside], range));
    }
}

std::optional<double> OutputTimes::next(double t) const {
    if (next_ >= times_.size() || sign_ * times_[next_] > sign_ * t + time_rounding(t)) {
        return std::nullopt;
    }
    return times_[next_];
}

void OutputTimes::skip(double t) {
    next_ = 0;
    while (next(t)) {
        advance();
    }
}

}  // namespace libration
