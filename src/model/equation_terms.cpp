// Families and lines of text.
#include "equation_terms.hpp"

#include <libration/expression/latex.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <optional>

namespace libration {

namespace {

constexpr std::size_t widest_line = 90;
constexpr std::size_t most_single_terms = 500;

struct Extent {
    std::int64_t lower, upper;
    std::size_t first;  // instance where it starts
};

std::optional<std::string> common_bound(const Instances& instances, const std::vector<Extent>& extents,
                                        std::size_t level, std::int64_t Extent::*end) {
    const auto constant = [&](auto offset_of) {
        return std::ranges::all_of(extents, [&](const Extent& e) { return offset_of(e) == offset_of(extents[0]); });
    };
    if (constant([&](const Extent& e) { return e.*end; })) {
        return std::to_string(extents[0].*end);
    }
    for (std::size_t c = level; c-- > 0;) {
        const auto offset = [&](const Extent& e) { return e.*end - instances.columns[c][e.first]; };
        if (constant(offset)) {
            const auto by = offset(extents[0]);
            return symbol_latex(instances.names[c]) + (by == 0 ? "" : fmt::format("{:+}", by));
        }
    }
    return std::nullopt;
}

// Runs of consecutive values of one index while the earlier ones stand still; nothing if values are left out.
std::optional<std::vector<Extent>> extents_of(const Instances& instances, std::size_t level) {
    std::vector<Extent> extents;
    for (std::size_t k = 0; k < instances.count; ++k) {
        bool starts = k == 0;
        for (std::size_t c = 0; c < level && !starts; ++c) {
            starts = instances.columns[c][k] != instances.columns[c][k - 1];
        }
        const auto value = instances.columns[level][k];
        if (starts) {
            extents.push_back({value, value, k});
        } else if (value == extents.back().upper || value == extents.back().upper + 1) {
            extents.back().upper = value;
        } else {
            return std::nullopt;
        }
    }
    return extents;
}

// Calls use(position) for every sign at the outermost level.
template <class Use>
void for_each_outer_sign(std::string_view text, Use use) {
    int depth = 0;
    for (std::size_t k = 0; k < text.size(); ++k) {
        const auto rest = text.substr(k);
        for (const std::string_view opening : {"\\begin", "\\lVert", "\\lvert", "\\lfloor", "\\langle"}) {
            depth += rest.starts_with(opening) ? 1 : 0;
        }
        for (const std::string_view closing : {"\\end", "\\rVert", "\\rvert", "\\rfloor", "\\rangle"}) {
            depth -= rest.starts_with(closing) ? 1 : 0;
        }
        depth += std::string_view("({[").find(text[k]) != std::string_view::npos ? 1 : 0;
        depth -= std::string_view(")}]").find(text[k]) != std::string_view::npos ? 1 : 0;
        if (depth == 0 && (rest.starts_with(" + ") || rest.starts_with(" - "))) {
            use(k);
        }
    }
}

}  // namespace

FamilyRange family_range(const Instances& instances) {
    std::vector<std::string> names;
    std::ranges::transform(instances.names, std::back_inserter(names), [](const auto& n) { return symbol_latex(n); });
    const auto tuple = names.size() == 1 ? names[0] : fmt::format("({})", fmt::join(names, ", "));
    if (!instances.table.empty()) {
        const auto member = tuple + " \\in " + text_latex(instances.table);
        return {"\\sum_{" + member + '}', member};
    }
    FamilyRange range;
    for (std::size_t level = 0; level < names.size(); ++level) {
        const auto extents = extents_of(instances, level);
        const auto lower = extents ? common_bound(instances, *extents, level, &Extent::lower) : std::nullopt;
        const auto upper = extents ? common_bound(instances, *extents, level, &Extent::upper) : std::nullopt;
        if (!lower || !upper) {
            return {"\\sum_{" + tuple + '}', fmt::format("{} \\text{{ in {} instances}}", tuple, instances.count)};
        }
        range.sum += fmt::format("\\sum_{{{}={}}}^{{{}}}", names[level], *lower, *upper);
        const auto values = *lower == *upper ? *lower : *lower + ", \\ldots, " + *upper;
        range.list += fmt::format("{}{} = {}", level > 0 ? ",\\; " : "", names[level], values);
    }
    return range;
}

bool is_family(const Term& term) { return term.origin && !term.origin->names.empty(); }

std::string kernel_latex(const Term& term, const Model& model) {
    return to_latex(with_vectors(term.formula.kernel, model));
}

std::string potential_latex(const Model& model, unsigned part) {
    Expression single(0);
    std::size_t count = 0;
    std::vector<std::string> families;
    for (const auto& term : model.potential) {
        if ((part != 0 && (term.part & part) == 0) || term.formula.instances == 0) {
            continue;
        }
        if (is_family(term)) {
            families.push_back(family_range(*term.origin).sum + ' ' + as_factor(kernel_latex(term, model)));
        } else if (++count <= most_single_terms) {
            single += with_vectors(term.formula.kernel, model);
        }
    }
    if (count > most_single_terms) {
        families.emplace_back("\\ldots");
    } else if (!single.is_constant(0) || families.empty()) {
        families.insert(families.begin(), to_latex(single));
    }
    return joined_sum(families);
}

std::string as_factor(const std::string& text) {
    bool is_sum = text.starts_with('-');
    for_each_outer_sign(text, [&](std::size_t) { is_sum = true; });
    const bool tall = text.find("\\frac") != std::string::npos || text.find("\\begin") != std::string::npos;
    return !is_sum ? text : tall ? "\\left(" + text + " \\right)" : '(' + text + ')';
}

std::string joined_sum(const std::vector<std::string>& terms) {
    std::string text;
    for (const auto& term : terms) {
        const bool negative = term.starts_with('-');
        text += text.empty() ? term : (negative ? " - " + term.substr(1) : " + " + term);
    }
    return text;
}

std::size_t width_of(std::string_view latex) {
    std::size_t width = 0;
    for (std::size_t k = 0; k < latex.size(); ++k) {
        if (latex[k] == '\\') {
            const auto begin = k;
            while (k + 1 < latex.size() && std::isalpha(static_cast<unsigned char>(latex[k + 1])) != 0) {
                ++k;
            }
            const auto command = latex.substr(begin, k + 1 - begin);
            const bool silent = command == "\\left" || command == "\\right" || command == "\\frac" ||
                                command == "\\mathrm" || command == "\\mathbf" || command == "\\dot" ||
                                command == "\\sqrt" || command == "\\text";
            const bool word = command == "\\sin" || command == "\\cos" || command == "\\tan" || command == "\\exp";
            width += silent ? 0 : (word ? 3 : 1);
        } else if (std::string_view("{}_^ ").find(latex[k]) == std::string_view::npos) {
            ++width;
        }
    }
    return width;
}

void append_equation(std::vector<std::string>& lines, const std::string& left, const std::string& right,
                     const std::string& remark) {
    std::vector<std::size_t> cuts;
    std::size_t start = 0, last = 0;
    for_each_outer_sign(right, [&](std::size_t at) {
        if (width_of(std::string_view(right).substr(start, at - start)) > widest_line && last > start) {
            cuts.push_back(last);
            start = last;
        }
        last = at;
    });
    if (last > start && width_of(std::string_view(right).substr(start)) > widest_line) {
        cuts.push_back(last);
    }
    cuts.push_back(right.size());
    start = 0;
    for (const auto cut : cuts) {
        const auto piece = right.substr(start, cut - start);
        lines.push_back(start == 0 ? left + " &= " + piece : "&\\quad {}" + piece);
        start = cut;
    }
    if (!remark.empty()) {
        lines.back() += " \\qquad " + remark;  // a column of its own would stand behind the longest line
    }
}

}  // namespace libration
