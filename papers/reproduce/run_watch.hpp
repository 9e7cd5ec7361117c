// What a recipe monitors during one run.
#pragma once

#include "reproduce/measures.hpp"

#include <libration/integrate/trajectory.hpp>

#include <map>

namespace libration {

// A quantity kept for figures, at nodes or at events.
struct Column {
    std::string formula;
    bool at_events = false;
    friend auto operator<=>(const Column&, const Column&) = default;
};

class RunWatch final : public Observer {
  public:
    RunWatch(const Model& model, const RecipeRun& run, const IntegrationOptions& options,
             const std::vector<Column>& columns);

    // Whether anything wants to see nodes.
    [[nodiscard]] bool needed() const;
    void see(const Sample& sample) override;
    void happen(std::size_t event, bool rising, const Sample& sample) override;
    // The last node is always kept.
    void finish();

    [[nodiscard]] const std::vector<Gauge>& gauges() const { return gauges_; }
    [[nodiscard]] const std::map<Column, std::vector<double>>& columns() const { return columns_; }
    [[nodiscard]] const Trajectory& trajectory() const { return keeper_.trajectory; }
    std::int64_t events = 0;

  private:
    void keep(const Sample& sample);
    void copy(const Sample& sample);

    std::int64_t every_;
    bool whole_;  // analyses want all of it
    double initial_energy_ = 0;
    std::int64_t seen_ = 0;
    std::vector<Gauge> gauges_;
    std::map<Column, Quantity> quantities_;
    std::map<Column, std::vector<double>> columns_;
    TrajectoryKeeper keeper_;
    // A copy of the newest node, until it is known to be kept.
    struct {
        Sample sample;
        std::vector<double> q, p, v, lambda, observables;
        bool is_kept = true;
    } newest_;
};

}  // namespace libration
