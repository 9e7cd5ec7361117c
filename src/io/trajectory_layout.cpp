// Groups and datasets of a trajectory file: /run, and the view of it that H5MD readers understand.
// H5MD 1.1: P. de Buyl, P. H. Colberg, F. Hoefling, Comput. Phys. Commun. 185 (2014) 1546, and nongnu.org/h5md.
#include "io/trajectory_layout.hpp"

#include "io/checkpoint_slots.hpp"
#include "io/record_attributes.hpp"
#include "io/write_journal.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace libration {

namespace {

using hdf5::checked;
using hdf5::Handle;

constexpr std::string_view trajectory_format = "libration-trajectory 3";
// Read, and continued as they are: 1 has no summary of the run, neither has the states of events.
constexpr std::array<std::string_view, 2> former_formats{"libration-trajectory 1", "libration-trajectory 2"};

Handle create_group(hid_t file, const std::string& name, const std::string& path) {
    // The order of creation is kept, because that of the observables is the order of a row.
    const auto properties = checked(H5Pcreate(H5P_GROUP_CREATE), H5Pclose, path, "create " + name);
    checked(H5Pset_link_creation_order(properties.id(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED), path,
            "create " + name);
    // Attributes stay in the header, where they can be changed in SWMR mode.
    checked(H5Pset_attr_phase_change(properties.id(), 1024, 0), path, "create " + name);
    return checked(H5Gcreate2(file, name.c_str(), H5P_DEFAULT, properties.id(), H5P_DEFAULT), H5Gclose, path,
                   "create " + name);
}

void create_journal(hid_t file, const std::string& path) {
    constexpr std::string_view action = "create /journal";
    const hsize_t size = WriteJournal::size;
    const auto space = checked(H5Screate_simple(1, &size, nullptr), H5Sclose, path, action);
    const auto properties = checked(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, path, action);
    checked(H5Pset_alloc_time(properties.id(), H5D_ALLOC_TIME_EARLY), path, action);
    const auto dataset =
        checked(H5Dcreate2(file, "/journal", H5T_STD_U8LE, space.id(), H5P_DEFAULT, properties.id(), H5P_DEFAULT),
                H5Dclose, path, action);
    const auto address = H5Dget_offset(dataset.id());
    if (address == HADDR_UNDEF || address % WriteJournal::page != 0) {
        hdf5::fail(path, action, "HDF5 did not place it at the start of a page");
    }
    const auto bytes = WriteJournal::empty(address);
    checked(H5Dwrite(dataset.id(), H5T_NATIVE_UCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), path, action);
}

void create_states(hid_t file, const std::string& group, const TrajectoryLayout& layout, const std::string& path) {
    const auto number = [&](const char* name) { TrajectoryColumn::create(file, group + name, {}, {}, path); };
    const auto vector = [&](const char* name, std::size_t width, std::span<const std::string> names) {
        TrajectoryColumn::create(file, group + name, {.kind = ColumnShape::Kind::vector, .width = width}, names, path);
    };
    number("t");
    for (const char* name : {"q", "p", "v"}) {
        vector(name, layout.dimension, layout.coordinate_names);
    }
    vector("lambda", layout.constraints, layout.multiplier_names);
    for (const char* name : {"energy", "constraint", "hidden"}) {
        number(name);
    }
}

void create_run(hid_t file, const TrajectoryLayout& layout, const std::string& path) {
    create_attributes(create_group(file, "/run", path).id(), layout.outcome, path);
    create_group(file, "/run/observables", path);
    create_states(file, "/run/", layout, path);
    for (const auto& name : layout.observable_names) {
        TrajectoryColumn::create(file, "/run/observables/" + name, {}, {}, path);
    }
    TrajectoryColumn::create(file, "/run/step", {.kind = ColumnShape::Kind::integer}, {}, path);
}

void create_events(hid_t file, const TrajectoryLayout& layout, const std::string& path) {
    create_group(file, "/events", path);
    const ColumnShape integer{.kind = ColumnShape::Kind::integer};
    TrajectoryColumn::create(file, "/events/event", integer, layout.event_names, path);
    TrajectoryColumn::create(file, "/events/rising", integer, {}, path);
    create_states(file, "/events/", layout, path);
    TrajectoryColumn::create(file, "/events/step", integer, {}, path);
}

std::string given(const TrajectoryLayout& layout, std::string_view name) {
    for (const auto& [key, value] : layout.attributes) {
        if (const auto* text = value.as<std::string>(); text != nullptr && key == name) {
            return *text;
        }
    }
    return "unknown";
}

void create_h5md_header(hid_t file, const TrajectoryLayout& layout, const std::string& path) {
    const auto root = create_group(file, "/h5md", path);
    const hsize_t two = 2;
    const std::array<int, 2> version{1, 1};
    const auto space = checked(H5Screate_simple(1, &two, nullptr), H5Sclose, path, "create /h5md");
    const auto attribute =
        checked(H5Acreate2(root.id(), "version", H5T_STD_I32LE, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose, path,
                "create /h5md");
    checked(H5Awrite(attribute.id(), H5T_NATIVE_INT, version.data()), path, "create /h5md");
    const auto author = create_group(file, "/h5md/author", path);
    hdf5::write_attribute(author.id(), "name", given(layout, "author"), path);
    const auto creator = create_group(file, "/h5md/creator", path);
    hdf5::write_attribute(creator.id(), "name", "libration", path);
    hdf5::write_attribute(creator.id(), "version", given(layout, "version"), path);
}

void create_box(hid_t file, const std::string& group, std::size_t dimension, const std::string& path) {
    const auto action = "create " + group + "/box";
    const auto box = create_group(file, group + "/box", path);
    const auto scalar = checked(H5Screate(H5S_SCALAR), H5Sclose, path, action);
    const auto size = checked(H5Acreate2(box.id(), "dimension", H5T_STD_I32LE, scalar.id(), H5P_DEFAULT, H5P_DEFAULT),
                              H5Aclose, path, action);
    const int value = static_cast<int>(dimension);
    checked(H5Awrite(size.id(), H5T_NATIVE_INT, &value), path, action);
    const hsize_t count = dimension;
    const std::vector<const char*> open(dimension, "none");
    const auto type = hdf5::text_type(path);
    const auto space = checked(H5Screate_simple(1, &count, nullptr), H5Sclose, path, action);
    const auto boundary = checked(H5Acreate2(box.id(), "boundary", type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT),
                                  H5Aclose, path, action);
    checked(H5Awrite(boundary.id(), type.id(), open.data()), path, action);
}

// [frame][point][axis] as a virtual dataset over columns of [frame][coordinate]: no value is stored twice, the length
// follows that of its source, and step and time are the very datasets of /run.
void create_element(hid_t file, const std::string& element, const std::string& source_name,
                    const TrajectoryLayout& layout, const TrajectoryLayout::Points& points, const std::string& path) {
    const auto action = "create " + element;
    const auto group = create_group(file, element, path);
    const hsize_t width = points.count * points.dimension;
    const std::array<hsize_t, 3> extent{0, points.count, points.dimension};
    const std::array<hsize_t, 3> most{H5S_UNLIMITED, points.count, points.dimension};
    const auto space = checked(H5Screate_simple(3, extent.data(), most.data()), H5Sclose, path, action);
    const std::array<hsize_t, 2> source_extent{0, layout.dimension};
    const std::array<hsize_t, 2> source_most{H5S_UNLIMITED, layout.dimension};
    const auto source = checked(H5Screate_simple(2, source_extent.data(), source_most.data()), H5Sclose, path, action);

    const std::array<hsize_t, 3> frames{H5S_UNLIMITED, 1, 1};
    const std::array<hsize_t, 3> begin{0, 0, 0};
    const std::array<hsize_t, 3> block{1, points.count, points.dimension};
    checked(H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, begin.data(), nullptr, frames.data(), block.data()), path,
            action);
    const std::array<hsize_t, 2> source_begin{0, points.first};
    const std::array<hsize_t, 2> source_block{1, width};
    checked(H5Sselect_hyperslab(source.id(), H5S_SELECT_SET, source_begin.data(), nullptr, frames.data(),
                                source_block.data()),
            path, action);

    const auto properties = checked(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, path, action);
    checked(H5Pset_virtual(properties.id(), space.id(), ".", source_name.c_str(), source.id()), path, action);
    checked(H5Dcreate2(group.id(), "value", H5T_IEEE_F64LE, space.id(), H5P_DEFAULT, properties.id(), H5P_DEFAULT),
            H5Dclose, path, action);
    checked(H5Lcreate_hard(file, "/run/step", group.id(), "step", H5P_DEFAULT, H5P_DEFAULT), path, action);
    checked(H5Lcreate_hard(file, "/run/t", group.id(), "time", H5P_DEFAULT, H5P_DEFAULT), path, action);
}

void create_h5md(hid_t file, const TrajectoryLayout& layout, const std::string& path) {
    create_h5md_header(file, layout, path);
    create_group(file, "/particles", path);
    for (const auto& points : layout.points) {
        const auto group = "/particles/" + points.name;
        create_group(file, group, path);
        create_box(file, group, points.dimension, path);
        create_element(file, group + "/position", "/run/q", layout, points, path);
        create_element(file, group + "/velocity", "/run/v", layout, points, path);
    }
}

void require_name(const std::string& name, std::string_view what) {
    if (name.empty() || name == "." || name.find('/') != std::string::npos) {
        throw InputError(fmt::format(
            "the name '{}' of {} cannot be stored in a file: it must not be empty, '.' or contain '/'", name, what));
    }
}

// t, q, p, v, lambda, energy, constraint, hidden.
void open_states(hid_t file, const std::string& group, const std::string& path,
                 std::vector<TrajectoryColumn>& columns) {
    columns.emplace_back(file, group + "t", ColumnShape::Kind::number, path);
    const auto first = columns.size();
    for (const char* name : {"q", "p", "v", "lambda"}) {
        columns.emplace_back(file, group + name, ColumnShape::Kind::vector, path);
    }
    for (const std::size_t other : {first + 1, first + 2}) {
        if (columns[other].width() != columns[first].width()) {
            hdf5::fail(path, "open " + columns[other].name(),
                       fmt::format("its row length differs from that of {}q", group));
        }
    }
    for (const char* name : {"energy", "constraint", "hidden"}) {
        columns.emplace_back(file, group + name, ColumnShape::Kind::number, path);
    }
}

}  // namespace

void require_valid(const TrajectoryLayout& layout) {
    if (layout.dimension == 0) {
        throw InputError("a trajectory needs at least one coordinate");
    }
    for (const auto& name : layout.observable_names) {
        require_name(name, "an observable");
        if (std::count(layout.observable_names.begin(), layout.observable_names.end(), name) > 1) {
            throw InputError(fmt::format("two observables are named '{}'", name));
        }
    }
    for (const auto& points : layout.points) {
        require_name(points.name, "points");
        const auto end = points.first + points.count * points.dimension;
        if (points.count == 0 || points.dimension == 0 || end > layout.dimension) {
            throw InputError(
                fmt::format("points '{}': {} points of dimension {} from coordinate {} on are not among {} "
                            "coordinates",
                            points.name, points.count, points.dimension, points.first, layout.dimension));
        }
    }
}

void write_layout(hid_t file, const TrajectoryLayout& layout, const std::string& path) {
    create_journal(file, path);
    hdf5::write_attribute(file, "format", trajectory_format, path);
    hdf5::write_attribute(file, "status", "running", path);
    hdf5::write_attribute(file, "step", layout.step, path);
    for (const auto& [name, value] : layout.attributes) {
        write_attribute(file, name, value, path);
    }
    create_run(file, layout, path);
    if (!layout.event_names.empty()) {
        create_events(file, layout, path);
    }
    if (!layout.points.empty()) {
        create_h5md(file, layout, path);
    }
    // A method's memory is some ten vectors; too small a guess only means more chunks.
    CheckpointSlots::create(file, 80 * (layout.dimension + layout.constraints), path);
}

std::string format_of(hid_t file, const std::string& path) {
    const bool there = checked(H5Aexists(file, "format"), path, "look for the attribute 'format'") > 0;
    return there ? hdf5::read_attribute(file, "format", path) : std::string{};
}

void require_format(const std::string& found, const std::string& path) {
    const auto name = trajectory_format.substr(0, trajectory_format.find(' '));
    if (found.starts_with("libration-ensemble")) {
        throw FileError(fmt::format(
            "{}: the file contains an ensemble, not a run; give a file written by `libration run out=FILE.h5`", path));
    }
    if (!found.starts_with(name)) {
        throw FileError(fmt::format(
            "{}: an HDF5 file, but not a libration trajectory; give a file written by `libration run out=FILE.h5`",
            path));
    }
    if (found != trajectory_format && std::ranges::find(former_formats, found) == former_formats.end()) {
        throw FileError(
            fmt::format("{}: the file has the format '{}', this version reads '{}'; use the version that wrote it",
                        path, found, trajectory_format));
    }
}

std::vector<TrajectoryColumn> open_columns(hid_t file, const std::string& path) {
    std::vector<TrajectoryColumn> columns;
    open_states(file, "/run/", path, columns);
    const auto group =
        checked(H5Gopen2(file, "/run/observables", H5P_DEFAULT), H5Gclose, path, "open /run/observables");
    H5G_info_t information{};
    checked(H5Gget_info(group.id(), &information), path, "read /run/observables");
    for (hsize_t i = 0; i < information.nlinks; ++i) {
        const auto name = [&](char* text, std::size_t size) {
            return checked(
                H5Lget_name_by_idx(group.id(), ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, i, text, size, H5P_DEFAULT), path,
                "read /run/observables");
        };
        std::string text(static_cast<std::size_t>(name(nullptr, 0)), '\0');
        name(text.data(), text.size() + 1);
        columns.emplace_back(file, "/run/observables/" + text, ColumnShape::Kind::number, path);
    }
    columns.emplace_back(file, "/run/step", ColumnShape::Kind::integer, path);
    return columns;
}

std::vector<TrajectoryColumn> open_event_columns(hid_t file, const std::string& path) {
    std::vector<TrajectoryColumn> columns;
    if (checked(H5Lexists(file, "/events", H5P_DEFAULT), path, "look for /events") > 0) {
        columns.emplace_back(file, "/events/event", ColumnShape::Kind::integer, path);
        columns.emplace_back(file, "/events/rising", ColumnShape::Kind::integer, path);
        open_states(file, "/events/", path, columns);
        columns.emplace_back(file, "/events/step", ColumnShape::Kind::integer, path);
    }
    return columns;
}

}  // namespace libration
