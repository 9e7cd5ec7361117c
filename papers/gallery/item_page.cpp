// The page of an item.
#include "pages.hpp"

#include "request/arguments.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace libration::html {

namespace {

std::string crumbs(const Entry& entry) {
    return fmt::format("<nav><a href=\"../index.html\">All items</a> › <a href=\"../{}\">{}</a> › {}</nav>\n",
                       paper_file(entry.paper), escaped(paper_name(entry.paper)), escaped(entry.id));
}

std::string quick_option() { return argument_named("quick")->option_name(); }

std::string headline(const Entry& entry, const ItemVerdict* verdict, bool quick) {
    const auto* paper = paper_of(entry.paper);
    const auto where = paper == nullptr ? std::string() : fmt::format("{}, {}", paper->authors, entry.place);
    return fmt::format("<h1>{}</h1>\n<p class=\"place\">{} {}{}</p>\n", inline_text(entry.title),
                       inline_text(paper == nullptr ? entry.place : where), badge(verdict),
                       quick ? fmt::format(" <span class=\"tag\">shorter runs ({})</span>", quick_option()) : "");
}

std::string remark_box(const ItemResult& item) {
    std::string html;
    if (!item.fault.empty()) {
        html += "<div class=\"remark failed\"><h2>The item could not be computed</h2>\n" + paragraphs(item.fault) +
                "</div>\n";
    }
    if (!item.remark.empty()) {
        html += fmt::format("<div class=\"remark {}\"><h2>Remarks on the printed values</h2>\n{}</div>\n",
                            item.verdict == ItemVerdict::failed ? "waiting" : class_of(item.verdict),
                            paragraphs(item.remark));
    }
    return html;
}

std::string figures(const Entry& entry, const ItemResult& item) {
    if (item.pictures.empty()) {
        return "";
    }
    std::string html = fmt::format("<div class=\"figures{}\">\n", item.pictures.size() == 1 ? " single" : "");
    for (std::size_t k = 0; k < item.pictures.size(); ++k) {
        const auto& picture = item.pictures[k];
        const auto& words = picture.caption.empty() ? picture.figure.title : picture.caption;
        html += fmt::format("<figure><a href=\"{0}-{1}.svg\"><img src=\"{0}-{1}.svg\" alt=\"{2}\"/></a>\n"
                            "<figcaption>{3}</figcaption></figure>\n",
                            entry.file, k + 1, escaped(picture.figure.title), inline_text(words));
    }
    return html + "</div>\n";
}

std::string table(const Computed::Table& table) {
    std::string html = table.title.empty() ? "" : "<h3>" + inline_text(table.title) + "</h3>\n";
    html += "<div class=\"wide\"><table class=\"data\">\n<thead><tr>";
    for (const auto& name : table.heading) {
        html += "<th>" + inline_text(name) + "</th>";
    }
    html += "</tr></thead>\n<tbody>\n";
    for (const auto& row : table.rows) {
        html += "<tr>";
        for (const auto& text : row) {
            html += "<td>" + inline_text(text) + "</td>";
        }
        html += "</tr>\n";
    }
    return html + "</tbody>\n</table></div>\n";
}

std::string commands(const Entry& entry, const ItemResult& item) {
    const auto name = entry.paper.empty() ? entry.file + ".toml" : item.id;
    std::string html = "<h2>Reproduce it</h2>\n<p>The whole item, checks included:</p>\n";
    html += fmt::format("<pre><code>libration reproduce {}{}</code></pre>\n", escaped(name),
                        item.quick ? " " + quick_option() : "");
    if (!item.commands.empty()) {
        html += item.commands.size() == 1 ? "<p>Its run:</p>\n" : "<p>Its runs, one by one:</p>\n";
    }
    std::string lines;
    std::vector<std::string> models;
    for (const auto& command : item.commands) {
        lines += (lines.empty() ? "" : "\n") + escaped(command.command);
        const auto file = model_file(command);
        if (!file.empty() && std::ranges::find(models, file) == models.end()) {
            models.push_back(file);
        }
    }
    html += lines.empty() ? "" : "<pre><code>" + lines + "</code></pre>\n";
    std::string links;
    for (const auto& file : models) {
        links += fmt::format("{}<a href=\"../models/{}\">{}</a>", links.empty() ? "" : ", ", file, file);
    }
    const bool files =
        std::ranges::any_of(item.commands, [](const auto& command) { return !command.model_text.empty(); });
    html += links.empty() ? ""
                          : fmt::format("<p>Model{}: {}{}</p>\n", models.size() == 1 ? "" : "s", links,
                                        files ? "; the commands find the files in the directory <code>models</code> of "
                                                "this gallery"
                                              : "");
    html += fmt::format("<p>Recipe: <a href=\"{}.toml\">{}.toml</a></p>\n", entry.file, entry.file);
    return html + "<details><summary>The recipe</summary>\n<pre><code>" + escaped(item.recipe_text) +
           "</code></pre></details>\n";
}

}  // namespace

std::string neighbours(const Entry* before, const Entry* after) {
    const auto link = [](const Entry* entry, const char* left, const char* right) {
        return entry == nullptr
                   ? std::string("<span></span>")
                   : fmt::format("<a href=\"{}.html\">{}{}{}</a>", entry->file, left, escaped(entry->id), right);
    };
    return fmt::format("{}{}{}{}", neighbours_begin, link(before, "← ", ""), link(after, "", " →"), neighbours_end);
}

std::string item_page(const Entry& entry, const ItemResult& item) {
    auto body = crumbs(entry) + headline(entry, &item.verdict, item.quick);
    body += paragraphs(item.setting) + remark_box(item) + figures(entry, item);
    body += item.checks.empty() ? "" : "<h2>Printed and measured</h2>\n" + check_table(item);
    body += item.tables.empty() ? "" : std::string("<h2>Computed</h2>\n");
    for (const auto& computed : item.tables) {
        body += table(computed);
    }
    body += model_section(item) + commands(entry, item);
    body += fmt::format("<p class=\"tag\">Computed in {:.2g} s.</p>\n", item.seconds);
    return page(entry.id + ": " + entry.title, "../", body + neighbours(nullptr, nullptr));
}

std::string waiting_page(const Entry& entry) {
    auto body = crumbs(entry) + headline(entry, nullptr, false);
    body +=
        "<p>This item has not been computed yet. Rerun the command that generated this gallery to continue where it "
        "stopped.</p>\n";
    return page(entry.id + ": " + entry.title, "../", body + neighbours(nullptr, nullptr));
}

}  // namespace libration::html
