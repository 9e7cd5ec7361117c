// An ensemble on disk. While it runs, finished batches are appended to a journal next to the final name,
// FILE.h5.part, from which a killed ensemble continues; at the end the HDF5 file is written as a whole, and the journal
// is removed.
#pragma once

#include <libration/ensemble/ensemble.hpp>

#include <memory>

namespace [[gnu::visibility("default")]] libration {

// Everything that determines the content of the file.
struct EnsembleSettings {
    Model model;
    std::string method;
    IntegrationOptions options;  // with `steps` set
    bool trajectories = false;
    std::uint64_t seed = 0;
    std::vector<std::string> variations;  // as they were given; empty: the values came from a table
    VariedValues values;
};

class EnsembleJournal final : public EnsembleSink {
  public:
    // `out`: the final name. InputError if it or its journal exists and `overwrite` is false.
    static EnsembleJournal create(const std::string& out, const EnsembleSettings& settings, bool overwrite);
    // To continue. InputError if the ensemble is complete, FileError if there is none; a truncated record is
    // dropped.
    static EnsembleJournal open(const std::string& out);

    EnsembleJournal(EnsembleJournal&& other) noexcept;
    EnsembleJournal& operator=(EnsembleJournal&& other) noexcept;
    ~EnsembleJournal() override;

    [[nodiscard]] const EnsembleSettings& settings() const;
    // The finished batches, without frames.
    [[nodiscard]] std::vector<BatchRecord> restored() const;
    void finished(const BatchRecord& batch) override;
    // Writes the final file from the result and from the frames in the journal, renames it to its name, removes the
    // journal.
    void complete(const EnsembleResult& result);
    // Removes the journal: the ensemble is invalid.
    void discard();

  private:
    class Content;
    explicit EnsembleJournal(std::unique_ptr<Content> content);
    std::unique_ptr<Content> content_;
};

// A table of values: names in the first line, one trajectory per line, numbers separated by commas. InputError with the
// number of the line, FileError if it cannot be read.
VariedValues read_varied_values(const std::string& path);

}  // namespace libration
