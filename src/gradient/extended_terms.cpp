// From terms over parameters to terms over coordinates.
#include "extended_terms.hpp"

#include "model/augmented.hpp"

#include <algorithm>

namespace libration {

namespace {

// Families whose instances change in different ways are taken apart: not into more than this.
constexpr std::size_t most_pieces = 2000;

// The coordinate of an element may be in so many rows: those of neighbors are coupled anyway.
constexpr std::uint8_t most_shared_rows = 4;

IndexColumn part_of(const IndexColumn& all, std::size_t first, std::size_t count) {
    if (first == 0 && count == all.size()) {
        return all;
    }
    IndexColumn part;
    part.expect(count);
    for (std::size_t k = first; k < first + count; ++k) {
        part.push_back(all[k]);
    }
    return part;
}

bool same(const IndexColumn& a, const IndexColumn& b) {
    if (a.size() != b.size()) {
        return false;
    }
    const std::size_t enough = a.is_range() && b.is_range() ? std::min<std::size_t>(2, a.size()) : a.size();
    for (std::size_t k = 0; k < enough; ++k) {
        if (a[k] != b[k]) {
            return false;
        }
    }
    return true;
}

bool has_sums(const Formula& formula) {
    return std::ranges::any_of(formula.parameters, [](const InstanceParameter& parameter) {
        return parameter.kind == InstanceParameter::Kind::sum;
    });
}

}  // namespace

// Consecutive instances that change in the same way.
class FamilyPiece {
  public:
    FamilyPiece(ExtendedTerms& terms, const Term& term, std::size_t first, std::size_t count)
        : terms_(&terms), term_(&term), first_(first), part_(term),
          from_(terms.shift_->symbols().begin(), terms.shift_->symbols().end()),
          to_(terms.shift_->by().begin(), terms.shift_->by().end()) {
        part_.formula.instances = count;
        part_.slots = term.slots;
        if (count == term.formula.instances) {
            return;
        }
        part_.origin = nullptr;
        for (auto& parameter : part_.formula.parameters) {
            parameter.integers = part_of(parameter.integers, first, count);
        }
    }

    Term made(bool apart) {
        const auto own = part_.formula.parameters;  // scales add more
        for (const auto& parameter : own) {
            replace(parameter.symbol, changed(parameter));
        }
        std::vector<Expression> scaled;
        for (std::size_t s = 0; s < term_->slots.size(); ++s) {
            scaled.push_back(term_->slots[s] * scale(s));
        }
        for (std::size_t s = 0; s < scaled.size(); ++s) {
            replace(term_->slots[s], scaled[s]);
        }
        part_.formula.kernel = substitute(part_.formula.kernel, from_, to_);
        add_slots(apart);
        return std::move(part_);
    }

  private:
    using Kind = InstanceParameter::Kind;

    void replace(const Expression& symbol, const Expression& by) {
        from_.push_back(symbol);
        to_.push_back(by);
    }

    // What an instance parameter becomes.
    Expression changed(const InstanceParameter& parameter) {
        if (parameter.kind != Kind::element || !terms_->theta_->has_list(parameter.list)) {
            return parameter.symbol;
        }
        for (const auto& slot : elements_) {
            if (slot.list == parameter.list && same(slot.elements, parameter.integers)) {
                return parameter.symbol + (slot.symbol - 1);
            }
        }
        elements_.push_back({parameter.list, parameter.integers, fresh_symbol("theta")});
        return parameter.symbol + (elements_.back().symbol - 1);
    }

    // sqrt(m/m(theta)) of the coordinates of a slot.
    Expression scale(std::size_t slot) {
        const auto kind = terms_->kind(*term_, first_, slot);
        if (kind == MassScales::unscaled) {
            return 1;
        }
        const auto& mass = terms_->scales_->mass(kind);
        std::vector<Expression> symbols, values;
        auto from = std::vector(terms_->shift_->symbols().begin(), terms_->shift_->symbols().end());
        auto to = std::vector(terms_->shift_->by().begin(), terms_->shift_->by().end());
        for (const auto& parameter : mass.parameters) {
            const auto copy = instance_parameter(parameter, slot);
            symbols.push_back(parameter.symbol);
            values.push_back(copy.symbol);
            from.push_back(parameter.symbol);
            to.push_back(changed(copy));
        }
        return sqrt(substitute(mass.kernel, symbols, values) / substitute(mass.kernel, from, to));
    }

    // A parameter of the mass, as one of this family.
    InstanceParameter instance_parameter(const InstanceParameter& of_mass, std::size_t slot) {
        InstanceParameter copy{{}, of_mass.kind, {}, of_mass.list, nullptr};
        const std::size_t width = term_->slots.size();
        for (std::size_t k = first_; k < first_ + part_.formula.instances; ++k) {
            copy.integers.push_back(of_mass.integers[terms_->scales_->instance(term_->indices[k * width + slot])]);
        }
        for (const auto& known : part_.formula.parameters) {
            if (known.kind == copy.kind && known.list == copy.list && same(known.integers, copy.integers)) {
                return known;
            }
        }
        copy.symbol = fresh_symbol("mass");
        part_.formula.parameters.push_back(copy);
        return copy;
    }

    void add_slots(bool apart) {
        const auto used = symbols_of(std::array{part_.formula.kernel});
        std::vector<std::size_t> numbers;
        for (const auto& s : used) {
            if (const auto number = terms_->theta_->number_of(s)) {
                part_.slots.push_back(s);
                numbers.push_back(*number);
            }
        }
        std::erase_if(elements_, [&](const auto& slot) { return std::ranges::find(used, slot.symbol) == used.end(); });
        for (const auto& slot : elements_) {
            part_.slots.push_back(slot.symbol);
        }
        const std::size_t width = term_->slots.size();
        part_.indices.clear();
        part_.indices.reserve(part_.formula.instances * part_.slots.size());
        for (std::size_t k = 0; k < part_.formula.instances; ++k) {
            const auto begin = term_->indices.begin() + static_cast<std::ptrdiff_t>((first_ + k) * width);
            part_.indices.insert(part_.indices.end(), begin, begin + static_cast<std::ptrdiff_t>(width));
            for (const auto number : numbers) {
                part_.indices.push_back(terms_->own_coordinate(number, apart, false));
            }
            for (const auto& [list, elements, unused] : elements_) {
                part_.indices.push_back(
                    terms_->own_coordinate(terms_->theta_->of_element(list, elements[k]), apart, true));
            }
        }
    }

    ExtendedTerms* terms_;
    const Term* term_;
    std::size_t first_;
    Term part_;
    std::vector<Expression> from_, to_;
    std::vector<ExtendedTerms::ElementSlot> elements_;
};

std::uint32_t ExtendedTerms::own_coordinate(std::size_t coordinate, bool apart, bool of_element) {
    if (apart) {
        rows_.resize(theta_->count(), 0);
        if (of_element && rows_[coordinate] < most_shared_rows) {
            ++rows_[coordinate];
        } else {
            coordinate = theta_->add_twin(coordinate);
        }
    }
    return static_cast<std::uint32_t>(model_->dimension + coordinate);
}

std::uint32_t ExtendedTerms::kind(const Term& term, std::size_t instance, std::size_t slot) const {
    return scales_ == nullptr ? MassScales::unscaled : scales_->kind(term.indices[instance * term.slots.size() + slot]);
}

bool ExtendedTerms::same_kinds(const Term& term, std::size_t a, std::size_t b) const {
    for (std::size_t s = 0; s < term.slots.size(); ++s) {
        if (kind(term, a, s) != kind(term, b, s)) {
            return false;
        }
    }
    return true;
}

bool ExtendedTerms::is_single(const Term& term, bool several) const {
    if (shift_->affects_singly(term.formula) || (several && has_sums(term.formula))) {
        return true;
    }
    for (std::size_t k = 0; k < term.formula.instances; ++k) {
        for (std::size_t s = 0; s < term.slots.size(); ++s) {
            if (scales_ != nullptr && scales_->singly(kind(term, k, s))) {
                return true;
            }
        }
    }
    return false;
}

Term ExtendedTerms::single(const Term& term, std::size_t instance) {
    Term part = term;
    part.formula = {shift_->instance(term.formula, instance), 1, {}};
    part.origin = nullptr;
    std::vector<Expression> scaled;
    const std::size_t width = term.slots.size();
    for (std::size_t s = 0; s < width; ++s) {
        const auto of = kind(term, instance, s);
        const std::size_t coordinate = term.indices[instance * width + s];
        scaled.push_back(of == MassScales::unscaled
                             ? term.slots[s]
                             : term.slots[s] *
                                   sqrt(instance_of(*model_, scales_->mass(of), scales_->instance(coordinate)) /
                                        shift_->instance(scales_->mass(of), scales_->instance(coordinate))));
    }
    part.formula.kernel = substitute(part.formula.kernel, term.slots, scaled);
    const auto begin = term.indices.begin() + static_cast<std::ptrdiff_t>(instance * width);
    part.indices.assign(begin, begin + static_cast<std::ptrdiff_t>(width));
    return part;
}

std::optional<std::vector<Term>> ExtendedTerms::pieces(const Term& term, bool apart) {
    const std::size_t count = term.formula.instances;
    std::vector<std::size_t> starts;
    for (std::size_t k = 0; k < count; ++k) {
        if (starts.empty() || !same_kinds(term, k, starts.back())) {
            starts.push_back(k);
        }
    }
    const bool singly = is_single(term, starts.size() > 1);
    if ((singly ? count : starts.size()) > most_pieces) {
        return std::nullopt;
    }
    std::vector<Term> all;
    for (std::size_t k = 0; k < (singly ? count : starts.size()); ++k) {
        if (!singly) {
            const std::size_t end = k + 1 < starts.size() ? starts[k + 1] : count;
            all.push_back(FamilyPiece(*this, term, starts[k], end - starts[k]).made(apart));
            continue;
        }
        auto part = single(term, k);
        for (const auto& s : symbols_of(std::array{part.formula.kernel})) {
            if (const auto number = theta_->number_of(s)) {
                part.slots.push_back(s);
                part.indices.push_back(own_coordinate(*number, apart, false));
            }
        }
        all.push_back(std::move(part));
    }
    return all;
}

}  // namespace libration
