// Solves err(h) = target for h > 0. log err is nearly linear in log h, with a known slope: that slope first [Jay 1998,
// section 9], then the secant, kept inside the lengths between which the error is known to pass its target.
#pragma once

#include <libration/kit/scalar.hpp>

namespace libration {

template <class S>
class LengthSearch {
  public:
    enum class Verdict { go_on, settle, jumps, stays_below, stops_growing };

    LengthSearch(const S& guess, const S& longest, const S& slope) : length_(guess), longest_(longest), slope_(slope) {}

    // To be tried next, and the best so far, which is what is left where the verdict is to settle.
    [[nodiscard]] const S& length() const { return length_; }
    [[nodiscard]] const S& best() const { return best_; }

    // The equations of the step could not be solved: too long.
    void not_solved() {
        high_ = length_;
        previous_ = zero();
        length_ = low_ > zero() ? S(sqrt(low_ * high_)) : S(high_ / lit<S>(2));
    }

    // `excess` is log(err/target) at length().
    Verdict tried(const S& excess) {
        const bool closer = best_ == zero() || absv(excess) < absv(best_excess_);
        idle_ = closer ? 0 : idle_ + 1;
        if (closer) {
            best_ = length_;
            best_excess_ = excess;
        }
        const S root = sqrt(sqrt(epsilon<S>())), noise = root * sqrt(root);  // 1e-6 for double
        (excess < zero() ? low_ : high_) = length_;
        const bool between = low_ > zero() && high_ > zero();
        const bool pinched = between && absv(high_ - low_) <= lit<S>(2) * epsilon<S>() * high_;
        // Multipliers are known to the round-off of g/h^2 only, which slopes do not show: then no length is better than
        // the best.
        if ((idle_ >= 2 || pinched) && absv(best_excess_) <= noise) {
            return Verdict::settle;
        }
        if (pinched) {
            return leaping_ ? Verdict::stops_growing : Verdict::jumps;
        }
        if (excess < zero() && length_ >= longest_) {
            return leaping_ ? Verdict::stops_growing : Verdict::stays_below;
        }
        const S secant = previous_ > zero() ? S((excess - previous_excess_) / log(length_ / previous_)) : slope_;
        const bool near_below = !between && excess < zero() && excess > lit<S>(-1);
        flat_ = near_below && !(secant > slope_ / lit<S>(8)) ? flat_ + 1 : 0;
        if (flat_ >= 4 && !leaping_) {
            leaping_ = true;
            longest_ = minv(longest_, S(lit<S>(4) * length_));
        }
        if (leaping_ && !between) {
            previous_ = length_;
            previous_excess_ = excess;
            length_ = minv(longest_, S(lit<S>(9, 8) * length_));
            return Verdict::go_on;
        }
        const bool usable = secant > slope_ / lit<S>(between ? 64 : 8) && secant < slope_ * lit<S>(64);
        const S factor = exp(-excess / (usable ? secant : slope_));
        const S proposal = length_ * minv(lit<S>(2), maxv(lit<S>(1, 2), factor));
        previous_ = length_;
        previous_excess_ = excess;
        // Where err(h) is far from a power, halving makes sure of an end.
        const bool inside = minv(low_, high_) < proposal && proposal < maxv(low_, high_);
        const bool halve = between && (!inside || (++tries_ > 12 && tries_ % 2 == 0));
        length_ = minv(longest_, halve ? S(sqrt(low_ * high_)) : proposal);
        return Verdict::go_on;
    }

  private:
    static S zero() { return lit<S>(0); }

    // Lengths are 0 where there is none yet.
    S length_, longest_, slope_;
    S previous_ = zero(), previous_excess_ = zero(), best_ = zero(), best_excess_ = zero(), low_ = zero(),
      high_ = zero();
    int idle_ = 0, tries_ = 0, flat_ = 0;
    bool leaping_ = false;  // a longer step is looked for behind a maximum of err(h) below its target
};

}  // namespace libration
