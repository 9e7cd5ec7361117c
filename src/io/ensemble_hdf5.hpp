// The HDF5 file of a complete ensemble.
#pragma once

#include "io/hdf5_handle.hpp"

#include <libration/io/ensemble_file.hpp>

namespace libration {

class EnsembleHdf5 {
  public:
    EnsembleHdf5(const std::string& path, const EnsembleSettings& settings, const EnsembleResult& result);
    void write_frames(const BatchRecord& batch);
    // FileError if not all could be written.
    void close();

  private:
    void write_attributes(const EnsembleSettings& settings, const EnsembleResult& result);
    void write_trajectories(const EnsembleResult& result);
    void write_failures(const EnsembleResult& result);
    void write_statistics(const EnsembleResult& result);
    void create_frames(const EnsembleSettings& settings, const EnsembleResult& result);

    using Shape = std::vector<hsize_t>;
    hdf5::Handle create(const std::string& name, hid_t type, const Shape& shape);
    void write(const std::string& name, const Shape& shape, const std::vector<double>& values);
    void write(const std::string& name, const std::vector<std::int64_t>& values);
    void write(const std::string& name, const std::vector<std::string>& texts);

    hdf5::Silence silence_;
    std::string path_;
    hdf5::Handle links_, file_, frames_q_, frames_p_;
    std::size_t dimension_ = 0, frames_ = 0;
};

}  // namespace libration
