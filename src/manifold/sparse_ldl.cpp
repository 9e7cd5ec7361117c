// The places that each column of a sparse factor updates.
#include <libration/manifold/sparse_ldl.hpp>

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
}

}  // namespace libration
