# cmake -DKIND=problems|recipes -DDIRECTORY=... -DOUTPUT=... -P write_texts.cmake
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

if(KIND STREQUAL "problems")
    set(header "\"model/embedded.hpp\"")
    set(type "EmbeddedProblem")
else()
    set(header "\"reproduce/recipe.hpp\"")
    set(type "EmbeddedRecipe")
endif()

file(GLOB texts "${DIRECTORY}/*.toml")
list(SORT texts)
list(LENGTH texts count)

set(entries "")
foreach(file IN LISTS texts)
    cmake_path(GET file STEM LAST_ONLY name)
    file(READ "${file}" text)
    string(FIND "${text}" ")~~~\"" clash)
    if(NOT clash EQUAL -1)
        message(FATAL_ERROR "${file} contains the mark that ends a literal, )~~~\"")
    endif()
    quoted("${text}" literal)
    string(APPEND entries "    {\"${name}\",\n        ${literal}},\n")
endforeach()

file(WRITE "${OUTPUT}" "// Written by cmake/write_texts.cmake from ${KIND}/*.toml.
#include ${header}

#include <array>
#include <span>

namespace libration {
namespace {

constexpr std::array<${type}, ${count}> ${KIND}{{
${entries}}};

}  // namespace

std::span<const ${type}> embedded_${KIND}() { return ${KIND}; }

}  // namespace libration
")
