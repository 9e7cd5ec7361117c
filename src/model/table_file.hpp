// Tables in files of two columns.
#pragma once

#include <libration/expression/expression.hpp>
#include <libration/text/source.hpp>

#include <string>
#include <vector>

namespace libration {

struct TableFile {
    std::vector<Expression> x, y;
    std::vector<Place> places;  // of the rows
};

// Two numbers a line, with a comma, a semicolon or blanks between them; a first line without numbers is a header, empty
// lines and lines that begin with # do not count. Throws an InputError, at `place` where the file cannot be read, at
// the line of the file otherwise.
TableFile read_table_file(const std::string& path, const Place& place);

}  // namespace libration
