// Families of bodies and joints from C++.
#include <libration/model/builder.hpp>

#include "bushing.hpp"
#include "couplings.hpp"
#include "draft.hpp"
#include "family_instances.hpp"
#include "family_names.hpp"
#include "joint_formulas.hpp"

#include <libration/text/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace libration {

namespace {

// Of one member: index symbols are numbers, and what only a scope knows is looked up.
class MemberFormulas {
  public:
    MemberFormulas(Draft& draft, const Instances& all, std::size_t k) : draft_(&draft) {
        draft.bind(all, k);
        for (std::size_t c = 0; c < all.names.size(); ++c) {
            indices_.push_back(symbol(all.names[c]));
            values_.push_back(ratio(all.columns[c][k], 1));
        }
    }
    ~MemberFormulas() { draft_->unbind(); }
    MemberFormulas(const MemberFormulas&) = delete;
    MemberFormulas& operator=(const MemberFormulas&) = delete;

    void settle(std::string& name) const {
        auto scope = draft_->scope({});
        name = with_numbers(name, scope, {}, "a name");
    }
    void settle(Expression& e) const {
        auto scope = draft_->scope({.time = true});
        e = substitute(draft_->resolved(e, scope), indices_, values_);
    }
    template <class T>
    void settle(std::optional<T>& value) const {
        if (value) {
            settle(*value);
        }
    }
    template <class T>
    void settle(std::vector<T>& values) const {
        std::ranges::for_each(values, [&](T& value) { settle(value); });
    }
    template <class T, std::size_t n>
    void settle(std::array<T, n>& values) const {
        std::ranges::for_each(values, [&](T& value) { settle(value); });
    }
    void settle(BodyPoint& point) const { settle(point.at); }
    void settle(BodyMark& mark) const {
        settle(mark.at);
        settle(mark.axis);
        settle(mark.x);
    }
    void settle(BodyStart& start) const {
        for (auto* list : {&start.Q, &start.quaternion, &start.omega, &start.r, &start.v, &start.position,
                           &start.velocity, &start.orientation.values}) {
            settle(*list);
        }
        settle(start.angle);
    }

  private:
    Draft* draft_;
    std::vector<Expression> indices_, values_;
};

void require_index(const std::string& name, const char* what) {
    if (!indexed_name(name)) {
        throw InputError(fmt::format("the {} of a family have an index in their name, such as \"{}[i]\"", what, name));
    }
}

}  // namespace

std::vector<BodySymbols> ModelBuilder::bodies(const BodyProperties& given, const Over& over) {
    require_index(given.name, "bodies");
    const auto all = instances_over(*draft_, over);
    std::vector<BodySymbols> members;
    for (std::size_t k = 0; k < all->count; ++k) {
        const MemberFormulas formulas(*draft_, *all, k);
        auto one = given;
        formulas.settle(one.name);
        formulas.settle(one.inertia);
        formulas.settle(one.mass);
        formulas.settle(one.com);
        formulas.settle(one.points);
        formulas.settle(one.frames);
        formulas.settle(one.start);
        members.push_back(body(one));
    }
    return members;
}

ModelBuilder& ModelBuilder::bushings(const BushingProperties& given, const Over& over) {
    const auto all = instances_over(*draft_, over);
    Bushing family;
    for (std::size_t k = 0; k < all->count; ++k) {
        const MemberFormulas formulas(*draft_, *all, k);
        auto one = given;
        one.name = member_name(given.name, *all, k);
        formulas.settle(one.between);
        formulas.settle(one.at);
        for (auto* numbers : {&one.stiffness, &one.rotational_stiffness, &one.damping, &one.rotational_damping}) {
            formulas.settle(*numbers);
        }
        const auto made = make_bushing(*draft_, one);
        if (made.energy) {
            potential(*made.energy);
        }
        family.dampers.insert(family.dampers.end(), made.dampers.begin(), made.dampers.end());
    }
    add_bushing_dampers(*draft_, given, family);
    return *this;
}

std::vector<JointSymbols> ModelBuilder::joints(const JointProperties& given, const Over& over) {
    require_index(given.name, "joints");
    const auto all = instances_over(*draft_, over);
    std::vector<JointSymbols> members;
    for (std::size_t k = 0; k < all->count; ++k) {
        const MemberFormulas formulas(*draft_, *all, k);
        auto one = given;
        formulas.settle(one.name);
        if (!is_coupling(one)) {
            formulas.settle(one.between);
        }
        formulas.settle(one.at);
        formulas.settle(one.axes);
        formulas.settle(one.on);
        formulas.settle(one.length);
        formulas.settle(one.zero);
        formulas.settle(one.motion);
        formulas.settle(one.factor);
        formulas.settle(one.offset);
        if (is_coupling(one)) {
            formulas.settle(one.of);
        }
        members.push_back(joint(one));
    }
    return members;
}

}  // namespace libration
