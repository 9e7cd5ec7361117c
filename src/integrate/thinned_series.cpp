// Keeping and dropping values.
#include "thinned_series.hpp"

namespace libration {

void ThinnedSeries::add(std::int64_t n, Value value) {
    if (t_.size() == room) {
        const auto drop_every_second = [](std::vector<double>& list) {
            for (std::size_t k = 0; k < list.size() / 2; ++k) {
                list[k] = list[2 * k];
            }
            list.resize(list.size() / 2);
        };
        drop_every_second(t_);
        drop_every_second(values_);
        stride_ *= 2;
    }
    if (wants(n)) {
        t_.push_back(value.t);
        values_.push_back(value.value);
    }
}

void ThinnedSeries::visit(MemoryVisitor<double>& visitor) {
    visitor.integer("series_stride", stride_);
    auto count = static_cast<std::int64_t>(t_.size());
    visitor.integer("series_count", count);
    t_.resize(static_cast<std::size_t>(count));
    values_.resize(t_.size());
    visitor.array("series_t", t_);
    visitor.array("series_values", values_);
}

}  // namespace libration
