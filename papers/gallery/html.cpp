// Pieces of HTML.
#include "html.hpp"

#include "formula_text.hpp"
#include "mathml.hpp"

#include <libration/version.hpp>

#include <fmt/format.h>

namespace libration::html {

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
            case '&': result += "&amp;"; break;
            case '<': result += "&lt;"; break;
            case '>': result += "&gt;"; break;
            case '"': result += "&quot;"; break;
            default:
                // XML has no way to write other control characters.
                const auto code = static_cast<unsigned char>(c);
                const bool allowed = code >= 0x20 || c == '\n' || c == '\t';
                result += allowed ? std::string(1, c) : c == '\r' ? "" : "\xEF\xBF\xBD";
        }
    }
    return result;
}

namespace {

std::string with_formulas(std::string_view text) {
    std::string result;
    std::size_t shown = 0;
    for (std::size_t at = 0; at < text.size();) {
        const auto formula = formula_at(text, at);
        if (formula.length == 0) {
            ++at;
            continue;
        }
        result += escaped(text.substr(shown, at - shown)) + mathml_of(formula.latex);
        at = shown = at + formula.length;
    }
    return result + escaped(text.substr(shown));
}

}  // namespace

std::string inline_text(std::string_view text) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const auto open = text.find('`', at);
        const auto close = open == std::string_view::npos ? open : text.find('`', open + 1);
        if (close == std::string_view::npos) {
            return result + with_formulas(text.substr(at));
        }
        result += with_formulas(text.substr(at, open - at));
        const auto inside = text.substr(open + 1, close - open - 1);
        const auto formula = whole_formula(inside);
        result += formula.length > 0 ? mathml_of(formula.latex) : "<code>" + escaped(inside) + "</code>";
        at = close + 1;
    }
    return result;
}

std::string paragraphs(std::string_view text) {
    std::string result, paragraph;
    const auto flush = [&] {
        if (!paragraph.empty()) {
            result += "<p>" + inline_text(paragraph) + "</p>\n";
        }
        paragraph.clear();
    };
    for (std::size_t at = 0; at < text.size();) {
        const auto end = std::min(text.find('\n', at), text.size());
        const auto line = text.substr(at, end - at);
        if (line.find_first_not_of(" \t\r") == std::string_view::npos) {
            flush();
        } else {
            paragraph += (paragraph.empty() ? "" : "\n") + std::string(line);
        }
        at = end + 1;
    }
    flush();
    return result;
}

namespace {

std::string with_minus(std::string_view text) {
    return text.starts_with('-') ? "−" + escaped(text.substr(1)) : escaped(text);
}

}  // namespace

std::string number(std::string_view text) {
    const auto e = text.find('e');
    const bool power = e != std::string_view::npos && e > 0 && e + 1 < text.size() && text[e - 1] >= '0' &&
                       text[e - 1] <= '9' && text.find_first_not_of("0123456789", e + 2) == std::string_view::npos;
    if (!power) {
        return with_minus(text);
    }
    return fmt::format("{}&#160;×&#160;10<sup>{}</sup>", with_minus(text.substr(0, e)), with_minus(text.substr(e + 1)));
}

std::string cell(const SummaryCell& summary) {
    if (summary.numbers.empty()) {
        return summary.words.empty() ? "–" : inline_text(summary.words);
    }
    // The rule for long lists is that of the text.
    std::string result;
    const auto text = summary.text();
    for (std::size_t at = 0; at < text.size();) {
        const auto end = std::min(text.find(", ", at), text.size());
        const auto one = std::string_view(text).substr(at, end - at);
        result += (at == 0 ? "" : ", ") + (one == "..." ? std::string("…") : number(one));
        at = end + 2;
    }
    return result;
}

std::string_view class_of(ItemVerdict verdict) {
    switch (verdict) {
        case ItemVerdict::reproduced: return "reproduced";
        case ItemVerdict::corrected: return "corrected";
        case ItemVerdict::statistical: return "statistical";
        case ItemVerdict::not_reproduced: return "not-reproduced";
        case ItemVerdict::failed: break;
    }
    return "failed";
}

std::string badge(const ItemVerdict* verdict) {
    if (verdict == nullptr) {
        return R"(<span class="verdict waiting">… not done yet</span>)";
    }
    return fmt::format(R"(<span class="verdict {}">{} {}</span>)", class_of(*verdict), symbol(*verdict),
                       escaped(to_string(*verdict)));
}

std::string page(std::string_view title, std::string_view root, std::string_view body) {
    return fmt::format(R"(<!DOCTYPE html>
<html lang="en" xmlns="http://www.w3.org/1999/xhtml">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<title>{}</title>
<link rel="stylesheet" href="{}style.css"/>
</head>
<body>
{}
<footer>Generated by libration {}. Measured values were computed when this page was generated.</footer>
</body>
</html>
)",
                       escaped(title), root, body, version);
}

}  // namespace libration::html
