// The table of `libration reproduce`.
#include "reproduce_table.hpp"
#include "terminal.hpp"

#include "gallery/summary.hpp"
#include <libration/text/source.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <unistd.h>

namespace libration::app {

namespace {

// Padded or cut to a width in characters; bytes of a character stay together.
std::string fitted(const std::string& text, std::size_t width) {
    const auto length = characters(text);
    if (length <= width) {
        return text + std::string(width - length, ' ');
    }
    std::string cut;
    for (std::size_t at = 0, seen = 0; at < text.size(); ++at) {
        const bool starts = (static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U;
        if (starts && ++seen > width - 3) {
            break;
        }
        cut += text[at];
    }
    return cut + "...";
}

std::string coloured_verdict(ItemVerdict verdict, std::FILE* stream) {
    const auto text = fmt::format("{} {}", symbol(verdict), fitted(to_string(verdict), 22));
    return verdict == ItemVerdict::failed       ? red(text, stream)
           : verdict == ItemVerdict::reproduced ? green(text, stream)
                                                : text;
}

std::string required_text(const CheckResult& check, const CheckRow& row) {
    if (row.expected) {
        return fmt::format("{} +- {}", number_text(*row.expected), number_text(row.tolerance, row.tolerance / 10));
    }
    return fmt::format("{}{}{}", check.above ? "more than " + number_text(*check.above) : "",
                       check.above && check.below ? " and " : "",
                       check.below ? "less than " + number_text(*check.below) : "");
}

}  // namespace

ReproduceTable::ReproduceTable(const std::vector<Recipe>& recipes, bool json, bool quiet)
    : stream_(json ? stderr : stdout), rows_(!json || !quiet), progress_(!quiet && isatty(STDERR_FILENO) != 0),
      total_(recipes.size()) {
    for (const auto& recipe : recipes) {
        id_width_ = std::max(id_width_, characters(recipe.id));
    }
    id_width_ = std::min<std::size_t>(id_width_, 24);
}

ReproduceTable::~ReproduceTable() {
    try {
        clear_progress();
    } catch (const std::exception&) {  // a terminal that is gone needs no cleaning
    }
}

void ReproduceTable::heading() {
    if (rows_) {
        fmt::print(stream_, "{}\n",
                   bold(fmt::format("{:<{}}  {:<{}}  {:<{}}  {:<24}  {:>8}", "item", id_width_, "printed", cell_width_,
                                    "measured", cell_width_, "verdict", "seconds"),
                        stream_));
    }
}

void ReproduceTable::begin(const std::string& id) {
    running_.push_back(id);
    show_progress();
}

void ReproduceTable::end(const ItemResult& item) {
    clear_progress();
    ++done_;
    if (const auto found = std::ranges::find(running_, item.id); found != running_.end()) {
        running_.erase(found);
    }
    if (rows_) {
        fmt::print(stream_, "{}  {}  {}  {}  {:>8.2f}\n", fitted(item.id, id_width_),
                   fitted(printed_cell(item).text(), cell_width_), fitted(measured_cell(item).text(), cell_width_),
                   coloured_verdict(item.verdict, stream_), item.seconds);
        std::fflush(stream_);
    }
    show_progress();
}

void ReproduceTable::note(const std::string& text) {
    clear_progress();
    if (rows_) {
        fmt::print(stream_, "{}\n", text);
    }
}

void ReproduceTable::print_failure(const ItemResult& item) {
    fmt::print(stream_, "{} {}: {}\n", red("FAILED", stream_), item.id, item.title);
    if (!item.fault.empty()) {
        fmt::print(stream_, "  {}\n", item.fault);
    }
    for (const auto& check : item.checks) {
        if (check.passed) {
            continue;
        }
        fmt::print(stream_, "  {}{}\n", check.what, check.fault.empty() ? "" : ": " + check.fault);
        for (const auto& row : check.rows) {
            if (!row.passed) {
                fmt::print(stream_, "    {}{}measured {}, must be {}\n", row.label, row.label.empty() ? "" : ": ",
                           row.tolerance > 0 ? number_text(row.measured, row.tolerance) : number_text(row.measured),
                           required_text(check, row));
            }
        }
    }
}

void ReproduceTable::conclude(const std::vector<ItemResult>& items) {
    clear_progress();
    progress_ = false;
    for (const auto& item : items) {
        if (item.verdict == ItemVerdict::failed) {
            print_failure(item);
        }
    }
    std::vector<std::string> counts;
    for (const auto verdict : {ItemVerdict::reproduced, ItemVerdict::corrected, ItemVerdict::statistical,
                               ItemVerdict::not_reproduced, ItemVerdict::failed}) {
        if (const auto count = std::ranges::count(items, verdict, &ItemResult::verdict); count > 0) {
            counts.push_back(fmt::format("{} {}", count, to_string(verdict)));
        }
    }
    note(fmt::format("\n{} of {} items: {}", items.size(), total_,
                     counts.empty() ? "none done" : fmt::format("{}", fmt::join(counts, ", "))));
}

void ReproduceTable::show_progress() {
    if (!progress_ || running_.empty()) {
        return;
    }
    // A line that wraps could not be written over.
    const auto text = fmt::format("{} of {} done, running {}", done_, total_, fmt::join(running_, ", "));
    fmt::print(stderr, "\r{}\033[K", text.substr(0, 78));
    std::fflush(stderr);
    shown_ = true;
}

void ReproduceTable::clear_progress() {
    if (shown_) {
        fmt::print(stderr, "\r\033[K");
        std::fflush(stderr);
        shown_ = false;
    }
}

}  // namespace libration::app
