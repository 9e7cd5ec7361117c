// The public interface of trajectory files: silence around HDF5, and no file left over from a failed creation.
#include <libration/io/trajectory_file.hpp>

#include "io/trajectory_content.hpp"
#include "io/trajectory_layout.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <cstdio>

namespace libration {

using hdf5::checked;
using hdf5::Silence;

TrajectoryFile::TrajectoryFile(std::unique_ptr<Content> content) : content_(std::move(content)) {}
TrajectoryFile::TrajectoryFile(TrajectoryFile&&) noexcept = default;
TrajectoryFile& TrajectoryFile::operator=(TrajectoryFile&&) noexcept = default;
TrajectoryFile::~TrajectoryFile() = default;

TrajectoryFile TrajectoryFile::create(const std::string& path, const TrajectoryLayout& layout, bool overwrite) {
    require_valid(layout);
    auto content = std::make_unique<Content>(path, ExclusiveFile::create(path, overwrite));
    try {
        const Silence silence;
        content->lay_out(layout);
        content->open_for_writing();
    } catch (...) {
        content->abandon("");
        std::remove(path.c_str());
        throw;
    }
    return TrajectoryFile(std::move(content));
}

void TrajectoryFile::require_replaceable(const std::string& path, bool overwrite) {
    ExclusiveFile::require_replaceable(path, overwrite);
}

TrajectoryFile TrajectoryFile::open_for_resume(const std::string& path) {
    auto content = std::make_unique<Content>(path, ExclusiveFile::open(path));
    const Silence silence;
    content->resume();
    return TrajectoryFile(std::move(content));
}

TrajectoryFile TrajectoryFile::open_read_only(const std::string& path) {
    auto content = std::make_unique<Content>(path, ExclusiveFile{});
    const Silence silence;
    content->open_for_reading();
    return TrajectoryFile(std::move(content));
}

const std::optional<std::vector<std::byte>>& TrajectoryFile::checkpoint() const { return content_->checkpoint; }

std::int64_t TrajectoryFile::checkpoint_rows() const { return content_->checkpoint_rows; }
std::int64_t TrajectoryFile::checkpoint_events() const { return content_->checkpoint_events(); }

bool TrajectoryFile::has_attribute(std::string_view name) const {
    const Silence silence;
    return checked(H5Aexists(content_->file(), std::string(name).c_str()), content_->path(), "look for an attribute") >
           0;
}

std::string TrajectoryFile::attribute(std::string_view name) const {
    if (!has_attribute(name)) {
        throw InputError(fmt::format("{}: the file has no attribute '{}'", content_->path(), name));
    }
    const Silence silence;
    return hdf5::read_attribute(content_->file(), std::string(name), content_->path());
}

std::string TrajectoryFile::status() const { return content_->status; }

std::vector<std::string> TrajectoryFile::observable_names() const { return content_->observable_names(); }
std::size_t TrajectoryFile::dimension() const { return content_->dimension(); }
std::size_t TrajectoryFile::constraints() const { return content_->constraints(); }

std::int64_t TrajectoryFile::rows() const { return content_->rows(); }

bool TrajectoryFile::keeps_events() const { return content_->keeps_events(); }

std::int64_t TrajectoryFile::events() const { return content_->events(); }

void TrajectoryFile::append_event(const EventRow& event) { content_->append_event(event); }

void TrajectoryFile::append(const TrajectoryRow& row) { content_->append(row); }

const std::optional<Record>& TrajectoryFile::summary() const { return content_->summary; }

void TrajectoryFile::write_checkpoint(std::span<const std::byte> memory, const Record& so_far) {
    content_->write_checkpoint(memory, so_far);
}

void TrajectoryFile::finish(const std::string& status, const Record& outcome) {
    if (status != "completed" && status != "stopped" && status != "failed") {
        throw InputError(
            fmt::format("the status of a finished run is 'completed', 'stopped' or 'failed', not '{}'", status));
    }
    content_->finish(status, outcome);
}

std::vector<double> TrajectoryFile::read(std::string_view dataset) const {
    const Silence silence;
    return content_->read(std::string(dataset));
}

}  // namespace libration
