// Outputs and events of one step after another.
#include "between_nodes.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration {

std::unique_ptr<BetweenNodes> BetweenNodes::make(const Model& model, const Method& method,
                                                 const IntegrationOptions& options, double end,
                                                 std::vector<std::string>& warnings) {
    if (options.at.empty() && options.events.empty() && model.events.empty()) {
        return nullptr;
    }
    return std::unique_ptr<BetweenNodes>(new BetweenNodes(model, method, options, end, warnings));
}

BetweenNodes::BetweenNodes(const Model& model, const Method& method, const IntegrationOptions& options, double end,
                           std::vector<std::string>& warnings)
    : dense_(model, method), times_(options.at, options.start_time, end, warnings),
      watch_(model, all_events(model, options.events)) {}

void BetweenNodes::keep(const Node<double>& node) {
    left_.t = node.t;
    left_.q.assign(node.q.begin(), node.q.end());
    left_.q_low.assign(node.q_low.begin(), node.q_low.end());
    left_.p.assign(node.p.begin(), node.p.end());
    left_.turns.assign(node.turns.begin(), node.turns.end());
}

void BetweenNodes::start(const Node<double>& node, NodeReader& reader) {
    keep(node);
    try {
        watch_.begin(reader, node);
    } catch (const DenseFailure& fault) {
        throw InputError(fault.what());
    }
}

// A state that is not found is omitted with a warning: the trajectory does not depend on it.
void BetweenNodes::show_until(double t, const Node<double>& right, std::int64_t n, const Watchers& watchers) {
    while (const auto next = times_.next(t)) {
        times_.advance();
        if (watchers.observers.empty()) {
            continue;
        }
        try {
            const auto node = dense_.between(left_.view(), right, *next);
            const auto sample = watchers.reader.read(node, node.t == right.t ? n : n - 1, true);
            if (!std::isfinite(sample.energy)) {
                throw DenseFailure(fmt::format("the energy at t = {} is not a finite number", *next));
            }
            for (auto* observer : watchers.observers) {
                observer->see(sample);
            }
        } catch (const DenseFailure& fault) {
            first_fault_ = left_out_ == 0 ? fault.what() : first_fault_;
            ++left_out_;
        }
    }
}

void BetweenNodes::pass_events(const Node<double>& right, std::int64_t n, const Watchers& watchers) {
    for (const auto& found : watch_.pass(watchers.reader, dense_, left_.view(), right)) {
        ended_ = watch_.events()[found.event].terminal ? 1 : ended_;
        if (watchers.observers.empty()) {
            continue;
        }
        show_until(found.t, right, n, watchers);
        const auto node = dense_.after(left_.view(), right, found.elapsed);
        const auto sample = watchers.reader.read(node, node.t == right.t ? n : n - 1, true);
        for (auto* observer : watchers.observers) {
            observer->happen(found.event, found.rising, sample);
        }
    }
}

std::optional<std::string> BetweenNodes::pass(const Node<double>& node, std::int64_t n, const Watchers& watchers) {
    try {
        pass_events(node, n, watchers);
    } catch (const DenseFailure& fault) {
        return fault.what();
    }
    show_until(node.t, node, n, watchers);
    keep(node);
    return std::nullopt;
}

void BetweenNodes::restore(const Node<double>& node) {
    keep(node);
    times_.skip(node.t);
}

void BetweenNodes::visit(MemoryVisitor<double>& visitor) {
    visitor.integer("ended", ended_);
    watch_.visit(visitor);
}

void BetweenNodes::summarize(Run& run) const {
    watch_.summarize(run.events, run.warnings);
    if (left_out_ > 0) {
        run.warnings.push_back(fmt::format("{} of the requested output states {} omitted, the first because {}",
                                           left_out_, left_out_ == 1 ? "was" : "were", first_fault_));
    }
}

}  // namespace libration
