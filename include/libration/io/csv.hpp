// Trajectories as comma-separated text: t, coordinates, momenta, multipliers, energy, residuals, observables.
#pragma once

#include <libration/integrate/run.hpp>
#include <libration/model/model.hpp>

#include <cstdio>
#include <memory>

namespace libration {

// Writes beside the final name and renames in finish(), so that a file under the final name is always complete.
class CsvFile final : public Observer {
  public:
    // InputError if the file exists and `overwrite` is false; FileError if it cannot be written.
    CsvFile(const std::string& path, const Model& model, bool overwrite);
    ~CsvFile() override;
    CsvFile(const CsvFile&) = delete;
    CsvFile& operator=(const CsvFile&) = delete;

    void see(const Sample& sample) override;
    void finish();

  private:
    void write(const std::string& line);

    std::string path_, part_path_;
    std::FILE* file_ = nullptr;
    std::string line_;
};

}  // namespace libration
