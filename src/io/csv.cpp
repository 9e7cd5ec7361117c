// CSV out. Numbers in the shortest form that reads back to the same double, whatever the locale.
#include <libration/io/csv.hpp>

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iterator>

namespace libration {

namespace {

// Names such as lambda_rod[1,2] contain the separator.
std::string column(const std::string& name) {
    return name.find(',') == std::string::npos ? ',' + name : fmt::format(",\"{}\"", name);
}

}  // namespace

CsvFile::CsvFile(const std::string& path, const Model& model, bool overwrite)
    : path_(path), part_path_(path + ".part") {
    if (!overwrite && std::filesystem::exists(path)) {
        throw InputError(fmt::format("{} exists; --overwrite replaces it", path));
    }
    if (std::filesystem::is_directory(path)) {
        throw FileError(fmt::format("cannot write {}: it is a directory", path));
    }
    file_ = std::fopen(part_path_.c_str(), "w");
    if (file_ == nullptr) {
        throw FileError(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
    }
    std::string header = "t";
    for (const auto* prefix : {"", "p_"}) {
        for (std::size_t k = 0; k < model.dimension; ++k) {
            header += column(prefix + model.coordinate_name(k));
        }
    }
    for (std::size_t k = 0; k < model.multipliers(); ++k) {
        header += column(model.multiplier_name(k));
    }
    header += ",energy,constraint,hidden";
    for (const auto& observable : model.observables) {
        header += ',' + observable.name;
    }
    write(header + '\n');
}

CsvFile::~CsvFile() {
    if (file_ != nullptr) {
        std::fclose(file_);
        std::error_code ignored;
        std::filesystem::remove(part_path_, ignored);
    }
}

void CsvFile::write(const std::string& line) {
    if (std::fwrite(line.data(), 1, line.size(), file_) != line.size()) {
        throw FileError(fmt::format("cannot write {}: {}", part_path_, std::strerror(errno)));
    }
}

void CsvFile::see(const Sample& sample) {
    line_.clear();
    const auto out = std::back_inserter(line_);
    fmt::format_to(out, "{}", sample.t);
    for (const auto values : {sample.q, sample.p, sample.lambda}) {
        for (const double value : values) {
            fmt::format_to(out, ",{}", value);
        }
    }
    fmt::format_to(out, ",{},{},{}", sample.energy, sample.constraint, sample.hidden);
    for (const double value : sample.observables) {
        fmt::format_to(out, ",{}", value);
    }
    line_ += '\n';
    write(line_);
}

void CsvFile::finish() {
    std::FILE* const file = file_;
    file_ = nullptr;
    if (std::fclose(file) != 0 || std::rename(part_path_.c_str(), path_.c_str()) != 0) {
        const int reason = errno;
        std::error_code ignored;
        std::filesystem::remove(part_path_, ignored);
        throw FileError(fmt::format("cannot write {}: {}", path_, std::strerror(reason)));
    }
}

}  // namespace libration
