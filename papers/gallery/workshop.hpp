// Items of papers on several threads, with a gallery that keeps what is finished.
//
//     Workshop shop(recipes_named({"000"}, false), {.out = "gallery"});
//     shop.work(4, {.end = [](const ItemResult& item) { ... }}, stop);
//     auto items = shop.take_items();
#pragma once

#include "gallery.hpp"
#include <libration/integrate/run.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace libration {

struct WorkshopOptions {
    std::optional<std::string> out;  // the directory of the gallery; nothing: nothing is written
    bool again = false;              // items that an earlier call finished are repeated
};

// Called by the threads, one call at a time.
struct WorkshopHooks {
    std::function<void(const std::string& id)> begin = {};
    std::function<void(const ItemResult& item)> end = {};
};

class Workshop {
  public:
    // Opens the gallery and takes over what is finished there. InputError, FileError.
    Workshop(std::vector<Recipe> recipes, const WorkshopOptions& options);

    [[nodiscard]] const std::vector<Recipe>& recipes() const { return recipes_; }
    // One a recipe; before the work, those that were taken over.
    [[nodiscard]] const std::vector<std::optional<ItemResult>>& results() const { return results_; }

    // Until all are finished or `stop` is set. Where the gallery cannot be written or a hook throws, it sets `stop`
    // itself, and throws that when the threads have ended.
    void work(unsigned threads, WorkshopHooks hooks, StopSignal& stop);

    // Those that are finished, in the order of the recipes; fewer than recipes: it was stopped. Once.
    [[nodiscard]] std::vector<ItemResult> take_items();

  private:
    class Shift;
    std::vector<Recipe> recipes_;
    std::vector<std::optional<ItemResult>> results_;
    std::optional<Gallery> gallery_;
};

}  // namespace libration
