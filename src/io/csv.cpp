// CSV out. Numbers in the shortest form that reads back to the same double, whatever the locale.
#include <libration/io/csv.hpp>

#include <fmt/format.h>

#include <iterator>

namespace libration {

namespace {

// Names such as lambda_rod[1,2] contain the separator.
std::string column(const std::string& name) {
    return name.find(',') == std::string::npos ? ',' + name : fmt::format(",\"{}\"", name);
}

std::string state_header(const Model& model) {
    std::string header = "t";
    for (const auto* prefix : {"", "p_", "v_"}) {
        for (std::size_t k = 0; k < model.dimension; ++k) {
            header += column(prefix + model.coordinate_name(k));
        }
    }
    for (std::size_t k = 0; k < model.multipliers(); ++k) {
        header += column(model.multiplier_name(k));
    }
    return header + ",energy,constraint,hidden";
}

void add_state(const Sample& sample, std::string& line) {
    const auto out = std::back_inserter(line);
    fmt::format_to(out, "{}", sample.t);
    for (const auto values : {sample.q, sample.p, sample.v, sample.lambda}) {
        for (const double value : values) {
            fmt::format_to(out, ",{}", value);
        }
    }
    fmt::format_to(out, ",{},{},{}", sample.energy, sample.constraint, sample.hidden);
}

}  // namespace

CsvFile::CsvFile(const std::string& path, const Model& model, bool overwrite) : file_(path, overwrite) {
    auto header = state_header(model);
    for (const auto& observable : model.observables) {
        header += ',' + observable.name;
    }
    file_.write(header + '\n');
}

void CsvFile::see(const Sample& sample) {
    line_.clear();
    add_state(sample, line_);
    for (const double value : sample.observables) {
        fmt::format_to(std::back_inserter(line_), ",{}", value);
    }
    line_ += '\n';
    file_.write(line_);
}

EventsFile::EventsFile(const std::string& path, const Model& model, std::vector<std::string> names, bool overwrite)
    : file_(path, overwrite), names_(std::move(names)) {
    file_.write("name,rising," + state_header(model) + '\n');
}

void EventsFile::happen(std::size_t event, bool rising, const Sample& sample) {
    line_ = fmt::format("{},{},", names_[event], rising ? 1 : 0);
    add_state(sample, line_);
    line_ += '\n';
    file_.write(line_);
}

}  // namespace libration
