// What a comparison does now, and how far it is.
#pragma once

#include <libration/analysis/compare.hpp>
#include <libration/integrate/integrate.hpp>

#include <chrono>

namespace libration {

class CompareMeter {
  public:
    explicit CompareMeter(const CompareOptions& options) : sink_(options.progress) {}
    // `operations` of everything that is to come, in `runs` runs.
    void expect(double operations, std::size_t runs) {
        expected_ = operations;
        runs_ = runs;
    }
    // `operations` of it are what is begun now.
    void begin(std::string what, double operations) {
        running_ = std::move(what);
        part_ = operations;
        within(0);
    }
    void within(double fraction) {
        if (sink_) {
            const double seconds = std::chrono::duration<double>(Clock::now() - started_).count();
            const double done = expected_ > 0 ? (spent_ + part_ * fraction) / expected_ : 0;
            sink_({done_, runs_, running_, std::min(done, 1.0), seconds});
        }
    }
    void end() {
        spent_ += std::exchange(part_, 0);
        if (++done_ == runs_) {
            within(0);
        }
    }
    // A run shows its own progress, from `from` to `to` of what was begun.
    void watch(Integration& integration, double from, double to) {
        if (sink_) {
            integration.report_progress([this, from, to](const Progress& progress) {
                const auto total = static_cast<double>(std::max<std::int64_t>(1, progress.total));
                within(from + (to - from) * static_cast<double>(progress.done) / total);
            });
        }
    }

  private:
    using Clock = std::chrono::steady_clock;
    std::function<void(const CompareProgress&)> sink_;
    Clock::time_point started_ = Clock::now();
    double expected_ = 0, spent_ = 0, part_ = 0;
    std::size_t done_ = 0, runs_ = 0;
    std::string running_;
};

}  // namespace libration
