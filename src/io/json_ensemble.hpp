// An ensemble as JSON, for json.cpp alone, which knows what Json is.
#pragma once

#include <libration/ensemble/ensemble.hpp>

#include <cmath>

namespace libration {

template <class Json>
class EnsembleJson {
  public:
    // Lists of more than `longest` entries are null.
    static Json of(const EnsembleResult& result, std::size_t longest) {
        Json json{{"model", result.model},       {"method", result.method},
                  {"threads", result.threads},   {"in_lanes", result.lanes_note.empty()},
                  {"step", number(result.step)}, {"steps", result.steps},
                  {"monitor", result.monitor},   {"count", result.trajectories.size()},
                  {"complete", result.complete}};
        json["backend"] = {{"name", result.backend}, {"reason", result.lanes_note}};
        json["seconds"] = number(result.seconds);
        json["trajectory_steps"] = result.steps_made;
        json["warnings"] = result.warnings;
        if (!result.complete) {
            return json;
        }
        json["completed"] = result.count(RunStatus::completed);
        json["stopped"] = result.count(RunStatus::stopped);
        json["failed"] = result.count(RunStatus::failed);
        json["failures"] = failures(result, longest);
        json["trajectories"] = result.trajectories.size() > longest ? Json(nullptr) : trajectories(result);
        json["statistics"] = result.times.size() > longest ? Json(nullptr) : statistics(result);
        return json;
    }

  private:
    static Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

    static Json list(const std::vector<double>& values) {
        Json json = Json::array();
        for (const double value : values) {
            json.push_back(number(value));
        }
        return json;
    }

    static Json failures(const EnsembleResult& result, std::size_t longest) {
        Json json = Json::array();
        for (std::size_t k = 0; k < result.trajectories.size() && json.size() < longest; ++k) {
            if (const auto& failure = result.trajectories[k].failure) {
                json.push_back({{"trajectory", k},
                                {"step", failure->step},
                                {"t", number(failure->t)},
                                {"kind", failure->kind},
                                {"message", failure->message}});
            }
        }
        return json;
    }

    static Json trajectories(const EnsembleResult& result) {
        Json json = Json::array();
        for (std::size_t k = 0; k < result.trajectories.size(); ++k) {
            const auto& outcome = result.trajectories[k];
            Json varied = Json::object();
            for (std::size_t name = 0; name < result.values.names.size(); ++name) {
                varied[result.values.names[name]] = number(result.values.at(k, name));
            }
            json.push_back({{"varied", varied},
                            {"status", to_string(outcome.status)},
                            {"steps", outcome.steps},
                            {"t", number(outcome.t)},
                            {"energy", number(outcome.energy_initial)},
                            {"energy_error", number(outcome.energy_error)},
                            {"energy_error_max", number(outcome.energy_error_max)},
                            {"constraint_max", number(outcome.constraint_max)},
                            {"hidden_max", number(outcome.hidden_max)},
                            {"floors_max", number(outcome.floors_max)},
                            {"q", list(outcome.q)},
                            {"p", list(outcome.p)}});
        }
        return json;
    }

    static Json statistics(const EnsembleResult& result) {
        Json json{{"t", list(result.times)}, {"count", Json::array()}, {"percents", quantile_percents}};
        const std::size_t width = result.channels.size();
        for (std::size_t node = 0; node < result.times.size(); ++node) {
            json["count"].push_back(result.by_node[node * width].count);
        }
        for (std::size_t channel = 0; channel < width; ++channel) {
            Json one{{"mean", Json::array()},
                     {"deviation", Json::array()},
                     {"min", Json::array()},
                     {"max", Json::array()},
                     {"quantiles", Json::array()}};
            for (std::size_t node = 0; node < result.times.size(); ++node) {
                const auto& s = result.by_node[node * width + channel];
                one["mean"].push_back(number(s.mean));
                one["deviation"].push_back(number(s.deviation));
                one["min"].push_back(number(s.smallest));
                one["max"].push_back(number(s.largest));
                one["quantiles"].push_back(list({s.quantiles.begin(), s.quantiles.end()}));
            }
            json["of"][result.channels[channel]] = std::move(one);
        }
        return json;
    }
};

}  // namespace libration
