// A model: the user's input with names resolved, as data. Immutable once built; independent of scalars and methods.
//
//     auto model = Model::load("triple-pendulum");                      // built in
//     auto model = Model::load("my/model.toml", {{"n", "10"}});         // a file, with parameter n replaced
//
// C++ users build one from expressions with ModelBuilder (builder.hpp), which the text reader uses, too.
#pragma once

#include <libration/expression/table.hpp>
#include <libration/model/body.hpp>
#include <libration/model/event.hpp>
#include <libration/model/external.hpp>
#include <libration/model/force.hpp>
#include <libration/model/formula.hpp>
#include <libration/request/run_request.hpp>
#include <libration/text/source.hpp>

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

namespace [[gnu::visibility("default")]] libration {

class ProgramStore;  // compiled programs, shared by models that differ only in values
struct CarriedRows;  // of redundant constraints, those that are kept

// One small expression over local coordinates, and the table that says which coordinates they are in each instance.
struct Term {
    Formula formula;
    std::vector<Expression> slots;            // the local coordinates among the kernel's symbols
    std::vector<std::uint32_t> indices;       // [instance][slot]: number of the coordinate
    std::shared_ptr<const Instances> origin;  // index values, for names in messages
    Place place;
    bool uses_time = false;  // t is a symbol of the kernel
    // Its instances were read one by one and have one kernel because they are alike: no text has this kernel.
    bool grouped = false;
    unsigned part = 0;  // of a split potential: the Part to which it belongs; 0: not split
};

struct Constraint {
    Term term;
    std::string name;       // of the row, or of the family of rows
    bool family = false;    // one row per instance: name[i]
    bool numbered = false;  // from a list: known as g1, g2, ... and lambda_1, lambda_2, ...
    std::size_t first_row = 0;
    std::vector<std::string> row_names = {};  // of rows of several joints: one per instance, instead of `name`
};

// 0 = k(t, q, v), with the reaction -k_v^T lambda. [Jay 1998, section 6.1]
struct Nonholonomic {
    std::string name;       // k1, k2, ... where they are a list
    bool numbered = false;  // from a list: the numbering of multipliers continues after the constraints
    WholeExpression equation;
    bool of_joint = false;  // a row of a joint, whose name it has: contact.slip[1]
};

struct PointGroup {
    std::string name;
    std::size_t count = 0;
    std::size_t dimension = 0;
    std::size_t first = 0;        // coordinate number of point 0, component x
    std::string counted_by = {};  // the formula of the count in parameters; empty: it was a number
};

struct Parameter {
    std::string name;
    std::vector<Expression> values;  // in terms of parameters that come earlier in the model
    bool list = false;
    std::optional<Expression> function_of_index;  // a formula in i, used as name[i]
    Place place;
    // A number was derived from it when the model was read: sizes, connectivity, values of [run]. With another value
    // the model is re-read.
    bool read_as_number = false;
};

// M, constant: one value per coordinate, or a symmetric matrix in rows.
struct Mass {
    struct Block {
        Formula value;
        std::size_t repeat = 1;  // consecutive coordinates that each instance covers
        Place place;
    };
    std::vector<Block> diagonal;
    std::vector<Expression> matrix;  // empty, or dimension x dimension
    Place place;
};

// The same acceleration for all points and bodies, in the potential.
struct Gravity {
    std::vector<Expression> vector;  // two or three components
    std::size_t terms = 0;           // of the potential, the last ones
    Place place;
};

// Equations without H: q' = q(t, q), or q' = q(t, q, v), v' = v(t, q, v). The p of a state then holds v.
struct Field {
    std::vector<WholeExpression> q;                  // one per coordinate
    std::vector<WholeExpression> v;                  // likewise, over v_ too; empty: a field in q alone
    std::vector<std::vector<std::uint32_t>> blocks;  // coordinates that move together, for methods that split by blocks
    Place place;
};

struct InitialValue {
    enum class Kind { position, momentum, velocity };
    Kind kind = Kind::position;
    Formula value;
    std::vector<std::uint32_t> coordinates;        // one per instance
    std::shared_ptr<const Instances> origin = {};  // of a range of points
};

// Bodies or joints with one name and different indices: link[1], link[2], ...
struct MemberFamily {
    bool joints = false;
    std::size_t indices = 1;  // of a name: 2 of cell[1,2]
    std::size_t members = 0;
    std::string first, last;  // members, in the order of the model
};

// A formula that others may use by its name. Those that did contain its nodes: it is kept for later formulas.
struct Definition {
    std::string name;
    std::vector<Expression> value;  // several: the components of a vector
};

// An angle that counts turns: atan2(sine, cosine), on the branch nearest to `reference`, which is a number of the
// state: the angle at the last node, at first `start`. The observable of its name records it.
struct Winding {
    std::string name;
    Expression sine, cosine;  // over q, t and parameters
    Expression start;         // over parameters
    Expression reference;     // a symbol that no text can contain
    Expression angle, rate;   // over these; the rate over v_, too
    Place place;
};

// A number that must not be negative, over parameters.
struct NonnegativeNumber {
    std::string name;  // for messages: "the stiffness of the bushing 'mount'"
    Expression value;
    Place place;
};

struct Observable {
    std::string name;
    Expression value;  // over q, p_, v_, lambda_, t and parameters
    bool invariant = false;
};

// The start is a rough pose: a run begins where the constraints hold.
struct AssemblyChoices {
    struct Held {
        std::string name;  // for messages
        Expression value;  // over q and parameters; the search keeps its value at the rough pose
        Place place;
    };
    std::vector<Held> hold;
    std::size_t branch = 1;                 // which of the ways to close, from 1; they are sorted by how far they are
    std::optional<Expression> snap = {};    // joints whose axes miss each other by less were aligned
    std::vector<std::string> aligned = {};  // what that changed, for users
    Place place;
};

struct Model {
    // Defined in the library, so that programs using models need not compile their internals.
    Model();
    Model(const Model&);
    Model(Model&&) noexcept;
    Model& operator=(const Model&);
    Model& operator=(Model&&) noexcept;
    ~Model();

    // A built-in name, or a file if it ends in ".toml" or contains '/'. `overrides` replace parameters and initial
    // values (x, p_x, v_x) by constant expressions. Throws InputError (bad model, unknown name) or FileError
    // (unreadable).
    static Model load(const std::string& name_or_path,
                      const std::vector<std::pair<std::string, std::string>>& overrides = {});
    // `external`: functions that act in addition to the text.
    static Model parse(const std::string& text, const std::string& source_name,
                       const std::vector<std::pair<std::string, std::string>>& overrides = {},
                       std::shared_ptr<const ExternalFunctions> external = {});
    // The same model with other values of parameters and initial values, as if they had been given along with its
    // overrides: the same model, bitwise identical results, the same errors. Only the values are parsed, and programs
    // are shared with this model, unless a number was derived from a parameter (read_as_number): then its text is
    // re-read.
    [[nodiscard]] Model with(const std::vector<std::pair<std::string, std::string>>& values) const;

    std::string name, description, source;
    std::vector<Table> tables;          // functions given by values, for interp
    std::vector<Parameter> parameters;  // each after those that it uses
    std::vector<std::string> plain_coordinates;
    std::unordered_map<std::string, std::size_t> plain_numbers;  // the inverse
    std::vector<PointGroup> points;
    std::vector<Body> bodies;  // their coordinates are the last ones
    std::vector<Joint> joints;
    std::unordered_map<std::string, std::size_t> body_numbers, joint_numbers;  // the inverse
    std::map<std::string, MemberFamily, std::less<>> families;                 // of bodies and joints: link of link[3]
    std::size_t dimension = 0;
    // H is one of three: 1/2 p^T M^-1 p + U(q) with constant M, T(q, v) + U(q), or a whole expression. Or there is
    // none, but a field.
    Mass mass;
    std::optional<Mass> variable_mass;           // the source of `kinetic`, where a mass contains coordinates or t
    std::vector<Term> potential;                 // U
    std::optional<Gravity> gravity;              // as given; U contains it
    std::optional<WholeExpression> kinetic;      // T(t, q, v), quadratic in v, M not constant; mass is empty then
    std::optional<WholeExpression> hamiltonian;  // H(t, q, p); mass and potential are empty then
    std::optional<Field> field;                  // all of these are empty then
    std::vector<Force> forces;                   // beside H
    std::vector<NonnegativeNumber> nonnegative;  // what bushings are made of
    TreatmentChoices treatment;                  // of individual terms; most models rely on the classes of their forces
    std::vector<Constraint> constraints;
    std::size_t constraint_rows = 0;                    // those of external functions, which come last, among them
    std::shared_ptr<const ExternalFunctions> external;  // null: all can be traced
    std::vector<Nonholonomic> nonholonomic;
    // Where constraints are redundant, an independent set of their rows is carried ([dynamics] redundant); otherwise it
    // is an error. A model with a set of rows knows the model with all of them; null: this has all.
    bool carry_redundant = true;
    std::optional<Expression> reaction_length;  // weighs forces against torques where reactions are not unique
    std::shared_ptr<const CarriedRows> carried;
    // M has no inverse at the initial values: the augmented system is solved instead. [Jay 1998, (13)]
    bool singular_mass = false;
    std::vector<Definition> definitions;
    std::vector<Event> events;
    std::vector<Winding> windings;
    std::vector<Observable> observables;  // those of the windings first
    std::vector<InitialValue> initial;
    std::size_t replaced_initial = 0;         // the last ones, which overrides put in the place of others
    std::optional<AssemblyChoices> assembly;  // nothing: initial values that violate constraints are refused
    RunRequest run;                           // what [run] says
    std::vector<std::pair<std::string, std::string>> run_formulas;  // keys of it that were formulas of parameters
    std::string text;       // what it was read from, without overrides; empty: it was built
    std::string text_name;  // under which the user knows the text, for messages
    std::vector<std::pair<std::string, std::string>> overrides;
    std::shared_ptr<ProgramStore> programs;  // of this model and those that differ in values; null: none are kept

    // This model, or the one of whose redundant rows it carries some: names and numbers of rows for users.
    [[nodiscard]] const Model& with_all_rows() const;
    // For files, from which the model can be rebuilt, with `overrides`: empty if no text can represent it completely.
    [[nodiscard]] std::string saved_text() const;
    [[nodiscard]] std::string coordinate_name(std::size_t k) const;
    // The symbols of all coordinates in whole expressions; of the momenta with prefix p_, of the velocities with v_.
    [[nodiscard]] std::vector<Expression> coordinate_symbols(std::string_view prefix = {}) const;
    [[nodiscard]] std::size_t external_rows() const { return external ? external->rows() : 0; }
    // Holonomic constraints first, then nonholonomic ones; so are the rows in all that follows.
    [[nodiscard]] std::size_t multipliers() const { return constraint_rows + nonholonomic.size(); }
    // The symbols of the multipliers, in the order of the rows.
    [[nodiscard]] std::vector<Expression> multiplier_symbols() const;
    // The inverse of coordinate_name; nothing if there is no such coordinate.
    [[nodiscard]] std::optional<std::size_t> coordinate_number(const std::string& name) const;
    // A formula over q, p_, v_, lambda_, t and parameters, as observables are. `what` names it in messages.
    [[nodiscard]] Expression formula(const std::string& text, const std::string& what) const;
    // For messages: g1, rod1, rod[3], bond[0,4] in row 2 of bonds.
    [[nodiscard]] std::string constraint_name(std::size_t row) const;
    [[nodiscard]] std::string multiplier_name(std::size_t row) const;  // lambda_1, lambda_rod1, lambda_rod[3]
};

// A place where the matrix M(q) of a kinetic energy is not positive definite.
struct IndefiniteMass {
    std::size_t row;    // the first that shows it
    std::string where;  // "at t = 0.42"
    std::vector<double> q;
};
// A message that names the place by the coordinates on which M depends.
std::string indefinite_mass(const Model& model, const IndefiniteMass& seen);

struct ProblemFact {
    std::string name;
    std::size_t dimension, constraints;
    std::string source, description;
};
// The built-in catalogue, sorted by name.
std::vector<ProblemFact> problems();

}  // namespace libration
