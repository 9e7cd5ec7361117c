// Consecutive records: size, checksum, bytes. What was truncated by a kill is recognized and dropped.
#include "io/ensemble_hdf5.hpp"
#include "io/ensemble_records.hpp"
#include "io/exclusive_file.hpp"
#include "result/checksum.hpp"

#include <libration/io/ensemble_file.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <optional>

namespace libration {

namespace {

struct RecordHead {
    std::uint64_t size = 0, checksum = 0;
};

std::string journal_of(const std::string& out) { return out + ".part"; }

// What cannot be looked at is not there; who then opens it learns why.
bool exists(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::exists(path, ignored);
}

// Nothing at the end, or where the record is not whole.
std::optional<std::vector<std::byte>> read_record(std::FILE* file, std::uintmax_t rest) {
    RecordHead head;
    if (std::fread(&head, sizeof head, 1, file) != 1 || head.size > rest - sizeof head) {
        return std::nullopt;
    }
    std::vector<std::byte> bytes(head.size);
    if (std::fread(bytes.data(), 1, bytes.size(), file) != bytes.size() ||
        checksum_with_header(head, bytes) != head.checksum) {
        return std::nullopt;
    }
    return bytes;
}

}  // namespace

class EnsembleJournal::Content {
  public:
    Content(const std::string& out, const EnsembleSettings& settings, bool overwrite)
        : out_(out), path_(journal_of(out)) {
        if (!overwrite && exists(path_)) {
            throw InputError(fmt::format(
                "{} exists: an ensemble was interrupted; continue it with `resume = {}`, or give `overwrite`", path_,
                out));
        }
        own_ = ExclusiveFile::create(path_, overwrite);
        file_ = open_file(path_, "r+b");
        settings_.emplace(settings);
        ByteWriter writer;
        put(settings, writer);
        append(writer.bytes());
    }

    explicit Content(const std::string& out) : out_(out), path_(journal_of(out)) {
        own_ = ExclusiveFile::open(path_);
        file_ = open_file(path_, "r+b");
        const auto end = walk([&](ByteReader& reader, bool first) {
            if (first) {
                settings_.emplace(take_settings(reader));
                return;
            }
            auto batch = take_batch(reader);
            for (auto& record : batch.trajectories) {
                record.frames = {};
            }
            restored_.push_back(std::move(batch));
        });
        if (!settings_) {
            throw FileError(
                fmt::format("{}: the journal is truncated at its beginning; start over with `overwrite`", path_));
        }
        std::filesystem::resize_file(path_, end);
        std::fseek(file_.get(), static_cast<long>(end), SEEK_SET);
    }

    void append(std::span<const std::byte> bytes) {
        RecordHead head{bytes.size(), 0};
        head.checksum = checksum_with_header(head, bytes);
        if (std::fwrite(&head, sizeof head, 1, file_.get()) != 1 ||
            std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size() || std::fflush(file_.get()) != 0) {
            throw FileError(fmt::format("cannot write {}: {}", path_, std::strerror(errno)));
        }
    }

    // All whole records from the beginning; returns where they end.
    std::uintmax_t walk(const std::function<void(ByteReader&, bool first)>& visit) {
        const auto size = std::filesystem::file_size(path_);
        std::rewind(file_.get());
        std::uintmax_t end = 0;
        while (const auto bytes =
                   size - end < sizeof(RecordHead) ? std::nullopt : read_record(file_.get(), size - end)) {
            try {
                ByteReader reader(*bytes);
                visit(reader, end == 0);
            } catch (const FileError& error) {
                throw FileError(fmt::format("{}: {}", path_, error.what()));
            }
            end += sizeof(RecordHead) + bytes->size();
        }
        return end;
    }

    struct CloseFile {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    using File = std::unique_ptr<std::FILE, CloseFile>;

    static File open_file(const std::string& path, const char* mode) {
        File file(std::fopen(path.c_str(), mode));
        if (!file) {
            throw FileError(fmt::format("cannot open {}: {}", path, std::strerror(errno)));
        }
        return file;
    }

    std::string out_, path_;
    ExclusiveFile own_;
    File file_;
    std::optional<EnsembleSettings> settings_;
    std::vector<BatchRecord> restored_;
};

EnsembleJournal::EnsembleJournal(std::unique_ptr<Content> content) : content_(std::move(content)) {}
EnsembleJournal::EnsembleJournal(EnsembleJournal&& other) noexcept = default;
EnsembleJournal& EnsembleJournal::operator=(EnsembleJournal&& other) noexcept = default;
EnsembleJournal::~EnsembleJournal() = default;

EnsembleJournal EnsembleJournal::create(const std::string& out, const EnsembleSettings& settings, bool overwrite) {
    if (!overwrite && exists(out)) {
        throw InputError(fmt::format("{} exists; `overwrite` replaces it", out));
    }
    if (std::error_code ignored; std::filesystem::is_directory(out, ignored)) {
        throw FileError(fmt::format("cannot write {}: it is a directory", out));
    }
    return EnsembleJournal(std::make_unique<Content>(out, settings, overwrite));
}

EnsembleJournal EnsembleJournal::open(const std::string& out) {
    if (!exists(journal_of(out)) && exists(out)) {
        throw InputError(fmt::format("{} is complete; there is nothing to resume", out));
    }
    return EnsembleJournal(std::make_unique<Content>(out));
}

const EnsembleSettings& EnsembleJournal::settings() const { return *content_->settings_; }
std::vector<BatchRecord> EnsembleJournal::restored() const { return content_->restored_; }

void EnsembleJournal::finished(const BatchRecord& batch) {
    ByteWriter writer;
    put(batch, writer);
    content_->append(writer.bytes());
}

void EnsembleJournal::complete(const EnsembleResult& result) {
    const auto writing = content_->out_ + ".writing";
    try {
        EnsembleHdf5 file(writing, *content_->settings_, result);
        if (content_->settings_->trajectories) {
            content_->walk([&](ByteReader& reader, bool first) {
                if (!first) {
                    file.write_frames(take_batch(reader));
                }
            });
        }
        file.close();
    } catch (...) {
        std::remove(writing.c_str());
        throw;
    }
    if (std::rename(writing.c_str(), content_->out_.c_str()) != 0) {
        const int reason = errno;
        std::remove(writing.c_str());
        throw FileError(fmt::format("cannot write {}: {}", content_->out_, std::strerror(reason)));
    }
    discard();
}

void EnsembleJournal::discard() {
    std::error_code ignored;
    std::filesystem::remove(content_->path_, ignored);
}

}  // namespace libration
