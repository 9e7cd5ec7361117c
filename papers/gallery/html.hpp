// Pieces of HTML, written so that they are XML too.
#pragma once

#include "summary.hpp"

#include <string>
#include <string_view>

namespace libration::html {

// For text and for values of attributes.
std::string escaped(std::string_view text);
// With `code` in backticks. Formulas are typeset, in backticks and elsewhere.
std::string inline_text(std::string_view text);
// Paragraphs are separated by empty lines.
std::string paragraphs(std::string_view text);
// A text of number_text, 1.2e-8, as 1.2 x 10^-8.
std::string number(std::string_view text);
std::string cell(const SummaryCell& cell);
// Name for the class of a verdict in style.css.
std::string_view class_of(ItemVerdict verdict);
// Sign and word; null: not done yet.
std::string badge(const ItemVerdict* verdict);

// A whole page; `root` leads to the directory of the gallery: "" or "../".
std::string page(std::string_view title, std::string_view root, std::string_view body);

std::string_view style_sheet();

}  // namespace libration::html
