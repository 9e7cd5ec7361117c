// Models from C++, without text:
//
//     ModelBuilder builder("pendulum");
//     auto q = builder.coordinates({"x", "y"});
//     builder.mass(1).potential(q[1]).constraint(q[0]*q[0] + q[1]*q[1] - 1).initial_position({1, 0});
//     Model model = builder.build();
//
// Your own functions need not know about expressions: `equations` calls a struct with templated members once,
//
//     struct Pendulum {
//         template <class S> S potential(std::span<const S> q) const { return q[1]; }
//         template <class S> std::vector<S> constraint(std::span<const S> q) const { return {q[0]*q[0] + q[1]*q[1] - 1}; }
//     };
//
// and the resulting graph has exact derivatives, as if it had been read from a file. Members kinetic(q, v) and
// hamiltonian(q, p) are taken likewise.
#pragma once

#include <libration/model/family.hpp>
#include <libration/model/force.hpp>
#include <libration/model/model.hpp>

namespace [[gnu::visibility("default")]] libration {

class Draft;

class ModelBuilder {
  public:
    explicit ModelBuilder(std::string name);
    ~ModelBuilder();
    ModelBuilder(const ModelBuilder&) = delete;
    ModelBuilder& operator=(const ModelBuilder&) = delete;

    // Description and source, for readers.
    ModelBuilder& describe(std::string description, std::string source = {});
    // Returns the symbol to be used in expressions.
    Expression parameter(const std::string& name, const Expression& value);
    // One value per index, used as NAME[i]: a list, or a formula in the symbol i.
    ListSymbols parameters(const std::string& name, const std::vector<Expression>& values);
    ListSymbols parameter_of_index(const std::string& name, const Expression& formula_in_i);
    // A function given by values; interp(table, x) uses it.
    Table table(const std::string& name, const std::vector<Expression>& x, const std::vector<Expression>& y,
                Table::Kind kind = Table::Kind::linear);
    std::vector<Expression> coordinates(const std::vector<std::string>& names);
    // Points, after the plain coordinates and before bodies.
    PointSymbols points(const PointProperties& given);
    // A formula with a name, which formulas that are read later may use: those of `--event`, for example.
    Expression definition(const std::string& name, const Expression& value);
    // The components of a vector.
    std::vector<Expression> definition(const std::string& name, const std::vector<Expression>& value);
    // An angle that counts turns, given by its sine and cosine over coordinates, t and parameters: the formula of it,
    // which later formulas may use by its name, too, and the angle's rate as v_NAME. At the start it is the one nearest
    // to `start`.
    Expression angle(const std::string& name, const Expression& sine, const Expression& cosine,
                     const Expression& start = 0);
    // A rigid body, after all other coordinates; masses below are for plain coordinates and points. Returns its
    // symbols.
    BodySymbols body(const BodyProperties& given);
    // One body per index: the name is "link[i]", formulas may contain the symbol i. Returned are the symbols of all.
    std::vector<BodySymbols> bodies(const BodyProperties& given, const Over& over);
    // A joint, between bodies that have their initial_body where the joint needs it. Its rows come after all
    // constraints.
    JointSymbols joint(const JointProperties& given);
    // One joint per index: the name is "hinge[i]", between "link[i-1].tip" and "link[i]", for example.
    std::vector<JointSymbols> joints(const JointProperties& given, const Over& over);
    // An acceleration of two or three components, for all points and bodies.
    ModelBuilder& gravity(const std::vector<Expression>& acceleration);
    ModelBuilder& spring(const SpringProperties& given);
    ModelBuilder& damper(const DamperProperties& given);
    ModelBuilder& bushing(const BushingProperties& given);
    // Over indices, which all values and the names in `between` may contain; their dampers are one force.
    ModelBuilder& bushings(const BushingProperties& given, const Over& over);
    ModelBuilder& load(const LoadProperties& given);
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
    // A family of terms, one per instance; terms without a part are slow where others have one.
    ModelBuilder& potential(const Expression& energy, const Over& over);
    ModelBuilder& potential(const Expression& energy, const Over& over, Part part);
    ModelBuilder& constraint(const Expression& vanishing);
    ModelBuilder& constraint(const std::string& name, const Expression& vanishing);
    // A family of rows, NAME[i].
    ModelBuilder& constraint(const std::string& name, const Expression& vanishing, const Over& over);
    // A vector that vanishes: the rows NAME.x, NAME.y, ..., or NAME[i].x, ...; their multipliers are lambda_NAME.x, ...
    ModelBuilder& constraint(const std::string& name, const PointVector& vanishing);
    ModelBuilder& constraint(const std::string& name, const PointVector& vanishing, const Over& over);
    // Functions that cannot be traced, besides all of these (external.hpp); call it before multipliers().
    ModelBuilder& external(ExternalFunctions functions);
    // k(t, q, v) = 0 with the reaction -k_v^T lambda.
    ModelBuilder& nonholonomic(const Expression& vanishing);
    ModelBuilder& nonholonomic(const std::string& name, const Expression& vanishing);
    // The symbols of the multipliers of all rows, nonholonomic ones last; call it after the last constraint.
    [[nodiscard]] std::vector<Expression> multipliers();
    // A non-Hamiltonian force, over coordinates, velocities, multipliers, t and parameters.
    ModelBuilder& force(const ForceProperties& given);
    // How `spark` treats a term (see TreatmentChoice), in one component or in all; the weights are of A, B, C, C*, D.
    ModelBuilder& spark(const std::string& term, const LobattoWeights& weights);
    ModelBuilder& spark(const std::string& term, const LobattoWeights& weights, const CoordinateKey& coordinate);
    ModelBuilder& spark(const std::string& term, Lobatto only);
    ModelBuilder& spark(const std::string& term, Lobatto only, const CoordinateKey& coordinate);
    // A new matrix in every Newton iteration of `spark`.
    ModelBuilder& full_newton();
    ModelBuilder& observable(const std::string& name, const Expression& value);
    ModelBuilder& invariant(const std::string& name, const Expression& value);
    // Occurs where its value, over coordinates, momenta, velocities, multipliers, t and parameters, crosses
    // zero.
    ModelBuilder& event(Event event);
    // The initial values are a rough pose: a run starts where the constraints hold, and these formulas of coordinates
    // keep their values. `branch`: which of the ways to close, from 1.
    ModelBuilder& assemble(const std::vector<Expression>& hold = {}, std::size_t branch = 1);
    // Orientation, angular velocity, and the center of a free body.
    ModelBuilder& initial_body(const std::string& name, const BodyStart& start);
    // Points over one range of their numbers.
    ModelBuilder& initial_points(const std::string& name, const Over& over, const PointStart& start);
    // The default run of the model: method, step, and duration or steps.
    ModelBuilder& run(const RunRequest& request);
    // Of all coordinates; or of the plain ones, where points have their initial_points and bodies their initial_body.
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

    // Checks everything and returns the model; the builder is empty afterwards.
    Model build();

  private:
    [[nodiscard]] std::vector<Expression> coordinate_symbols() const;
    ModelBuilder& initial(InitialValue::Kind kind, const std::vector<Expression>& values, const char* what);

    std::unique_ptr<Draft> draft_;
};

}  // namespace libration
