// A method is one record: what it is called, what it claims, what it needs, how it is made. The command line, the docs and
// the conformance suite all read it.
#pragma once

#include <libration/expression/scalars.hpp>
#include <libration/methods/spec.hpp>
#include <libration/methods/stepper.hpp>

#include <memory>
#include <optional>
#include <tuple>

namespace libration {

// How well a residual is kept: at round-off, or with an error of this order in h (0: it is not kept).
struct ResidualClaim {
    bool exact = true;
    int order = 0;
    friend bool operator==(const ResidualClaim&, const ResidualClaim&) = default;
};

struct Claims {
    int order = 0;  // of q, and of p and lambda unless stated
    int order_p = 0, order_lambda = 0;
    bool symmetric = false;          // Phi_-h Phi_h = id
    std::optional<bool> symplectic;  // nothing: no claim
    bool is_explicit = false;        // up to multipliers
    ResidualClaim position, hidden;
    bool energy_bounded = true;
    bool momentum_map = true;    // linear and angular momentum of a symmetric system are kept at round-off
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
};

template <class S>
using Factory = std::unique_ptr<Stepper<S>> (*)(System<S>&, const MethodSpec&);

#define LIBRATION_FACTORY(scalar) Factory<scalar>
using Factories = std::tuple<LIBRATION_SCALARS(LIBRATION_FACTORY)>;
#undef LIBRATION_FACTORY

// For methods without parameters.
void check_no_parameters(const MethodSpec& spec);

struct MethodRecord {
    std::string_view name;
    std::string_view parameters;  // as shown to users, e.g. "(s)"; empty for methods without
    std::string_view summary;
    std::string_view reference;  // a key of docs/references.bib
    Needs needs;
    int lag = 0;        // nodes are ready this many steps late
    bool lanes = true;  // runs on packs and on the tracer
    Claims (*claims)(const MethodSpec&) = nullptr;
    // Throws an InputError if the parameters make no sense.
    void (*check)(const MethodSpec&) = check_no_parameters;
    Factories factories;
    std::span<const std::string_view> more_examples;  // for families: specifications that the conformance suite runs
};

// The specifications that stand for a method in tables and in the conformance suite: its name, or those of its family.
std::vector<std::string> examples(const MethodRecord& record);

// The factories of a family whose stepper is constructed from the system alone.
template <template <class> class Family>
constexpr Factories factories_of() {
#define LIBRATION_MAKE(scalar)                                                          \
    [](System<scalar>& system, const MethodSpec&) -> std::unique_ptr<Stepper<scalar>> { \
        return std::make_unique<Family<scalar>>(system);                                \
    }
    return {LIBRATION_SCALARS(LIBRATION_MAKE)};
#undef LIBRATION_MAKE
}

// A specification together with its record: what `method("rattle")` returns.
class Method {
  public:
    Method(const MethodRecord& record, MethodSpec spec) : record_(&record), spec_(std::move(spec)) {}
    [[nodiscard]] const MethodRecord& record() const { return *record_; }
    [[nodiscard]] const MethodSpec& spec() const { return spec_; }
    [[nodiscard]] std::string name() const { return to_string(spec_); }
    [[nodiscard]] Claims claims() const { return record_->claims(spec_); }
    template <class S>
    [[nodiscard]] std::unique_ptr<Stepper<S>> make(System<S>& system) const {
        return std::get<Factory<S>>(record_->factories)(system, spec_);
    }

  private:
    const MethodRecord* record_;
    MethodSpec spec_;
};

// Throws an InputError for an unknown name (with a suggestion) or bad parameters.
Method method(std::string_view spec);
std::span<const MethodRecord* const> methods();

// Empty if the method can run a system of these properties; otherwise what is missing and which methods would do.
std::string unmet_needs(const Method& method, const SystemProperties& properties, std::size_t constraints);

}  // namespace libration
