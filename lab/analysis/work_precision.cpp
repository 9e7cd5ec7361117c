// Error against work.
#include "work_precision.hpp"

#include <fmt/format.h>

namespace libration::plot {

Figure work_precision_figure(const Comparison& comparison, Work work) {
    Figure figure;
    figure.title =
        fmt::format("{}: error at t = {:.6g}", comparison.model, comparison.compared_at.value_or(comparison.duration));
    figure.x = {.label = work == Work::seconds ? "seconds" : "force evaluations", .logarithmic = true};
    figure.y = {.label = "relative error of q and p", .logarithmic = true};
    for (const auto& row : comparison.rows) {
        if (figure.series.empty() || figure.series.back().name != row.method) {
            figure.series.push_back({row.method, {}, {}, Style::line_and_points});
        }
        if (!row.failure) {
            figure.series.back().x.push_back(work == Work::seconds ? row.seconds
                                                                   : static_cast<double>(row.evaluations.force));
            figure.series.back().y.push_back(row.error());
        }
    }
    return figure;
}

}  // namespace libration::plot
