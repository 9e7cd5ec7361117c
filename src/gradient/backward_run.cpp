// From the end to the start, and what the tangent says there.
#include "backward_steps.hpp"
#include "large_run.hpp"
#include "row_groups.hpp"

namespace libration {

std::string strayed(double distance) {
    return fmt::format("steps back lead to a state that differs by {:.1e}: the motion is too chaotic, or the method is "
                       "not symmetric on this model",
                       distance);
}

BackwardResult run_backward(const TangentTask& task, const Method& method, const ExtendedModel& extended,
                            std::span<const RunState> states, std::span<const Unknown> unknowns) {
    if (auto large = run_large_backward(task, method, extended, states, unknowns)) {
        return *std::move(large);
    }
    return BackwardRun(task, method, extended, states, unknowns).run(*task.readings, {}, task.part);
}

BackwardResult run_rows_backward(const TangentTask& task, const Method& method, const ExtendedModel& extended,
                                 std::span<const RunState> states, std::span<const Unknown> unknowns) {
    BackwardRun back(task, method, extended, states, unknowns);
    BackwardResult all;
    all.derivatives.resize(task.rows * unknowns.size());
    std::size_t number = 0;
    for (const auto& group : row_groups(*task.readings)) {
        const auto part = fmt::format("{}, rows {}", task.part, ++number);
        auto readings = task.readings->of_rows(group.rows);
        const auto some =
            finished_part<BackwardResult>(task.progress, part, [&] { return back.run(readings, group.rows, part); });
        all.growth = std::max(all.growth, some.growth);
        all.defect = std::max(all.defect, some.defect);
        if (some.failure) {
            all.failure = some.failure;
            return all;
        }
        for (std::size_t k = 0; k < group.rows.size(); ++k) {
            std::copy_n(some.derivatives.begin() + static_cast<std::ptrdiff_t>(k * unknowns.size()), unknowns.size(),
                        all.derivatives.begin() + static_cast<std::ptrdiff_t>(group.rows[k] * unknowns.size()));
        }
    }
    return all;
}

}  // namespace libration
