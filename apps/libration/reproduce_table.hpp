// The table of `libration reproduce`, which grows as items finish, and the line below it that says which are under way.
#pragma once

#include "reproduce/reproduce.hpp"

#include <cstdio>
#include <string>
#include <vector>

namespace libration::app {

// Not thread-safe.
class ReproduceTable {
  public:
    // With `json`, standard output is not ours: all goes to standard error, and with `quiet` only failures.
    ReproduceTable(const std::vector<Recipe>& recipes, bool json, bool quiet);
    ~ReproduceTable();
    ReproduceTable(const ReproduceTable&) = delete;
    ReproduceTable& operator=(const ReproduceTable&) = delete;

    void heading();
    void begin(const std::string& id);
    void end(const ItemResult& item);
    void note(const std::string& text);
    // Which checks failed, and how many items of each verdict there are.
    void conclude(const std::vector<ItemResult>& items);

  private:
    void show_progress();
    void clear_progress();
    void print_failure(const ItemResult& item);

    std::FILE* stream_;
    bool rows_, progress_, shown_ = false;
    std::size_t total_, done_ = 0, id_width_ = 4, cell_width_ = 26;
    std::vector<std::string> running_;
};

}  // namespace libration::app
