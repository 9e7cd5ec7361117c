// A text file that grows line by line beside its final name and is renamed when it is complete.
#pragma once

#include <cstdio>
#include <string>

namespace [[gnu::visibility("default")]] libration {

class PartFile {
  public:
    // InputError if the file exists and `overwrite` is false; FileError if it cannot be written.
    PartFile(const std::string& path, bool overwrite);
    ~PartFile();
    PartFile(const PartFile&) = delete;
    PartFile& operator=(const PartFile&) = delete;

    void write(const std::string& text);
    void finish();

  private:
    std::string path_, part_path_;
    std::FILE* file_ = nullptr;
};

}  // namespace libration
