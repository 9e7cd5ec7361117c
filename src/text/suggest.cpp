// Nearest names by edit distance, a swap of neighbours counting as one edit. Letters in the other case count next to
// nothing.
#include "suggest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace libration {

namespace {

constexpr std::size_t edit = 100;  // more than all letters of a name, at most 64, in the other case
constexpr std::size_t other_case = 1;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::size_t change_cost(char a, char b) { return a == b ? 0 : (lower(a) == lower(b) ? other_case : edit); }

std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) {
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                d[i][j] = (i + j) * edit;
                continue;
            }
            const std::size_t change = change_cost(a[i - 1], b[j - 1]);
            d[i][j] = std::min({d[i - 1][j] + edit, d[i][j - 1] + edit, d[i - 1][j - 1] + change});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + edit);
            }
        }
    }
    return d[a.size()][b.size()];
}

}  // namespace

std::string suggestion(std::string_view misspelt, std::span<const std::string> known, std::size_t most) {
    const std::string* nearest = nullptr;
    // One edit in two or three letters, two in four to six, then three; a single letter resembles everything.
    std::size_t least = edit * (misspelt.size() < 2 ? 1 : (misspelt.size() < 4 ? 2 : (misspelt.size() < 7 ? 3 : 4)));
    for (const auto& name : known) {
        // The beginning of a name is as good as one edit.
        const bool begins = misspelt.size() >= 3 && std::string_view(name).starts_with(misspelt);
        const auto d = begins ? edit : distance(misspelt.substr(0, 64), std::string_view(name).substr(0, 64));
        if (d < least) {
            least = d;
            nearest = &name;
        }
    }
    if (nearest != nullptr) {
        return fmt::format(": did you mean '{}'?", *nearest);
    }
    if (known.empty()) {
        return {};
    }
    const auto shown = known.subspan(0, std::min(most, known.size()));
    return fmt::format("; known are {}{}", fmt::join(shown, ", "), known.size() > most ? ", ..." : "");
}

}  // namespace libration
