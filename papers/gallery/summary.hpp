// What tables say of an item: numbers with as many digits as their tolerance warrants, and a sign for the verdict.
#pragma once

#include "reproduce/reproduce.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace libration {

// Down to the first digit of the tolerance: 1.216e-8 where 7e-11 is allowed; at least two digits. Without a tolerance,
// as it reads back. Never NaN or inf, but words.
std::string number_text(double value, double tolerance);
// With the digits that it was written with, at most twelve.
std::string number_text(double value);

// One cell of a table: numbers, or words where there are none; both may be missing.
struct SummaryCell {
    std::vector<std::string> numbers;
    std::string words;
    // "2.56e-4, 1.34e-6, ..."; of long lists the first and the last.
    [[nodiscard]] std::string text() const;
};

// Of the check that represents the item.
SummaryCell printed_cell(const ItemResult& item);
SummaryCell measured_cell(const ItemResult& item);

// A sign next to the word, for readers who see no colors.
std::string_view symbol(ItemVerdict verdict);

}  // namespace libration
