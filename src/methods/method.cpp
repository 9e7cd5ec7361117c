// The handle of a method: what its record says of the parameters that were chosen.
#include <libration/kit/method_record.hpp>

namespace libration {

Method::Method(const MethodRecord& record, MethodSpec spec, Doubts doubts)
    : record_(&record), spec_(std::move(spec)), doubts_(doubts),
      lag_(record.lag_of != nullptr ? record.lag_of(spec_) : record.lag) {}

Claims Method::claims(bool constrained) const {
    return constrained && record_->constrained_claims != nullptr ? record_->constrained_claims(spec_)
                                                                 : record_->claims(spec_);
}

Claims Method::claims(const SystemProperties& properties, std::size_t constraints) const {
    return record_->claims_on != nullptr ? record_->claims_on(spec_, properties, constraints) : claims(constraints > 0);
}

Needs Method::needs() const { return record_->needs_of != nullptr ? record_->needs_of(spec_) : record_->needs; }

bool Method::lanes(const SystemProperties& properties) const {
    return record_->lanes_on != nullptr ? record_->lanes_on(spec_, properties) : lanes();
}

bool Method::lanes() const { return record_->lanes_of != nullptr ? record_->lanes_of(spec_) : record_->lanes; }

std::string Method::doubt(bool constrained) const {
    return record_->doubt != nullptr && doubts_ == Doubts::refuse ? record_->doubt(spec_, constrained) : "";
}

bool Method::is_map() const { return std::get<MapFactory<double>>(record_->maps) != nullptr; }

std::vector<std::string> need_names(const Needs& needs) {
    std::vector<std::string> names;
    const auto add = [&](bool needed, const char* what) {
        if (needed) {
            names.emplace_back(what);
        }
    };
    add(needs.separable, "separable H");
    add(needs.unconstrained, "no constraints");
    add(needs.constrained, "constraints");
    add(needs.hamiltonian, "H");
    add(needs.partitioned, "q and p");
    add(needs.parts != 0, "split potential");
    add(needs.blocks, "blocks of a divergence-free field");
    add(needs.dense_derivatives, "second and third derivatives");
    return names;
}

}  // namespace libration
