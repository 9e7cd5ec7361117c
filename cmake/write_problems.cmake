# cmake -DDIRECTORY=... -DOUTPUT=... -P write_problems.cmake
# Writes OUTPUT, a C++ source with the text of every DIRECTORY/*.toml, sorted by name.

cmake_minimum_required(VERSION 3.25)

# Compilers need accept no more than 65,536 characters in a literal, and some stop at 16 kB: longer texts are written
# in pieces of whole lines, which the compiler joins.
set(piece_size 12000)

function(quoted text variable)
    set(result "")
    string(LENGTH "${text}" length)
    while(length GREATER piece_size)
        string(SUBSTRING "${text}" 0 ${piece_size} piece)
        string(FIND "${piece}" "\n" cut REVERSE)
        if(cut LESS 0)
            message(FATAL_ERROR "a line of more than ${piece_size} bytes")
        endif()
        math(EXPR cut "${cut} + 1")
        string(SUBSTRING "${text}" 0 ${cut} piece)
        string(SUBSTRING "${text}" ${cut} -1 text)
        string(APPEND result "R\"~~~(${piece})~~~\"\n        ")
        string(LENGTH "${text}" length)
    endwhile()
    string(APPEND result "R\"~~~(${text})~~~\"")
    set(${variable} "${result}" PARENT_SCOPE)
endfunction()

file(GLOB problems "${DIRECTORY}/*.toml")
list(SORT problems)
list(LENGTH problems count)

set(entries "")
foreach(problem IN LISTS problems)
    cmake_path(GET problem STEM LAST_ONLY name)
    file(READ "${problem}" text)
    string(FIND "${text}" ")~~~\"" clash)
    if(NOT clash EQUAL -1)
        message(FATAL_ERROR "${problem} contains the mark that ends a literal, )~~~\"")
    endif()
    quoted("${text}" literal)
    string(APPEND entries "    {\"${name}\",\n        ${literal}},\n")
endforeach()

file(WRITE "${OUTPUT}" "// Written by cmake/write_problems.cmake from problems/*.toml.
#include <libration/model/embedded.hpp>

#include <array>
#include <span>

namespace libration {
namespace {

constexpr std::array<EmbeddedProblem, ${count}> problems{{
${entries}}};

}  // namespace

std::span<const EmbeddedProblem> embedded_problems() { return problems; }

}  // namespace libration
")
