// One file: a head with a checksum, the settings, the parts.
#include "gradient_file.hpp"

#include "result/checksum.hpp"
#include "text/text_file.hpp"

#include <libration/text/error.hpp>
#include <libration/version.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace libration {

namespace {

struct ProgressHead {
    std::array<char, 16> magic{'l', 'i', 'b', 'r', 'a', 't', 'i', 'o', 'n', ' ', 'g', 'r', 'a', 'd', '1', '\n'};
    std::uint64_t size = 0, checksum = 0;
};

double seconds_between(std::chrono::steady_clock::time_point a, std::chrono::steady_clock::time_point b) {
    return std::chrono::duration<double>(b - a).count();
}

std::string whole_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(file), {}};
    if (!file) {
        throw FileError(fmt::format("cannot read {}", path));
    }
    return bytes;
}

// What follows the head, which is removed.
std::string checked_content(const std::string& path, std::string bytes) {
    ProgressHead head;
    const auto magic = head.magic;
    const bool whole = bytes.size() >= sizeof head;
    if (whole) {
        std::memcpy(&head, bytes.data(), sizeof head);
    }
    if (!std::ranges::equal(std::span(bytes).first(std::min(bytes.size(), magic.size())),
                            std::span(magic).first(std::min(bytes.size(), magic.size()))) ||
        bytes.empty()) {
        throw InputError({.argument = "checkpoint",
                          .value = path,
                          .problem = "the file exists, and it is not a checkpoint of a gradient",
                          .remedy = "choose another name"});
    }
    bytes.erase(0, sizeof head);
    if (!whole || head.size != bytes.size() ||
        checksum_with_header(head, std::as_bytes(std::span(bytes))) != head.checksum) {
        throw FileError(fmt::format("{} is damaged: its content does not agree with its checksum; `overwrite` starts "
                                    "from the beginning",
                                    path));
    }
    return bytes;
}

std::string shortened(const std::string& value) {
    constexpr std::size_t longest = 40;
    return value.size() > longest || value.find('\n') != std::string::npos ? std::string() : value;
}

}  // namespace

GradientFile::GradientFile(std::string path, GradientSettings settings, bool overwrite, double seconds)
    : path_(std::move(path)), settings_(std::move(settings)), seconds_(seconds) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path_, ignored)) {
        throw FileError(fmt::format("cannot write {}: it is a directory", path_));
    }
    if (std::filesystem::exists(path_, ignored)) {
        if (!overwrite) {
            read();
        }
    } else {
        write_text_file(path_, "");  // fails now, and not after hours
        std::filesystem::remove(path_, ignored);
    }
}

void GradientFile::visit_parts(ProgressBytes& bytes) {
    std::uint64_t count = parts_.size();
    bytes(count);
    if (!bytes.reads()) {
        for (const auto& [name, kept] : parts_) {
            std::string first = name, second = kept;
            bytes(first, second);
        }
        return;
    }
    for (std::uint64_t k = 0; k < count; ++k) {
        std::string name, kept;
        bytes(name, kept);
        parts_.insert_or_assign(name, kept);
    }
}

void GradientFile::read() {
    const auto content = checked_content(path_, whole_file(path_));
    ProgressBytes bytes(content);
    std::string written_by;
    std::vector<std::string> names, values;
    bytes(written_by, names, values);
    GradientSettings there;
    for (std::size_t k = 0; k < names.size(); ++k) {
        there.emplace_back(names[k], values[k]);
    }
    require_same(written_by, there);
    bytes(seconds_before_);
    visit_parts(bytes);
}

// The same settings, in the same order.
void GradientFile::require_same(const std::string& written_by, const GradientSettings& there) const {
    const auto refuse = [&](const std::string& problem) {
        throw InputError({.argument = "checkpoint",
                          .value = path_,
                          .problem = problem,
                          .remedy = "repeat the call to which the file belongs, choose another name, or give "
                                    "`overwrite`"});
    };
    if (written_by != version) {
        refuse(fmt::format("the file was written by version {} of Libration, this is {}", written_by, version));
    }
    for (std::size_t k = 0; k < std::max(settings_.size(), there.size()); ++k) {
        if (k >= std::min(settings_.size(), there.size()) || settings_[k].first != there[k].first) {
            refuse("the file belongs to another kind of gradient");
        }
        const auto& [name, value] = settings_[k];
        const auto& other = there[k].second;
        if (value == other) {
            continue;
        }
        const auto before = shortened(other), now = shortened(value);
        refuse(before.empty() || now.empty()
                   ? fmt::format("the file belongs to another gradient: `{}` was different", name)
                   : fmt::format("the file belongs to another gradient: `{}` was {}, it is {} now", name, before, now));
    }
}

const std::string* GradientFile::find(const std::string& part) const {
    const auto found = parts_.find(part);
    return found == parts_.end() ? nullptr : &found->second;
}

bool GradientFile::due() const {
    constexpr double most_lost = 0.05;
    return seconds_between(kept_, Clock::now()) >= std::min(most_lost, seconds_);
}

void GradientFile::keep(const std::string& part, const ProgressBytes& bytes) {
    parts_.insert_or_assign(part, bytes.bytes());
    kept_ = Clock::now();
    // Large files are written more seldom: not more than a twentieth of the time.
    const double pause = seconds_ > 0 ? std::max(seconds_, 20 * writing_) : 0;
    if (seconds_between(written_, kept_) >= pause) {
        write();
    }
}

void GradientFile::write() {
    const auto begun = Clock::now();
    ProgressBytes bytes;
    std::string written_by(version);
    std::vector<std::string> names, values;
    for (const auto& [name, value] : settings_) {
        names.push_back(name);
        values.push_back(value);
    }
    double seconds = seconds_before_ + seconds_between(started_, begun);
    bytes(written_by, names, values, seconds);
    visit_parts(bytes);
    const auto content = bytes.bytes();
    ProgressHead head;
    head.size = content.size();
    head.checksum = checksum_with_header(head, std::as_bytes(std::span(content)));
    std::string all(sizeof head, '\0');
    std::memcpy(all.data(), &head, sizeof head);
    write_text_file(path_, all + content);
    written_ = Clock::now();
    writing_ = seconds_between(begun, written_);
}

}  // namespace libration
