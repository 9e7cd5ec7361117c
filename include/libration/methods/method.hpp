// A method as its users see it: its name, its claims, its needs.
//
//     auto rattle = method("rattle");
//     rattle.claims(true).order;                  // on constrained systems
#pragma once

#include <libration/methods/spec.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace [[gnu::visibility("default")]] libration {

struct SystemProperties;  // of a model: system.hpp

// How well a constraint is satisfied: to round-off, or with an error of this order in h (0: not at all).
struct ResidualClaim {
    bool exact = true;
    int order = 0;
    friend bool operator==(const ResidualClaim&, const ResidualClaim&) = default;
};

inline constexpr int unclaimed = -1;

struct Claims {
    int order = 0;                      // of q
    int order_p = 0, order_lambda = 0;  // 0: does not converge, or no lambda; `unclaimed`: it depends on the problem
    bool diverges =
        false;  // a counterexample: nothing is claimed except that the energy and the hidden constraint are lost
    bool symmetric = false;          // Phi_-h Phi_h = id
    std::optional<bool> symplectic;  // nothing: no claim
    bool is_explicit = false;        // up to multipliers
    ResidualClaim position, hidden;
    bool energy_bounded = true;
    bool momentum_map = true;    // linear and angular momentum of a symmetric system are conserved to round-off
    std::optional<bool> volume;  // of divergence-free fields; nothing: no claim
};

struct Needs {
    bool separable = false;          // H = 1/2 p^T M^-1 p + U(q) with constant M
    bool unconstrained = false;      // refuses constraints
    bool constrained = false;        // refuses models without constraints
    bool hamiltonian = true;         // refuses fields without H
    bool partitioned = false;        // refuses fields in q alone
    unsigned parts = 0;              // of a split potential: one of these (see Part)
    bool blocks = false;             // of a divergence-free field
    bool dense_derivatives = false;  // second and third derivatives of a small system
    bool forces = false;             // inverse: accepts non-Hamiltonian forces, which all others refuse
    bool nonholonomic = false;       // likewise: accepts constraints on velocities
    bool fixed_constraints = false;  // refuses constraints that contain t
};

// What to do with methods whose own record expresses reservations: demonstrations accept them.
enum class Doubts { refuse, accept };

struct MethodRecord;  // for implementers of methods: method_record.hpp

// A method that was chosen, by name and parameters: what `method("rattle")` returns.
class Method {
  public:
    Method(const MethodRecord& record, MethodSpec spec, Doubts doubts = Doubts::refuse);
    [[nodiscard]] const MethodRecord& record() const { return *record_; }
    [[nodiscard]] const MethodSpec& spec() const { return spec_; }
    [[nodiscard]] std::string name() const { return to_string(spec_); }
    [[nodiscard]] Claims claims(bool constrained = false) const;
    // On a system of these properties.
    [[nodiscard]] Claims claims(const SystemProperties& properties, std::size_t constraints) const;
    [[nodiscard]] Needs needs() const;
    // Whether it runs on packs and on the tracer, on every system; on one of these properties.
    [[nodiscard]] bool lanes() const;
    [[nodiscard]] bool lanes(const SystemProperties& properties) const;
    // The reservation of its own record, unless doubts were accepted.
    [[nodiscard]] std::string doubt(bool constrained) const;
    // Nodes are available this many steps late.
    [[nodiscard]] int lag() const { return lag_; }
    // Whether it is a one-step map, from which others can be built.
    [[nodiscard]] bool is_map() const;

  private:
    const MethodRecord* record_;
    MethodSpec spec_;
    Doubts doubts_;
    int lag_;
};

// Throws an InputError for an unknown name (with a suggestion) or bad parameters.
Method method(std::string_view spec, Doubts doubts = Doubts::refuse);
Method method(MethodSpec spec, Doubts doubts = Doubts::refuse);
// All that there are, in the order of the list.
std::span<const MethodRecord* const> methods();

// What a method needs of a model: "separable H", "no constraints", ...
std::vector<std::string> need_names(const Needs& needs);
// Empty if the method can run a system of these properties; otherwise what is missing and which methods are suitable.
std::string unmet_needs(const Method& method, const SystemProperties& properties, std::size_t constraints);

}  // namespace libration
