// Models from C++, without text:
//
//     ModelBuilder builder("pendulum");
//     auto q = builder.coordinates({"x", "y"});
//     builder.mass(1).potential(q[1]).constraint(q[0]*q[0] + q[1]*q[1] - 1).initial_position({1, 0});
//     Model model = builder.build();
//
// Functions of your own need not know expressions: `equations` calls a struct with templated members once,
//
//     struct Pendulum {
//         template <class S> S potential(std::span<const S> q) const { return q[1]; }
//         template <class S> std::vector<S> constraint(std::span<const S> q) const { return {q[0]*q[0] + q[1]*q[1] - 1}; }
//     };
//
// and the graph that comes out has exact derivatives, as if it had been read from a file. Members kinetic(q, v) and
// hamiltonian(q, p) are taken likewise.
#pragma once

#include <libration/model/model.hpp>

namespace [[gnu::visibility("default")]] libration {

class Draft;

class ModelBuilder {
  public:
    explicit ModelBuilder(std::string name);
    ~ModelBuilder();
    ModelBuilder(const ModelBuilder&) = delete;
    ModelBuilder& operator=(const ModelBuilder&) = delete;

    // Returns the symbol to be used in expressions.
    Expression parameter(const std::string& name, const Expression& value);
    std::vector<Expression> coordinates(const std::vector<std::string>& names);
    // A rigid body, after all plain coordinates; masses below are for these only. Returns its symbols.
    BodySymbols body(const BodyProperties& given);
    ModelBuilder& mass(const Expression& every);
    ModelBuilder& mass(const std::vector<Expression>& one_each);
    ModelBuilder& mass_matrix(const std::vector<std::vector<Expression>>& rows);
    // The time t; masses, energies, constraints, forces and observables may contain it.
    [[nodiscard]] Expression time() const;
    // The symbols of momenta p_NAME and velocities v_NAME, for what follows.
    [[nodiscard]] std::vector<Expression> momenta() const;
    [[nodiscard]] std::vector<Expression> velocities() const;
    // T(q, v), quadratic in v, instead of masses. Masses may contain coordinates, too.
    ModelBuilder& kinetic(const Expression& energy);
    // H(q, p) instead of masses and potential.
    ModelBuilder& hamiltonian(const Expression& energy);
    // Equations without H: q' = q(q); or q' = q(q, v), v' = v(q, v).
    ModelBuilder& field(const std::vector<Expression>& q, const std::vector<Expression>& v = {});
    // Numbers of the coordinates of a field that move together.
    ModelBuilder& blocks(const std::vector<std::vector<std::uint32_t>>& numbers);
    ModelBuilder& potential(const Expression& energy);
    // A part of a split potential.
    ModelBuilder& potential(const Expression& energy, Part part);
    ModelBuilder& constraint(const Expression& vanishing);
    ModelBuilder& constraint(const std::string& name, const Expression& vanishing);
    // Functions that cannot be traced, besides all of these (external.hpp); call it before multipliers().
    ModelBuilder& external(ExternalFunctions functions);
    // k(t, q, v) = 0 with the reaction -k_v^T lambda.
    ModelBuilder& nonholonomic(const Expression& vanishing);
    ModelBuilder& nonholonomic(const std::string& name, const Expression& vanishing);
    // The symbols of the multipliers of all rows, nonholonomic ones last; call it after the last constraint.
    [[nodiscard]] std::vector<Expression> multipliers();
    // A force beside the energy, over coordinates, velocities, multipliers, t and parameters.
    ModelBuilder& force(const ForceProperties& given);
    // How `spark` treats a term (see TreatmentChoice), in one component or in all; the weights are of A, B, C, C*, D.
    ModelBuilder& spark(const std::string& term, const LobattoWeights& weights);
    ModelBuilder& spark(const std::string& term, const LobattoWeights& weights, const CoordinateKey& coordinate);
    ModelBuilder& spark(const std::string& term, Lobatto only);
    ModelBuilder& spark(const std::string& term, Lobatto only, const CoordinateKey& coordinate);
    // A new matrix in every pass of Newton's method of `spark`.
    ModelBuilder& full_newton();
    ModelBuilder& observable(const std::string& name, const Expression& value);
    ModelBuilder& invariant(const std::string& name, const Expression& value);
    // Happens where its value, over coordinates, momenta, velocities, multipliers, t and parameters, passes through zero.
    ModelBuilder& event(Event event);
    // Orientation, angular velocity, and the centre of a free body.
    ModelBuilder& initial_body(const std::string& name, const BodyStart& start);
    // Of all coordinates; or of those before the bodies, which then have an initial_body each.
    ModelBuilder& initial_position(const std::vector<Expression>& q);
    ModelBuilder& initial_momentum(const std::vector<Expression>& p);
    ModelBuilder& initial_velocity(const std::vector<Expression>& v);

    template <class User>
    ModelBuilder& equations(const User& user) {
        const auto q = coordinate_symbols();
        const std::span<const Expression> view(q);
        if constexpr (requires { user.potential(view); }) {
            potential(user.potential(view));
        }
        if constexpr (requires { user.kinetic(view, view); }) {
            kinetic(user.kinetic(view, std::span<const Expression>(velocities())));
        }
        if constexpr (requires { user.hamiltonian(view, view); }) {
            hamiltonian(user.hamiltonian(view, std::span<const Expression>(momenta())));
        }
        if constexpr (requires { user.constraint(view); }) {
            for (const auto& g : user.constraint(view)) {
                constraint(g);
            }
        }
        return *this;
    }

    // Checks everything and hands the model over; the builder is empty afterwards.
    Model build();

  private:
    [[nodiscard]] std::vector<Expression> coordinate_symbols() const;
    ModelBuilder& initial(InitialValue::Kind kind, const std::vector<Expression>& values, const char* what);

    std::unique_ptr<Draft> draft_;
};

}  // namespace libration
