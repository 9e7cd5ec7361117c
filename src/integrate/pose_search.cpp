// Continuation with a contraction test [Deuflhard 2004, ch. 5], and Levenberg-Marquardt [Nocedal, Wright 2006, ch. 10].
#include "pose_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace libration {

namespace {

double length_of(std::span<const double> rows) {
    double sum = 0;
    for (const double row : rows) {
        sum += row * row;
    }
    return std::sqrt(sum);
}

std::vector<double> moved_by(const std::vector<double>& q, const std::vector<double>& dq, double part = 1) {
    auto moved = q;
    for (std::size_t j = 0; j < q.size(); ++j) {
        moved[j] += part * dq[j];
    }
    return moved;
}

}  // namespace

bool PoseSearch::correct(std::vector<double>& q, std::span<const double> target) {
    constexpr int most = 12;
    constexpr double contraction = 0.25;  // below 1/2 the steps stay where Newton's method has a single solution
    auto& at = *equations_;
    std::vector<double> rows(target.size()), dq(q.size());
    double before = std::numeric_limits<double>::infinity(), gap = before;
    const double scale = length_of(target);
    for (int k = 0; k < most; ++k) {
        at.values(q, rows);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            rows[i] = target[i] - rows[i];
        }
        const double left = length_of(rows);
        if (!std::isfinite(left)) {
            return false;
        }
        // Where targets are not zero, a part of them is close enough; the last target is reached to rounding.
        if (scale > 0 ? left <= 1e-3 * scale : (left == 0 || (k > 1 && left >= 0.5 * gap))) {
            return scale > 0 || at.closed(q);
        }
        gap = left;
        at.linearize(q);
        at.factor(0);
        const double length = at.step(rows, dq);
        ++steps_;
        if (!(length <= contraction * before) && k > 0 && !(scale == 0 && length < 1e-12)) {
            return scale == 0 && at.closed(q);
        }
        before = length;
        q = moved_by(q, dq);
    }
    return scale == 0 && at.closed(q);
}

bool PoseSearch::follow(FoundPose& pose) {
    constexpr double smallest = 1e-4;
    std::vector<double> first(equations_->rows().count()), target(first.size());
    equations_->values(pose.q, first);
    double s = 1, ds = 1;
    while (s > 0) {
        const double next = ds >= s ? 0.0 : s - ds;
        for (std::size_t i = 0; i < first.size(); ++i) {
            target[i] = next * first[i];
        }
        auto q = pose.q;
        if (correct(q, target)) {
            pose.q = std::move(q);
            s = next;
            ds *= 2;
        } else {
            ds = std::min(ds, s) / 2;
            if (ds < smallest) {
                return false;
            }
        }
    }
    return true;
}

void PoseSearch::descend(FoundPose& pose) {
    constexpr int most = 300;
    auto& at = *equations_;
    std::vector<double> rows(at.rows().count()), tried(rows.size()), down(rows.size()), dq(pose.q.size());
    at.values(pose.q, rows);
    double gap = length_of(rows), damping = 0;
    int slow = 0;
    for (int k = 0; k < most && slow < 5 && gap > 0 && std::isfinite(gap); ++k) {
        at.linearize(pose.q);
        damping = k == 0 ? 1e-3 * at.largest() : damping;
        std::ranges::transform(rows, down.begin(), [](double row) { return -row; });
        bool better = false;
        while (!better && damping <= 1e8 * at.largest()) {
            at.factor(damping);
            at.step(down, dq);
            ++steps_;
            const double promised = at.reduction(rows);
            const auto q = moved_by(pose.q, dq);
            at.values(q, tried);
            const double reached = length_of(tried);
            better = reached < gap && gap * gap - reached * reached > 1e-3 * promised;
            if (better) {
                slow = gap - reached < 1e-6 * gap ? slow + 1 : 0;
                pose.q = q;
                rows = tried;
                gap = reached;
            }
            damping *= better ? 0.2 : 4;
        }
        if (!better) {
            break;
        }
    }
}

void PoseSearch::polish(FoundPose& pose) {
    auto& at = *equations_;
    std::vector<double> rows(at.rows().count()), dq(pose.q.size());
    at.values(pose.q, rows);
    pose.gap = length_of(rows);
    for (int k = 0; k < 10 && pose.gap > 0; ++k) {
        at.linearize(pose.q);
        at.factor(0);
        std::ranges::transform(rows, rows.begin(), [](double row) { return -row; });
        at.step(rows, dq);
        ++steps_;
        auto q = moved_by(pose.q, dq);
        at.values(q, rows);
        const double gap = length_of(rows);
        if (!(gap < 0.5 * pose.gap)) {
            break;
        }
        pose.q = std::move(q);
        pose.gap = gap;
    }
    pose.closed = at.closed(pose.q);
}

FoundPose PoseSearch::close(const std::vector<double>& from) {
    steps_ = 0;
    FoundPose pose{from};
    equations_->scale_at(from);
    if (!follow(pose)) {
        descend(pose);
        polish(pose);
        if (!pose.closed) {  // the branch may have led astray
            FoundPose other{from};
            descend(other);
            polish(other);
            pose = other.gap < pose.gap || other.closed ? other : pose;
        }
    }
    polish(pose);
    pose.steps = steps_;
    return pose;
}

void PoseSearch::draw_near(FoundPose& pose, const std::vector<double>& wanted) {
    constexpr int most = 100;
    auto& at = *equations_;
    const std::vector<double> zero(at.rows().count(), 0.0);
    steps_ = 0;
    for (int k = 0; k < most; ++k) {
        std::vector<double> back(wanted.size());
        std::ranges::transform(wanted, pose.q, back.begin(), [](double a, double b) { return a - b; });
        const double far = at.distance(wanted, pose.q);
        at.linearize(pose.q);
        at.factor(0);
        const double along = at.tangential(back);
        if (!(along > 1e-9 * far)) {
            break;
        }
        bool nearer = false;
        for (double part = 1; !nearer && part > 1e-3; part /= 2) {
            auto q = moved_by(pose.q, back, part);
            // A step along the tangent shortens the way by along^2/(2 far), to second order.
            nearer = correct(q, zero) && at.distance(wanted, q) < far - 0.1 * part * along * along / far;
            pose.q = nearer ? std::move(q) : pose.q;
        }
        if (!nearer) {
            break;
        }
    }
    polish(pose);
    pose.steps += steps_;
}

}  // namespace libration
