// The places that each column of a sparse factor updates.
#include "sparse_ldl.hpp"

namespace libration {

SparseLdl::SparseLdl(Elimination elimination) : elimination_(std::move(elimination)) {
    const auto& [start, row] = elimination_;
    const PlaceFinder place(elimination_);
    target_.reserve(elimination_.updates());
    for (std::size_t k = 0; k < elimination_.columns(); ++k) {
        for (std::uint32_t i = start[k] + 1; i < start[k + 1]; ++i) {
            target_.push_back(start[place.position(row[i])]);
            for (std::uint32_t j = i + 1; j < start[k + 1]; ++j) {
                target_.push_back(place(row[i], row[j]));
            }
        }
    }
    find_parts();
}

void SparseLdl::find_parts() {
    // Shorter strands are not worth a change of loops.
    constexpr std::uint32_t least_links = 8;
    const auto& [start, row] = elimination_;
    const auto columns = static_cast<std::uint32_t>(elimination_.columns());
    // How many columns from k on have their only entry below the diagonal in the row of the column `strands` later.
    const auto links = [&](std::uint32_t k, std::uint32_t strands) {
        std::uint32_t c = k;
        while (c + strands < columns && start[c + 1] - start[c] == 2 && row[start[c] + 1] == row[start[c + strands]]) {
            ++c;
        }
        return (c - k) / strands * strands;
    };
    std::uint32_t target = 0;
    for (std::uint32_t k = 0; k < columns;) {
        Part part{k, k + 1, 0, target};
        for (const std::uint32_t strands : {1U, 2U, 4U}) {
            const auto count = links(k, strands);
            if (count >= least_links * strands && count > part.end - part.first) {
                part = {k, k + count, strands, target};
            }
        }
        for (; k < part.end; ++k) {
            const std::uint32_t below = start[k + 1] - start[k] - 1;
            target += below * (below + 1) / 2;
        }
        if (part.strands == 0 && !parts_.empty() && parts_.back().strands == 0) {
            parts_.back().end = part.end;
        } else {
            parts_.push_back(part);
        }
    }
}

}  // namespace libration
