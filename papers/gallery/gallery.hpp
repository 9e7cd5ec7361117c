// A gallery: reproduced items as a static site on the disk, one page a paper and an item, without scripts and network.
//
//     Gallery gallery("gallery");
//     gallery.begin(recipes);
//     for (const auto& recipe : recipes) {
//         if (!gallery.finished(recipe)) { gallery.add(reproduce(recipe)); }
//     }
//
//   index.html style.css paper-000.html ...      the summary, and a page a paper
//   items/ID.html ID-1.svg ... ID.toml ID.json   an item: its page, figures, recipe; ID.json, written last, says that
//   it is complete
//   models/NAME.toml                             what its commands need
//
// Every file is written to a temporary name and renamed: a kill leaves only whole files, and the next call continues.
#pragma once

#include "reproduce/reproduce.hpp"

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace libration {

class Gallery {
  public:
    // InputError if there is something else under this name.
    explicit Gallery(std::string directory);

    // Makes the directory, which is then ours until the gallery is destroyed (InputError if another call has it), and a
    // page that says "not done yet" for each of these that is not there. What is there stays until it is replaced.
    // `again`: items of these recipes are forgotten first.
    void begin(const std::vector<Recipe>& recipes, bool again = false);
    // The item if it is complete, has the fingerprint of the recipe, and is not FAILED. Without setting, tables,
    // commands and the data of its figures: its page is on the disk.
    [[nodiscard]] std::optional<ItemResult> finished(const Recipe& recipe) const;
    // Writes all of an item, and what leads to it. Not thread-safe.
    void add(const ItemResult& item);

    // An item on its way to its page.
    struct Entry {
        std::string file;  // ID, in letters that every file system knows; a user's recipes begin with "own-"
        std::string id, paper, title, place;
        std::optional<ItemResult> result;  // without: not done yet
    };

  private:
    [[nodiscard]] std::string path(const std::string& name) const { return directory_ + "/" + name; }
    [[nodiscard]] std::string item_path(const Entry& entry, const std::string& ending) const;
    Entry& entry_of(const std::string& file);
    void lock();
    void take_in_what_is_there();
    void sort();
    // Index, pages of papers, and links between neighbours; what does not change keeps its time.
    void write_overview();
    void write_models(const ItemResult& item) const;
    void lead_to_neighbours(std::size_t index) const;

    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };

    std::string directory_;
    std::vector<Entry> entries_;
    std::unique_ptr<std::FILE, Close> lock_;
};

}  // namespace libration
