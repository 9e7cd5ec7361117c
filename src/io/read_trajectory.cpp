// Columns of the file become rows.
#include <libration/io/read_trajectory.hpp>

#include <libration/io/trajectory_recorder.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace libration {

namespace {

std::vector<std::vector<double>> rows_of(const std::vector<double>& flat, std::size_t rows, std::size_t width) {
    std::vector<std::vector<double>> result(rows);
    for (std::size_t row = 0; row < rows; ++row) {
        const auto first = flat.begin() + static_cast<std::ptrdiff_t>(row * width);
        result[row].assign(first, first + static_cast<std::ptrdiff_t>(width));
    }
    return result;
}

// A kill leaves cells unwritten, as NaN; no run records such a time or state.
std::size_t written_rows(const Trajectory& trajectory) {
    const auto is_nan = [](double value) { return std::isnan(value); };
    std::size_t rows = trajectory.t.size();
    while (rows > 0 && (is_nan(trajectory.t[rows - 1]) || std::ranges::any_of(trajectory.q[rows - 1], is_nan))) {
        --rows;
    }
    return rows;
}

}  // namespace

Trajectory read_trajectory(const std::string& path) {
    const auto file = TrajectoryFile::open_read_only(path);
    if (const auto functions = missing_functions(file); !functions.empty()) {
        throw InputError(fmt::format("{}: {} of the model '{}' cannot be traced and is not stored in the file; analyse "
                                     "the run in the program that created it",
                                     path, functions, file.attribute("model")));
    }
    if (file.attribute("model_text").empty()) {
        throw InputError(fmt::format("{}: the model '{}' was built in C++ and is not stored in the file as text; "
                                     "analyse the run in the program that created it (TrajectoryKeeper)",
                                     path, file.attribute("model")));
    }
    auto settings = read_settings(file);
    Trajectory result{.model = std::move(settings.model), .method = settings.method(), .options = settings.options};
    const auto rows = static_cast<std::size_t>(file.rows());
    for (const double step : file.read("/run/step")) {
        result.step.push_back(static_cast<std::int64_t>(step));  // exact up to 2^53
    }
    result.t = file.read("/run/t");
    result.energy = file.read("/run/energy");
    result.constraint = file.read("/run/constraint");
    result.hidden = file.read("/run/hidden");
    const std::size_t n = result.model.dimension;
    result.q = rows_of(file.read("/run/q"), rows, n);
    result.p = rows_of(file.read("/run/p"), rows, n);
    result.v = rows_of(file.read("/run/v"), rows, n);
    result.lambda = rows_of(file.read("/run/lambda"), rows, result.model.multipliers());
    result.observables.assign(rows, {});
    for (const auto& observable : result.model.observables) {
        const auto values = file.read("/run/observables/" + observable.name);
        for (std::size_t row = 0; row < rows; ++row) {
            result.observables[row].push_back(values[row]);
        }
    }
    const std::size_t written = written_rows(result);
    if (written == 0) {
        throw InputError(fmt::format("{}: the run has recorded nothing yet; wait for its first rows, or resume it with "
                                     "`resume`",
                                     path));
    }
    result.step.resize(written);
    for (auto* column : {&result.t, &result.energy, &result.constraint, &result.hidden}) {
        column->resize(written);
    }
    for (auto* column : {&result.q, &result.p, &result.v, &result.lambda, &result.observables}) {
        column->resize(written);
    }
    return result;
}

}  // namespace libration
