// `libration reproduce`: items of the papers on all cores, a table of what came out, and a gallery.
#include "commands.hpp"
#include "reproduce_table.hpp"
#include "stop_request.hpp"
#include "terminal.hpp"

#include <libration/gallery/gallery.hpp>
#include <libration/gallery/summary.hpp>
#include <libration/io/json.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

namespace libration::app {

namespace {

// Items that are not finished, handed out to threads; what they bring back goes to table and gallery, one at a time.
class Workshop {
  public:
    Workshop(const std::vector<Recipe>& recipes, std::vector<std::optional<ItemResult>>& results, Gallery* gallery,
             ReproduceTable& table)
        : recipes_(recipes), results_(results), gallery_(gallery), table_(table) {}

    // Until all are finished, or a stop was asked for, or the gallery cannot be written: then it throws that.
    void work(std::size_t threads) {
        {
            std::vector<std::jthread> crew;  // joined at the end of the block, whatever happens
            try {
                for (std::size_t k = 0; k < threads; ++k) {
                    crew.emplace_back([this] { work_off(); });
                }
            } catch (const std::system_error&) {
                if (crew.empty()) {
                    throw;
                }  // fewer threads do as well
            }
        }
        if (trouble_) {
            std::rethrow_exception(trouble_);
        }
    }

  private:
    // Nothing may leave a thread.
    void work_off() {
        try {
            while (const auto index = next()) {
                keep(*index, reproduce(recipes_[*index], &stop_requested));
            }
        } catch (const Interrupted&) {
            return;
        } catch (...) {
            note_trouble();
        }
    }

    void note_trouble() {
        const std::lock_guard lock(mutex_);
        trouble_ = trouble_ ? trouble_ : std::current_exception();
        stop_requested = true;
    }

    std::optional<std::size_t> next() {
        const std::lock_guard lock(mutex_);
        while (next_ < recipes_.size() && results_[next_]) {
            ++next_;
        }
        if (next_ == recipes_.size() || stop_requested) {
            return std::nullopt;
        }
        table_.begin(recipes_[next_].id);
        return next_++;
    }

    void keep(std::size_t index, ItemResult item) {
        const std::lock_guard lock(mutex_);
        if (gallery_ != nullptr) {
            gallery_->add(item);
        }
        table_.end(item);
        for (auto& picture : item.pictures) {
            picture.figure.series.clear();  // they may be large, and nobody asks for them any more
        }
        results_[index] = std::move(item);
    }

    const std::vector<Recipe>& recipes_;
    std::vector<std::optional<ItemResult>>& results_;
    Gallery* gallery_;
    ReproduceTable& table_;
    std::mutex mutex_;
    std::size_t next_ = 0;
    std::exception_ptr trouble_;
};

std::size_t threads_of(const ReproduceArguments& arguments, std::size_t items) {
    const std::int64_t cores = std::max(1U, std::thread::hardware_concurrency());
    const auto threads = arguments.threads.value_or(cores);
    if (threads < 1 || threads > 1024) {
        throw InputError(fmt::format("--threads {}: it must be from 1 to 1024", threads));
    }
    return std::min(static_cast<std::size_t>(threads), items);
}

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

// The same call, to go on.
std::string command_of(const ReproduceArguments& arguments) {
    return fmt::format("libration reproduce{}{}{}{}", arguments.names.empty() ? "" : " ",
                       fmt::join(arguments.names, " "), arguments.quick ? " --quick" : "",
                       arguments.out ? " --out " + *arguments.out : "");
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

int compute(const ReproduceArguments& arguments, const std::vector<Recipe>& recipes) {
    const auto threads = threads_of(arguments, recipes.size());
    std::vector<std::optional<ItemResult>> results(recipes.size());
    ReproduceTable table(recipes, arguments.json || arguments.markdown, arguments.quiet);
    std::optional<Gallery> gallery;
    std::size_t taken_over = 0;
    if (arguments.out) {
        gallery.emplace(*arguments.out);
        gallery->begin(recipes, arguments.again);
        for (std::size_t k = 0; k < recipes.size(); ++k) {
            results[k] = gallery->finished(recipes[k]);
            taken_over += results[k] ? 1 : 0;
        }
    }
    table.heading();
    for (const auto& result : results) {
        if (result) {
            table.end(*result);
        }
    }
    if (taken_over > 0) {
        table.note(fmt::format("{} {} taken over from {}; --again repeats them", taken_over,
                               taken_over == 1 ? "item" : "items", *arguments.out));
    }
    watch_for_stop_requests();
    Workshop(recipes, results, gallery ? &*gallery : nullptr, table).work(threads);
    std::vector<ItemResult> items;
    for (auto& result : results) {
        if (result) {
            items.push_back(std::move(*result));
        }
    }
    table.conclude(items);
    if (arguments.json) {
        fmt::print("{}\n", json_of(items));
    } else if (arguments.markdown) {
        print_markdown(items);
    }
    if (gallery) {
        table.note(fmt::format("gallery: {}/index.html", *arguments.out));
    }
    const bool interrupted = items.size() < recipes.size();
    if (interrupted) {
        fmt::print(stderr, "{} {} of {} items are done; {}\n", red("interrupted:", stderr), items.size(),
                   recipes.size(),
                   gallery ? "go on with: " + command_of(arguments)
                           : "calls with --out DIR keep what is finished, and can be continued");
    }
    const bool failed =
        std::ranges::any_of(items, [](const ItemResult& item) { return item.verdict == ItemVerdict::failed; });
    return interrupted || failed ? numerical_failure : success;
}

}  // namespace

int reproduce_command(const ReproduceArguments& arguments) {
    if (arguments.again && !arguments.out) {
        throw InputError("--again belongs to --out DIR: without it nothing is kept");
    }
    if (arguments.list && arguments.out) {
        throw InputError("--list computes nothing; leave --out away");
    }
    if (arguments.json && arguments.markdown) {
        throw InputError("--json and --markdown are two forms of one thing: give one");
    }
    const auto recipes = recipes_named(arguments.names, arguments.quick);
    if (!arguments.list) {
        return compute(arguments, recipes);
    }
    if (arguments.json) {
        fmt::print("{}\n", json_of(recipes));
    } else {
        print_list(recipes);
    }
    return success;
}

}  // namespace libration::app
