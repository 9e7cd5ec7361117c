// Trajectories as comma-separated text: t, coordinates, momenta, velocities, multipliers, energy, residuals,
// observables. Lists of events: name and direction, then the same without observables.
#pragma once

#include <libration/integrate/run.hpp>
#include <libration/io/part_file.hpp>
#include <libration/model/model.hpp>

#include <memory>

namespace [[gnu::visibility("default")]] libration {

// Writes to a temporary name and renames in finish(), so that a file under the final name is always complete.
class CsvFile final : public Observer {
  public:
    // InputError if the file exists and `overwrite` is false; FileError if it cannot be written.
    CsvFile(const std::string& path, const Model& model, bool overwrite);
    void see(const Sample& sample) override;
    void finish() { file_.finish(); }

  private:
    PartFile file_;
    std::string line_;
};

// Likewise, one row per event: a Poincaré section is such a file.
class EventsFile final : public Observer {
  public:
    // `names`: of all events, in the order of their numbers.
    EventsFile(const std::string& path, const Model& model, std::vector<std::string> names, bool overwrite);
    void see(const Sample&) override {}
    void happen(std::size_t event, bool rising, const Sample& sample) override;
    void finish() { file_.finish(); }

  private:
    PartFile file_;
    std::vector<std::string> names_;
    std::string line_;
};

}  // namespace libration
