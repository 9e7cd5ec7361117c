// A gallery on the disk.
#include "pages.hpp"

#include "model/embedded.hpp"
#include "reproduce/json.hpp"
#include "text/text_file.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <sys/file.h>

namespace libration {

namespace {

namespace fs = std::filesystem;

// What every file system takes, and every link without quoting.
std::string safe(const std::string& name) {
    std::string result;
    for (const char c : name) {
        const bool plain =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
        result += plain ? c : '_';
    }
    return result;
}

std::string file_of(const std::string& id, const std::string& paper) { return safe(paper.empty() ? "own-" + id : id); }

std::optional<std::string> read_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        return std::nullopt;
    }
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

// A file that is as it should be keeps its time.
void write_if_changed(const std::string& path, const std::string& text) {
    if (read_text(path) != text) {
        write_text_file(path, text);
    }
}

void make_directory(const std::string& path) {
    std::error_code error;
    fs::create_directories(path, error);
    if (error) {
        throw FileError(fmt::format("cannot create the directory {}: {}", path, error.message()));
    }
}

// Damaged files count as missing: the item is recomputed.
std::optional<StoredItem> read_item(const std::string& path) {
    const auto text = read_text(path);
    if (!text) {
        return std::nullopt;
    }
    try {
        return item_of_json(*text);
    } catch (const InputError&) {
        return std::nullopt;
    }
}

// Where the recipe stands among those built in; a user's come last.
std::size_t position(const std::string& id, const std::string& paper) {
    const auto all = embedded_recipes();
    const auto found = std::ranges::find(all, std::string_view(id), &EmbeddedRecipe::name);
    return paper.empty() ? all.size() : static_cast<std::size_t>(found - all.begin());
}

}  // namespace

namespace html {

std::string model_file(const ItemCommand& command) {
    if (command.model_name.empty()) {
        return "";
    }
    return safe(command.model_name) + (command.model_name.ends_with(".toml") ? "" : ".toml");
}

}  // namespace html

Gallery::Gallery(std::string directory) : directory_(std::move(directory)) {
    while (directory_.size() > 1 && directory_.ends_with('/')) {
        directory_.pop_back();
    }
    std::error_code error;
    if (directory_.empty()) {
        throw InputError("the directory of the gallery has no name");
    }
    if (!fs::exists(directory_, error)) {
        return;
    }
    if (!fs::is_directory(directory_, error)) {
        throw InputError(fmt::format("{} is a file; a gallery is a directory", directory_));
    }
    if (!fs::is_directory(path("items"), error) && !fs::is_empty(directory_, error)) {
        throw InputError(fmt::format("{} contains other files; give a new or empty directory, or that of an earlier "
                                     "gallery",
                                     directory_));
    }
}

std::string Gallery::item_path(const Entry& entry, const std::string& ending) const {
    return path("items/" + entry.file + ending);
}

Gallery::Entry& Gallery::entry_of(const std::string& file) {
    const auto found = std::ranges::find(entries_, file, &Entry::file);
    return found == entries_.end() ? entries_.emplace_back(Entry{.file = file}) : *found;
}

void Gallery::lock() {
    lock_.reset(std::fopen(path(".lock").c_str(), "a"));
    if (!lock_) {
        throw FileError(fmt::format("cannot write to {}: {}", directory_, std::strerror(errno)));
    }
    if (::flock(::fileno(lock_.get()), LOCK_EX | LOCK_NB) != 0) {
        throw InputError(fmt::format(
            "another process is writing to {}: wait for it to finish, or give another directory", directory_));
    }
}

void Gallery::begin(const std::vector<Recipe>& recipes, bool again) {
    entries_.clear();
    for (const auto& recipe : recipes) {
        const auto file = file_of(recipe.id, recipe.paper);
        if (std::ranges::find(entries_, file, &Entry::file) != entries_.end()) {
            throw InputError(
                fmt::format("two recipes would have the page items/{}.html; rename the file of '{}'", file, recipe.id));
        }
        entries_.push_back({file, recipe.id, recipe.paper, recipe.title, recipe.place, std::nullopt});
    }
    make_directory(path("items"));
    make_directory(path("models"));
    lock();
    std::error_code ignored;
    for (std::size_t k = 0; k < recipes.size(); ++k) {
        auto& entry = entries_[k];
        // What is there stays until something else takes its place, also of another recipe or mode.
        if (auto stored = again ? std::nullopt : read_item(item_path(entry, ".json"))) {
            entry.result = std::move(stored->item);
        }
        if (!entry.result) {
            fs::remove(item_path(entry, ".json"), ignored);
            write_text_file(item_path(entry, ".html"), html::waiting_page(entry));
        }
    }
    take_in_what_is_there();
    write_overview();
}

std::optional<ItemResult> Gallery::finished(const Recipe& recipe) const {
    const auto stored = read_item(path("items/" + file_of(recipe.id, recipe.paper) + ".json"));
    if (!stored || stored->fingerprint != fingerprint(recipe) || stored->item.verdict == ItemVerdict::failed) {
        return std::nullopt;
    }
    return stored->item;
}

void Gallery::take_in_what_is_there() {
    std::vector<std::string> leftovers;  // of a kill
    std::error_code ignored;
    for (const auto& file : fs::directory_iterator(path("items"), ignored)) {
        const auto name = file.path().filename().string();
        if (name.ends_with(".part")) {
            leftovers.push_back(file.path().string());
        }
        const auto stem = file.path().stem().string();
        if (!name.ends_with(".json") || std::ranges::find(entries_, stem, &Entry::file) != entries_.end()) {
            continue;
        }
        if (auto stored = read_item(file.path().string());
            stored && file_of(stored->item.id, stored->item.paper) == stem) {
            const auto& item = stored->item;
            entries_.push_back({stem, item.id, item.paper, item.title, item.place, item});
        }
    }
    for (const auto& leftover : leftovers) {
        fs::remove(leftover, ignored);
    }
}

void Gallery::sort() {
    std::ranges::stable_sort(entries_, [](const Entry& a, const Entry& b) {
        if (a.paper.empty() != b.paper.empty()) {
            return b.paper.empty();
        }
        return std::pair(a.paper, position(a.id, a.paper)) < std::pair(b.paper, position(b.id, b.paper));
    });
}

void Gallery::write_models(const ItemResult& item) const {
    for (const auto& command : item.commands) {
        const auto file = html::model_file(command);
        auto text = command.model_text;
        if (text.empty()) {
            const auto all = embedded_problems();
            const auto found = std::ranges::find(all, std::string_view(command.model_name), &EmbeddedProblem::name);
            text = found == all.end() ? "" : std::string(found->text);
        }
        if (!file.empty()) {
            write_if_changed(path("models/" + file), text);
        }
    }
}

void Gallery::add(const ItemResult& item) {
    auto& entry = entry_of(file_of(item.id, item.paper));
    entry = {entry.file, item.id, item.paper, item.title, item.place, std::nullopt};
    std::error_code ignored;
    fs::remove(item_path(entry, ".json"), ignored);
    write_models(item);
    std::size_t figure = 1;
    for (const auto& picture : item.pictures) {
        write_text_file(item_path(entry, fmt::format("-{}.svg", figure++)), picture.svg);
    }
    while (fs::remove(item_path(entry, fmt::format("-{}.svg", figure)), ignored)) {
        ++figure;
    }
    write_text_file(item_path(entry, ".toml"), item.recipe_text);
    write_text_file(item_path(entry, ".html"), html::item_page(entry, item));
    write_text_file(item_path(entry, ".json"), stored_json_of(item));
    entry.result = item;
    for (auto& picture : entry.result->pictures) {  // they are on the disk now
        picture.figure.series.clear();
        picture.svg.clear();
    }
    write_overview();
}

void Gallery::lead_to_neighbours(std::size_t index) const {
    const auto* before = index == 0 ? nullptr : &entries_[index - 1];
    const auto* after = index + 1 == entries_.size() ? nullptr : &entries_[index + 1];
    const auto file = item_path(entries_[index], ".html");
    auto text = read_text(file).value_or("");
    const auto begin = text.rfind(html::neighbours_begin);
    const auto end = begin == std::string::npos ? begin : text.find(html::neighbours_end, begin);
    if (end != std::string::npos) {
        text.replace(begin, end + html::neighbours_end.size() - begin, html::neighbours(before, after));
        write_if_changed(file, text);
    }
}

void Gallery::write_overview() {
    sort();
    write_if_changed(path("style.css"), std::string(html::style_sheet()));
    for (std::size_t first = 0; first < entries_.size();) {
        const auto& paper = entries_[first].paper;
        auto last = first;
        while (last < entries_.size() && entries_[last].paper == paper) {
            ++last;
        }
        write_if_changed(path(html::paper_file(paper)),
                         html::paper_page(paper, std::span(entries_).subspan(first, last - first)));
        first = last;
    }
    for (std::size_t index = 0; index < entries_.size(); ++index) {
        lead_to_neighbours(index);
    }
    write_if_changed(path("index.html"), html::index_page(entries_));
}

}  // namespace libration
