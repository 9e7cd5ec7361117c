// A series of which every 1st, 2nd, 4th, ... value is kept: as many as there is room for, however long it becomes.
#pragma once

#include <libration/kit/stepper.hpp>

#include <limits>
#include <vector>

namespace libration {

class ThinnedSeries {
  public:
    static constexpr std::size_t room = 1024;

    // Keeps nothing: the values before are not known.
    static ThinnedSeries never() {
        ThinnedSeries series;
        series.stride_ = 0;
        return series;
    }

    // Whether value n, of those from 0 on, is to be kept. The answer depends on n alone, if add() was called for each
    // before that was.
    [[nodiscard]] bool wants(std::int64_t n) const { return stride_ > 0 && (n & (stride_ - 1)) == 0; }
    // The next one after n that may be kept.
    [[nodiscard]] std::int64_t next(std::int64_t n) const {
        return stride_ > 0 ? (n / stride_ + 1) * stride_ : std::numeric_limits<std::int64_t>::max();
    }
    struct Value {
        double t, value;
    };
    void add(std::int64_t n, Value value);

    [[nodiscard]] const std::vector<double>& t() const { return t_; }
    [[nodiscard]] const std::vector<double>& values() const { return values_; }
    [[nodiscard]] std::int64_t stride() const { return stride_ > 0 ? stride_ : 1; }  // a power of 2
    void visit(MemoryVisitor<double>& visitor);

  private:
    std::vector<double> t_, values_;
    std::int64_t stride_ = 1;  // 0: nothing is kept
};

}  // namespace libration
