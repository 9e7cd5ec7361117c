// How `spark` treats each term of the equations of motion, component by component: which mix of the five Lobatto
// matrices. [Jay 1998, (17), section 7]
#pragma once

#include <libration/kit/treated_terms.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace libration {

// The mix of each component of a term, by its number in Treatment::mixes.
class ComponentMixes {
  public:
    ComponentMixes() = default;
    explicit ComponentMixes(std::uint32_t all) : all_(all) {}
    [[nodiscard]] std::uint32_t operator[](std::size_t k) const { return each_.empty() ? all_ : each_[k]; }
    // Whether all components have the same.
    [[nodiscard]] bool uniform() const { return each_.empty(); }
    // As many components as there can be different mixes: 1 where all have the same.
    [[nodiscard]] std::size_t different() const { return each_.empty() ? 1 : each_.size(); }
    void set_all(std::uint32_t mix) {
        all_ = mix;
        each_.clear();
    }
    void set(std::size_t k, std::uint32_t mix, std::size_t dimension);
    friend bool operator==(const ComponentMixes&, const ComponentMixes&) = default;

  private:
    std::uint32_t all_ = 0;
    std::vector<std::uint32_t> each_;  // empty: all the same
};

struct Treatment {
    std::vector<LobattoMix> mixes;  // each once; A and B come first
    ComponentMixes position, reaction;
    ComponentMixes motion;  // T_q of a kinetic energy; -H_q where H is given as a whole
    std::array<ComponentMixes, 3>
        potential;  // of the parts slow, fast, stiff; all three are the same where it is not split
    std::vector<ComponentMixes> forces;
    bool full_newton = false;
};

// A for positions, B for what H and reactions give, for forces by their class, unless the model says otherwise.
Treatment treatment(const TreatedTerms& terms);

}  // namespace libration
