// Sizes that cannot work are refused before anything of that size is allocated.
#pragma once

#include <libration/text/source.hpp>

#include <string>
#include <string_view>

namespace libration {

// Coordinates and rows are numbered in 32 bits.
constexpr double most_numbered = 4294967295.0;

// About what a run of a chain or tree takes, all tables included; a net takes more.
constexpr double bytes_a_coordinate = 500;
constexpr double bytes_an_instance = 100;
// Members of families of bodies and joints are read one by one. Measured as the growth of a run by a further member of
// the smallest kind: a planar body 6 kB, a revolute joint between planar bodies 9 kB; in space 15 kB and 17 kB, with
// long formulas more.
constexpr double bytes_a_body = 6000;
constexpr double bytes_a_joint = 9000;

// A size as the user's numbers make it, perhaps far too large for an integer.
struct AskedSize {
    double count = 0;
    double bytes_each = 0;
    std::string_view what;  // are counted: "coordinates"
};

// The limit in bytes that a file such as memory.max of a Linux control group sets: none, that is infinity, if it says
// "max" or cannot be read.
double memory_limit(const std::string& file);

// InputError at `place` if more are asked for than can be numbered or than the memory of this machine can hold. `whose`
// is the subject of the sentence.
void require_memory(const AskedSize& asked, std::string_view whose, const Place& place);

}  // namespace libration
