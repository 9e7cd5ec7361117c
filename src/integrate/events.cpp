// Values of events from node to node, and what lies between.
#include "event_watch.hpp"
#include <libration/integrate/events.hpp>
#include <libration/model/model.hpp>

#include "expression/conditions.hpp"
#include "text/shorten.hpp"
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace libration {

namespace {

// Names of angles and definitions stand for formulas that may be much longer than what was written.
std::string shown_value(const Event& event) {
    constexpr std::size_t most = 200;
    return shortened(event.text.empty() ? to_string(event.value) : event.text, most);
}

}  // namespace

std::vector<Event> all_events(const Model& model, const std::vector<Event>& more) {
    auto events = model.events;
    events.insert(events.end(), more.begin(), more.end());
    for (std::size_t k = 0; k < events.size(); ++k) {
        for (std::size_t other = 0; other < k; ++other) {
            if (events[k].name == events[other].name) {
                throw InputError(
                    fmt::format("two events are named '{0}'; rename one, e.g. \"{0}2: ...\"", events[k].name));
            }
        }
    }
    return events;
}

struct EventWatch::Interval {
    const Node<double>& left;
    const Node<double>& right;
    std::function<double(std::size_t, double)> value;  // of an event, so much time after the left one
    [[nodiscard]] double length() const { return right.t - left.t; }
};

EventWatch::EventWatch(const Model& model, std::vector<Event> events)
    : events_(std::move(events)), tracks_(events_.size()), poles_(events_.size()) {
    for (const auto& event : events_) {
        if (is_comparison(event.value)) {  // true or false is 1 or 0, which never passes zero
            throw InputError(
                event.place,
                fmt::format("the event {} is a condition; write an expression that crosses zero, e.g. \"y - 1 "
                            "rising\" instead of \"y > 1\"",
                            event.name));
        }
        formulas_.emplace_back(model, event.value, "the event " + event.name);
    }
}

double EventWatch::value_at(NodeReader& reader, std::size_t event, const Node<double>& node) {
    const double value = reader.evaluate(formulas_[event], node);
    if (std::isnan(value)) {
        throw DenseFailure(fmt::format(
            "the value of the event {} is not a number at t = {}; write it so that it is defined along the trajectory",
            events_[event].name, node.t));
    }
    return value;
}

void EventWatch::begin(NodeReader& reader, const Node<double>& node) {
    for (std::size_t k = 0; k < events_.size(); ++k) {
        tracks_[k] = {};
        tracks_[k].value = tracks_[k].smallest = tracks_[k].largest = value_at(reader, k, node);
    }
}

void EventWatch::note(const Interval& interval, std::size_t event, bool rising, double elapsed,
                      std::vector<Found>& found) const {
    const auto wanted = events_[event].direction;
    if (wanted == Event::Direction::either || (wanted == Event::Direction::rising) == rising) {
        const bool whole = elapsed == interval.length();
        found.push_back({event, rising, whole ? interval.right.t : interval.left.t + elapsed, elapsed});
    }
}

std::optional<double> EventWatch::crossing(const Interval& interval, std::size_t event, double from, double value,
                                           double to, double next) {
    const auto f = [&](double elapsed) { return interval.value(event, elapsed); };
    const double at = find_zero(f, from, value, to, next);
    // A zero is smaller than both ends, and a jump is as large as one of them; a pole is larger than both.
    if (std::abs(f(at)) > 2 * std::max(std::abs(value), std::abs(next))) {
        if (!poles_[event]) {
            poles_[event] = interval.left.t + at;
        }
        return std::nullopt;
    }
    return at;
}

// A zero at a node belongs to the step that leads to it, so that no event counts twice; the step that leaves it looks
// from a little behind.
void EventWatch::look(const Interval& interval, std::size_t event, double next, std::vector<Found>& found) {
    const double h = interval.length();
    double from = 0, value = tracks_[event].value;
    if (next == 0) {
        if (value != 0) {
            note(interval, event, value < 0, h, found);
        }
        return;
    }
    if (value == 0) {
        from = h / 64;
        value = interval.value(event, from);
    }
    if ((value < 0 && next > 0) || (value > 0 && next < 0)) {
        if (const auto at = crossing(interval, event, from, value, h, next)) {
            note(interval, event, value < 0, *at, found);
        }
    } else {
        look_for_pair(interval, event, next, found);
    }
}

// Between two values of one sign a smooth function leaves the chord by h^2/8 times its second derivative. Only if four
// times that, with the derivative as the last nodes show it, reaches zero, the inside is looked at: three points that
// hold a minimum of the distance from zero, the next one where the parabola through them has its own.
void EventWatch::look_for_pair(const Interval& interval, std::size_t event, double next, std::vector<Found>& found) {
    const auto& track = tracks_[event];
    const double h = interval.length();
    const double sign = next < 0 ? -1 : 1;
    double curvature = std::max(track.curvature, track.last_curvature);
    if (track.length != 0) {
        curvature = std::max(curvature, std::abs(2 * ((next - track.value) / h - track.slope) / (track.length + h)));
        if (std::min(std::abs(track.value), std::abs(next)) > curvature * h * h / 2) {
            return;
        }
    }
    double a = 0, b = 0.5, c = 1;  // in parts of the step
    const auto distance = [&](double part) { return sign * interval.value(event, part * h); };
    double fa = sign * track.value, fb = distance(b), fc = sign * next;
    for (int looks = 0; looks < 24 && fb >= 0; ++looks) {
        if (fb > fa || fb > fc) {  // no minimum inside yet: towards the lower end
            const bool to_left = fa < fc;
            const double at = to_left ? a + (b - a) / 4 : c - (c - b) / 4;
            const double f = distance(at);
            (to_left ? c : a) = b;
            (to_left ? fc : fa) = fb;
            b = at;
            fb = f;
            if (looks > 3) {
                return;  // it only falls towards a node, whose value is known
            }
            continue;
        }
        // Of the parabola: where it is lowest, and how low.
        const double left = (fb - fa) / (b - a), right = (fc - fb) / (c - b), bend = (right - left) / (c - a);
        if (!(bend > 0)) {
            return;
        }
        const double middle_slope = left + bend * (b - a);
        double move = -middle_slope / (2 * bend);
        if (fb - bend * move * move > fb / 2 && looks > 1) {
            return;  // far from zero
        }
        const double least = 1e-3 * (c - a);
        if (std::abs(move) < least) {
            move = (c - b > b - a) ? least : -least;
        }
        const double at = std::clamp(b + move, a + least / 2, c - least / 2);
        const double f = distance(at);
        if (f < fb) {
            (at < b ? c : a) = b;
            (at < b ? fc : fa) = fb;
            b = at;
            fb = f;
        } else {
            (at < b ? a : c) = at;
            (at < b ? fa : fc) = f;
        }
        if (c - a < 1e-9) {
            return;
        }
    }
    if (fb < 0) {
        if (track.value != 0) {
            if (const auto at = crossing(interval, event, 0, track.value, b * h, sign * fb)) {
                note(interval, event, sign < 0, *at, found);
            }
        }
        if (const auto at = crossing(interval, event, b * h, sign * fb, h, next)) {
            note(interval, event, sign > 0, *at, found);
        }
    }
}

void EventWatch::follow(Track& track, double next, double length) {
    const double slope = (next - track.value) / length;
    if (track.length != 0) {
        track.last_curvature = track.curvature;
        track.curvature = std::abs(2 * (slope - track.slope) / (track.length + length));
    }
    track.slope = slope;
    track.length = length;
    track.value = next;
    track.smallest = std::min(track.smallest, next);
    track.largest = std::max(track.largest, next);
}

std::vector<EventWatch::Found> EventWatch::pass(NodeReader& reader, DenseOutput& dense, const Node<double>& left,
                                                const Node<double>& right) {
    std::vector<Found> found;
    const Interval interval{left, right, [&](std::size_t event, double elapsed) {
                                return value_at(reader, event, dense.after(left, right, elapsed));
                            }};
    for (std::size_t k = 0; k < events_.size(); ++k) {
        const double next = value_at(reader, k, right);
        look(interval, k, next, found);
        follow(tracks_[k], next, right.t - left.t);
    }
    std::ranges::stable_sort(found, {}, [](const Found& one) { return std::abs(one.elapsed); });
    for (const auto& one : found) {
        auto& track = tracks_[one.event];
        track.first = track.count == 0 ? one.t : track.first;
        track.last = one.t;
        ++track.count;
    }
    return found;
}

void EventWatch::summarize(std::vector<EventSummary>& summaries, std::vector<std::string>& warnings) const {
    for (std::size_t k = 0; k < events_.size(); ++k) {
        const auto& track = tracks_[k];
        summaries.push_back({events_[k].name, static_cast<std::int64_t>(track.count), track.first, track.last,
                             track.smallest, track.largest});
        if (poles_[k]) {
            warnings.push_back(fmt::format(
                "the event {} changes sign at a singularity, first at t = {:.6g}; that is not a zero and is ignored",
                events_[k].name, *poles_[k]));
        }
        if (track.count == 0) {
            const auto direction = events_[k].direction;
            const bool crossed = track.smallest < 0 && track.largest > 0;
            warnings.push_back(
                fmt::format("the event {} never occurred: its value {} stayed in [{:.6g}, {:.6g}]{}", events_[k].name,
                            shown_value(events_[k]), track.smallest, track.largest,
                            crossed && direction != Event::Direction::either
                                ? fmt::format(" and never crossed zero {}",
                                              direction == Event::Direction::rising ? "upwards" : "downwards")
                                : ""));
        }
    }
}

void EventWatch::visit(MemoryVisitor<double>& visitor) {
    for (auto& track : tracks_) {
        std::array<double*, 10> all{&track.count, &track.first, &track.last,   &track.smallest,  &track.largest,
                                    &track.value, &track.slope, &track.length, &track.curvature, &track.last_curvature};
        std::array<double, 10> values{};
        std::ranges::transform(all, values.begin(), [](const double* one) { return *one; });
        visitor.array("event", values);
        for (std::size_t i = 0; i < all.size(); ++i) {
            *all[i] = values[i];
        }
    }
}

void EventRecorder::happen(std::size_t event, bool rising, const Sample& sample) {
    numbers_ += 1 + sample.q.size() + sample.p.size() + sample.v.size() + sample.lambda.size();
    complete = complete && numbers_ <= most_numbers_;
    if (!complete) {
        states.clear();
        return;
    }
    const auto copy = [](std::span<const double> values) { return std::vector<double>(values.begin(), values.end()); };
    states.push_back({event, rising, sample.t, sample.energy, sample.constraint, sample.hidden, copy(sample.q),
                      copy(sample.p), copy(sample.v), copy(sample.lambda), sample.step});
}

}  // namespace libration
