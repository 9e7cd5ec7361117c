// Tableaux of a SPARK method.
#include "spark_scheme.hpp"

#include "coefficients/tableau_conditions.hpp"
#include "stage_scheme.hpp"

#include <algorithm>

namespace libration {

namespace {

constexpr std::array<Family, lobatto_kinds> families{Family::lobatto_a, Family::lobatto_b, Family::lobatto_c,
                                                     Family::lobatto_cstar, Family::lobatto_d};

// The family that treats a term of this letter.
Family family_of(std::size_t letter, Direction direction) {
    const auto family = families[letter];
    if (direction == Direction::backward && family == Family::lobatto_c) {
        return Family::lobatto_cstar;
    }
    if (direction == Direction::backward && family == Family::lobatto_cstar) {
        return Family::lobatto_c;
    }
    return family;
}

Tableau mixed(const LobattoMix& mix, std::size_t stages, Direction direction) {
    auto result = tableau(Family::lobatto_a, stages);
    std::ranges::fill(result.A, Wide{0});
    for (std::size_t letter = 0; letter < lobatto_kinds; ++letter) {
        if (mix[letter] == 0) {
            continue;
        }
        const auto part = tableau(family_of(letter, direction), stages);
        for (std::size_t k = 0; k < result.A.size(); ++k) {
            result.A[k] += static_cast<Wide>(mix[letter]) * part.A[k];
        }
    }
    return result;
}

}  // namespace

SparkScheme spark_scheme(const Treatment& treatment, std::size_t stages, Direction direction) {
    SparkScheme scheme{tableau(Family::lobatto_a, stages), {}, lobatto_scheme(stages).inverse_coupling()};
    for (const auto& mix : treatment.mixes) {
        scheme.mixes.push_back(mixed(mix, stages, direction));
    }
    return scheme;
}

std::vector<std::size_t> momentum_mixes(const Treatment& treatment) {
    std::vector<const ComponentMixes*> terms{&treatment.motion, &treatment.reaction};
    for (const auto& part : treatment.potential) {
        terms.push_back(&part);
    }
    for (const auto& force : treatment.forces) {
        terms.push_back(&force);
    }
    std::vector<std::size_t> used;
    for (std::size_t mix = 0; mix < treatment.mixes.size(); ++mix) {
        const auto uses = [&](const ComponentMixes* term) {
            for (std::size_t k = 0; k < term->different(); ++k) {
                if ((*term)[k] == mix) {
                    return true;
                }
            }
            return false;
        };
        if (std::ranges::any_of(terms, uses)) {
            used.push_back(mix);
        }
    }
    return used;
}

bool last_multiplier_is_separate(const Treatment& treatment, const SparkScheme& scheme) {
    const std::size_t last = scheme.constraint.stages - 1;
    for (std::size_t k = 0; k < treatment.reaction.different(); ++k) {
        const auto& reaction = scheme.mixes[treatment.reaction[k]];
        for (std::size_t i = 0; i <= last; ++i) {
            if (reaction.a(i, last) != 0) {
                return false;
            }
        }
    }
    for (std::size_t k = 0; k < treatment.position.different(); ++k) {
        const auto& position = scheme.mixes[treatment.position[k]];
        for (std::size_t j = 0; j <= last; ++j) {
            if (wide_abs(position.a(last, j) - position.b[j]) > 100 * wide_epsilon) {
                return false;
            }
        }
    }
    return true;
}

bool is_the_pair(const Treatment& treatment) {
    const auto uses_a = [&](std::size_t mix) {
        return treatment.mixes[mix][static_cast<std::size_t>(Lobatto::a)] != 0;
    };
    return treatment.position == ComponentMixes(0) && std::ranges::none_of(momentum_mixes(treatment), uses_a);
}

bool keeps_symplectic_form(const SystemProperties& properties, std::size_t stages, bool constrained) {
    const auto treatment = libration::treatment(properties.terms);
    if (constrained && treatment.position != ComponentMixes(0)) {
        return false;
    }
    const auto scheme = spark_scheme(treatment, stages, Direction::forward);
    const std::size_t mixes = scheme.mixes.size();
    std::vector<signed char> known(mixes * mixes, -1);
    const auto conjugate = [&](std::uint32_t position, std::uint32_t momentum) {
        auto& answer = known[position * mixes + momentum];
        if (answer < 0) {
            const auto residual = symplecticity_residual(scheme.mixes[position], scheme.mixes[momentum]);
            answer = residual <= 1000 * wide_epsilon ? 1 : 0;
        }
        return answer == 1;
    };
    std::vector<const ComponentMixes*> terms;
    for (const auto& part : treatment.potential) {
        terms.push_back(&part);
    }
    for (const auto& force : treatment.forces) {
        terms.push_back(&force);
    }
    if (!properties.separable) {
        terms.push_back(&treatment.motion);
    }
    if (constrained) {
        terms.push_back(&treatment.reaction);
    }
    for (const auto* term : terms) {
        const std::size_t components = std::max(term->different(), treatment.position.different());
        for (std::size_t k = 0; k < components; ++k) {
            if (!conjugate(treatment.position[k], (*term)[k])) {
                return false;
            }
        }
    }
    return true;
}

bool declares_stiff_terms(const Treatment& treatment) {
    const auto is_stiff = [&](const ComponentMixes& term) {
        for (std::size_t k = 0; k < term.different(); ++k) {
            if (treatment.mixes[term[k]][static_cast<std::size_t>(Lobatto::c)] != 0) {
                return true;
            }
        }
        return false;
    };
    return is_stiff(treatment.motion) || std::ranges::any_of(treatment.potential, is_stiff) ||
           std::ranges::any_of(treatment.forces, is_stiff);
}

bool needs_newton(const SystemProperties& properties, const Treatment& treatment) {
    return treatment.full_newton || properties.reactions_in_forces || properties.nonholonomic > 0;
}

}  // namespace libration
