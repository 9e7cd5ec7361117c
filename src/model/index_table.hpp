// Tables of indices, such as the bonds of a molecule: tuples of integers, row after row.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace libration {

struct TupleTable {
    std::size_t width = 0;
    std::size_t rows = 0;  // counted, as tuples without elements are rows too
    std::vector<std::int64_t> values;

    [[nodiscard]] std::span<const std::int64_t> row(std::size_t k) const {
        return std::span(values).subspan(k * width, width);
    }
};

// A TOML text without the rows of its long tables: blanks take their place, so that all else stays where it is. A tree
// of TOML nodes takes some hundred bytes per number, a table eight.
struct CutText {
    std::string text;
    // By line and column of the opening bracket, from 1.
    std::map<std::pair<std::size_t, std::size_t>, std::shared_ptr<const TupleTable>> tables;
};

// Only tables under [parameters], [[energy]] and [[constraint]] are cut, where lists of lists have no other meaning,
// and only if they are free of faults: TOML itself finds the others.
CutText cut_index_tables(std::string_view text);

}  // namespace libration
