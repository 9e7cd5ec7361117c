// Threads take the next item that is not finished; what they bring back goes to the gallery, one at a time.
#include "workshop.hpp"

#include "analysis/interruption.hpp"
#include <libration/text/error.hpp>

#include <algorithm>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

namespace libration {

// The state of one call of work().
class Workshop::Shift {
  public:
    Shift(Workshop& shop, WorkshopHooks hooks, StopSignal& stop)
        : shop_(&shop), hooks_(std::move(hooks)), stop_(&stop) {}

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
        const Interruptible watching(*stop_);
        try {
            while (const auto index = next()) {
                keep(*index, reproduce(shop_->recipes_[*index]));
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
        stop_->request();
    }

    std::optional<std::size_t> next() {
        const std::lock_guard lock(mutex_);
        const auto& recipes = shop_->recipes_;
        while (next_ < recipes.size() && shop_->results_[next_]) {
            ++next_;
        }
        if (next_ == recipes.size() || stop_->requested()) {
            return std::nullopt;
        }
        if (hooks_.begin) {
            hooks_.begin(recipes[next_].id);
        }
        return next_++;
    }

    void keep(std::size_t index, ItemResult item) {
        const std::lock_guard lock(mutex_);
        if (shop_->gallery_) {
            shop_->gallery_->add(item);
        }
        if (hooks_.end) {
            hooks_.end(item);
        }
        for (auto& picture : item.pictures) {
            picture.figure.series.clear();  // they may be large, and are no longer needed
        }
        shop_->results_[index] = std::move(item);
    }

    Workshop* shop_;
    WorkshopHooks hooks_;
    StopSignal* stop_;
    std::mutex mutex_;
    std::size_t next_ = 0;
    std::exception_ptr trouble_;
};

Workshop::Workshop(std::vector<Recipe> recipes, const WorkshopOptions& options)
    : recipes_(std::move(recipes)), results_(recipes_.size()) {
    if (options.again && !options.out) {
        throw InputError("`again` requires `out = DIR`: without it nothing is stored");
    }
    if (!options.out) {
        return;
    }
    gallery_.emplace(*options.out);
    gallery_->begin(recipes_, options.again);
    for (std::size_t k = 0; k < recipes_.size(); ++k) {
        results_[k] = gallery_->finished(recipes_[k]);
    }
}

void Workshop::work(unsigned threads, WorkshopHooks hooks, StopSignal& stop) {
    Shift(*this, std::move(hooks), stop).work(std::min<std::size_t>(threads, recipes_.size()));
}

std::vector<ItemResult> Workshop::take_items() {
    std::vector<ItemResult> items;
    for (auto& result : results_) {
        if (result) {
            items.push_back(std::move(*result));
        }
    }
    return items;
}

}  // namespace libration
