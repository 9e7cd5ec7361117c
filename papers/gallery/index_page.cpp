// The first page, and the pages of the papers.
#include "pages.hpp"

#include "request/arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace libration::html {

namespace {

constexpr std::array all_verdicts{ItemVerdict::reproduced, ItemVerdict::corrected, ItemVerdict::statistical,
                                  ItemVerdict::not_reproduced, ItemVerdict::failed};

const ItemVerdict* verdict_of(const Entry& entry) { return entry.result ? &entry.result->verdict : nullptr; }

std::string_view meaning(ItemVerdict verdict) {
    switch (verdict) {
        case ItemVerdict::reproduced: return "the computed value agrees with the printed one";
        case ItemVerdict::corrected: return "the printed value is in error; the corrected value is reproduced";
        case ItemVerdict::statistical:
            return "individual values depend on round-off; their statistical properties are reproduced";
        case ItemVerdict::not_reproduced: return "the printed value is not reproduced; this is a known discrepancy";
        case ItemVerdict::failed: break;
    }
    return "a check fails";
}

// Null: those not done yet.
std::ptrdiff_t count_of(std::span<const Entry> entries, const ItemVerdict* verdict) {
    return std::ranges::count_if(entries, [&](const Entry& entry) {
        return verdict == nullptr ? !entry.result : entry.result && entry.result->verdict == *verdict;
    });
}

std::string counts(std::span<const Entry> entries) {
    std::string html = "<ul class=\"counts\">\n";
    const auto add = [&](const ItemVerdict* verdict) {
        if (const auto count = count_of(entries, verdict); count > 0) {
            html += fmt::format("<li><b>{}</b> {}</li>\n", count, badge(verdict));
        }
    };
    for (const auto& verdict : all_verdicts) {
        add(&verdict);
    }
    add(nullptr);
    return html + "</ul>\n";
}

// How many items there are of each verdict, and what it means.
std::string legend(std::span<const Entry> entries) {
    std::string html = "<table class=\"data\">\n<tbody>\n";
    const auto row = [&](auto count, const ItemVerdict* verdict, std::string_view words) {
        if (count > 0) {
            html += fmt::format("<tr><td class=\"number\"><b>{}</b></td><td>{}</td><td>{}</td></tr>\n", count,
                                badge(verdict), words);
        }
    };
    for (const auto& verdict : all_verdicts) {
        row(count_of(entries, &verdict), &verdict, meaning(verdict));
    }
    row(count_of(entries, nullptr), nullptr, "rerun the command that generated this gallery to continue");
    return html + "</tbody>\n</table>\n";
}

// "shorter runs" or the runs of the papers, or how many of them.
std::string mode(std::span<const Entry> entries) {
    const auto done = std::ranges::count_if(entries, [](const Entry& entry) { return entry.result.has_value(); });
    const auto quick =
        std::ranges::count_if(entries, [](const Entry& entry) { return entry.result && entry.result->quick; });
    const auto option = argument_named("quick")->option_name();
    if (quick == 0) {
        return done == 0 ? "" : fmt::format("<p>Generated with full runs, without <code>{}</code>.</p>\n", option);
    }
    return quick == done ? fmt::format("<p>Generated with <code>{}</code>: shorter runs.</p>\n", option)
                         : fmt::format("<p>{} of {} items were generated with <code>{}</code>: shorter runs.</p>\n",
                                       quick, done, option);
}

// Of which the printed and the measured numbers are.
std::string what_is_compared(const Entry& entry) {
    const auto* const check = entry.result ? headline(*entry.result) : nullptr;
    return check == nullptr ? "" : fmt::format("<span class=\"compared\">{}</span>", inline_text(check->what));
}

std::string summary_row(const Entry& entry) {
    const auto id = fmt::format("<td class=\"number\"><a href=\"items/{}.html\">{}</a></td><td>{}{}</td>", entry.file,
                                escaped(entry.id), inline_text(entry.title), what_is_compared(entry));
    if (!entry.result) {
        return fmt::format("<tr>{}<td></td><td></td><td>{}</td></tr>\n", id, badge(nullptr));
    }
    return fmt::format("<tr>{}<td>{}</td><td>{}</td><td>{}</td></tr>\n", id, cell(printed_cell(*entry.result)),
                       cell(measured_cell(*entry.result)), badge(verdict_of(entry)));
}

// The papers that occur, in order.
std::vector<std::string> papers_among(std::span<const Entry> entries) {
    std::vector<std::string> numbers;
    for (const auto& entry : entries) {
        if (std::ranges::find(numbers, entry.paper) == numbers.end()) {
            numbers.push_back(entry.paper);
        }
    }
    return numbers;
}

std::string heading_of(const std::string& number) {
    const auto* paper = paper_of(number);
    return paper == nullptr ? escaped(paper_name(number))
                            : fmt::format("{} {}", escaped(paper->number), escaped(paper->title));
}

std::string list_of_papers(std::span<const Entry> entries) {
    std::string html = "<ul class=\"papers\">\n";
    for (const auto& number : papers_among(entries)) {
        const auto* paper = paper_of(number);
        html += fmt::format("<li><a href=\"{}\">{}</a>{}</li>\n", paper_file(number), heading_of(number),
                            paper == nullptr ? ""
                                             : fmt::format(" <span class=\"authors\">{}. {}</span>",
                                                           escaped(paper->authors), escaped(paper->journal)));
    }
    return html + "</ul>\n";
}

std::string card(const Entry& entry) {
    std::string html = fmt::format("<div class=\"card\">\n<a href=\"items/{}.html\">\n", entry.file);
    if (entry.result && !entry.result->pictures.empty()) {
        html += fmt::format("<img src=\"items/{}-1.svg\" alt=\"{}\"/>\n", entry.file,
                            escaped(entry.result->pictures.front().figure.title));
    }
    html +=
        fmt::format("<h3>{}</h3></a>\n<p class=\"place\">{}</p>\n", inline_text(entry.title), inline_text(entry.place));
    if (entry.result) {
        html += fmt::format("<p>{}</p>\n<p>Printed: {}</p>\n<p>Measured: <b>{}</b></p>\n", what_is_compared(entry),
                            cell(printed_cell(*entry.result)), cell(measured_cell(*entry.result)));
    }
    return html + badge(verdict_of(entry)) + "\n</div>\n";
}

}  // namespace

const Paper* paper_of(const std::string& number) {
    const auto all = papers();
    const auto found = std::ranges::find(all, number, &Paper::number);
    return number.empty() || found == all.end() ? nullptr : &*found;
}

std::string paper_name(const std::string& number) {
    const auto* paper = paper_of(number);
    return paper != nullptr ? paper->authors : number.empty() ? "Your own" : number;
}

std::string paper_file(const std::string& number) {
    return number.empty() ? "own.html" : fmt::format("paper-{}.html", number);
}

std::string index_page(std::span<const Entry> entries) {
    std::string body = "<h1>Five papers, reproduced</h1>\n"
                       "<p>Structure-preserving integration of constrained mechanical systems: the figures, tables and "
                       "numerical statements of five papers, recomputed by <code>libration reproduce</code>. Every "
                       "printed value is shown next to the measured one, with a verdict. Each item has a page with its "
                       "setup, its figures, all checks, and the commands to reproduce it.</p>\n";
    body += mode(entries) + legend(entries);
    body += "<h2>Papers</h2>\n" + list_of_papers(entries) + "<h2>Summary</h2>\n";
    body += "<div class=\"wide\"><table "
            "class=\"summary\">\n<thead><tr><th>Item</th><th>What</th><th>Printed</th><th>Measured</th>"
            "<th>Verdict</th></tr></thead>\n";
    for (const auto& number : papers_among(entries)) {
        body += fmt::format("<tbody>\n<tr class=\"paper\"><th colspan=\"5\"><a href=\"{}\">{}</a></th></tr>\n",
                            paper_file(number), escaped(paper_name(number)));
        for (const auto& entry : entries) {
            body += entry.paper == number ? summary_row(entry) : "";
        }
        body += "</tbody>\n";
    }
    body +=
        "</table></div>\n<p class=\"tag\">An item may have more checks than the one in its row; its page shows them "
        "all.</p>\n";
    return page("Five papers, reproduced", "", body);
}

std::string paper_page(const std::string& number, std::span<const Entry> entries) {
    const auto* paper = paper_of(number);
    std::string body =
        fmt::format("<nav><a href=\"index.html\">All items</a> › {}</nav>\n<h1>{}</h1>\n", escaped(paper_name(number)),
                    escaped(paper == nullptr ? paper_name(number) : paper->title));
    body += paper == nullptr
                ? ""
                : fmt::format("<p class=\"place\">{}. {}</p>\n", escaped(paper->authors), escaped(paper->journal));
    body += counts(entries) + "<div class=\"cards\">\n";
    for (const auto& entry : entries) {
        body += card(entry);
    }
    return page(paper_name(number), "", body + "</div>\n");
}

}  // namespace libration::html
