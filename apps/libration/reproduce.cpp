// `libration reproduce`: items of the papers on all cores, a table of what came out, and a gallery.
#include "commands.hpp"
#include "examples.hpp"
#include "reproduce_table.hpp"
#include "stop_request.hpp"
#include "terminal.hpp"

#include "gallery/summary.hpp"
#include "gallery/workshop.hpp"
#include "reproduce/json.hpp"
#include "request/command_line.hpp"
#include "request/study_request.hpp"
#include <libration/integrate/run_settings.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration::app {

namespace {

void print_list(const std::vector<Recipe>& recipes) {
    std::size_t width = 4;
    for (const auto& recipe : recipes) {
        width = std::max(width, recipe.id.size());
    }
    std::string paper = "none yet";
    for (const auto& recipe : recipes) {
        if (recipe.paper != paper) {
            paper = recipe.paper;
            const auto all = papers();
            const auto found = std::ranges::find(all, paper, &Paper::number);
            fmt::print(
                "{}{}\n", &recipe == &recipes.front() ? "" : "\n",
                bold(found == all.end() ? "Your own" : fmt::format("{}: {}", found->authors, found->title), stdout));
        }
        fmt::print("  {:<{}}  {} ({})\n", recipe.id, width, recipe.title, recipe.place);
    }
}

// The same call, to continue.
std::string command_of(const ReproduceRequest& request) {
    ReproduceRequest again;
    again.items = request.items;
    again.quick = request.quick;
    again.out = request.out;
    return command_line<ReproduceRequest>("reproduce", again, reproduce_fields);
}

// A bar would end a cell.
std::string cell(std::string text) {
    for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) {
        text.insert(at, 1, '\\');
    }
    return text;
}

void print_markdown(const std::vector<ItemResult>& items) {
    fmt::print("| item | what | printed | measured | verdict |\n|---|---|---|---|---|\n");
    for (const auto& item : items) {
        const auto* const check = headline(item);
        fmt::print("| `{}` | {}: {} | {} | {} | {} |\n", item.id, cell(item.title),
                   cell(check == nullptr ? "" : check->what), cell(printed_cell(item).text()),
                   cell(measured_cell(item).text()), to_string(item.verdict));
    }
}

int compute(const ReproduceRequest& request, const std::vector<Recipe>& recipes) {
    const auto threads = thread_count(request.threads);
    ReproduceTable table(recipes, request.json || request.markdown, request.quiet);
    Workshop shop(recipes, {request.out, request.again});
    table.heading();
    std::size_t taken_over = 0;
    for (const auto& result : shop.results()) {
        if (result) {
            table.end(*result);
            ++taken_over;
        }
    }
    if (taken_over > 0) {
        table.note(fmt::format("{} {} reused from {}; --again recomputes them", taken_over,
                               taken_over == 1 ? "item" : "items", *request.out));
    }
    watch_for_stop_requests();
    shop.work(threads,
              {.begin = [&](const std::string& id) { table.begin(id); },
               .end = [&](const ItemResult& item) { table.end(item); }},
              stop_signal);
    const auto items = shop.take_items();
    table.conclude(items);
    if (request.json) {
        fmt::print("{}\n", json_of(items));
    } else if (request.markdown) {
        print_markdown(items);
    }
    if (request.out) {
        table.note(fmt::format("gallery: {}/index.html", *request.out));
    }
    const bool interrupted = items.size() < recipes.size();
    if (interrupted) {
        fmt::print(stderr, "{} {} of {} items are done; {}\n", red("interrupted:", stderr), items.size(),
                   recipes.size(),
                   request.out ? "continue with: " + command_of(request)
                               : "with --out DIR, finished items are kept and the call can be continued");
    }
    const bool failed =
        std::ranges::any_of(items, [](const ItemResult& item) { return item.verdict == ItemVerdict::failed; });
    return interrupted || failed ? numerical_failure : success;
}

int start_reproduce(const ReproduceRequest& request) {
    if (request.list && (request.out || request.again)) {
        throw InputError("--list computes nothing; omit --out and --again");
    }
    if (request.json && request.markdown) {
        throw InputError("--json and --markdown exclude each other");
    }
    const auto recipes = recipes_named(request.items, request.quick);
    if (!request.list) {
        return compute(request, recipes);
    }
    if (request.json) {
        fmt::print("{}\n", json_of(recipes));
    } else {
        print_list(recipes);
    }
    return success;
}

}  // namespace

Command reproduce_command() {
    return make_command<ReproduceRequest>("reproduce",
                                          "reproduce figures and tables of five papers: printed and measured values",
                                          reproduce_examples, reproduce_fields, start_reproduce);
}

}  // namespace libration::app
