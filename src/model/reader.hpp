// From the tree of a TOML text to a draft, section by section.
#pragma once

#include "bushing.hpp"
#include "document.hpp"
#include "draft.hpp"
#include "loads.hpp"
#include "request/run_fields.hpp"

namespace libration {

class ModelReader {
  public:
    using Overrides = std::vector<std::pair<std::string, std::string>>;
    ModelReader(const Document& document, const Overrides& overrides, const std::string& default_name);
    Model read(std::shared_ptr<const ExternalFunctions> external = {});

  private:
    // [tables]: reader_tables.cpp.
    void read_tables();
    void read_parameters();
    void read_parameter(const std::string& name, const Document& value);
    void read_coordinates();
    void read_points();
    [[nodiscard]] std::vector<Mass::Block> point_masses(const PointGroup& group, const Document& mass);
    void read_bodies();  // reader_body.cpp
    void read_body(const Document& block, const std::string& name);
    // Of [[body]] and [[joint]], reader_families.cpp: calls `read` with the name of each member, over the range of
    // `for`, while all scopes know the indices; once without `for`.
    void for_each_member(const Document& block, const char* where, const std::vector<std::string>& keys, bool joints,
                         const std::function<void(const std::string& name)>& read);
    // "link[i-1].tip" with its number; other texts as they are.
    [[nodiscard]] std::string numbered(const Document& text, const std::string& what);
    void read_inertia(const Document& block, BodyProperties& given, const std::string& where);
    std::array<Expression, 3> place_in_body(const Document& value, bool planar, const std::string& where);
    void read_body_places(const Document& block, BodyProperties& given, const std::string& where);
    void read_body_start(const Document& block, BodyProperties& given, const std::string& where);
    // reader_body_start.cpp
    std::vector<Expression> angular_velocity_of(const Document& block, bool planar, const std::string& where);
    std::vector<Expression> matrix_of(const Document& value, const std::string& where);
    Orientation read_orientation(const Document& value, const std::string& where);
    // All of them, before joints and initial values of the rest are read.
    void read_body_starts();
    void place_body_starts();
    // [[joint]]: reader_joints.cpp.
    void read_joints();
    void read_snap();
    void read_joint(const Document& block, const std::string& name);
    void read_coupling(const Document& block, const std::string& name);
    // The joints whose angles something in the document contains: reader_angles.cpp.
    void find_used_angles();
    void note_used_angle(std::string_view joint);
    static void refuse_joint_key(const Document& block);
    static void refuse_key_of_another_type(const Document& block);
    std::optional<bool> is_in_plane(const JointProperties& given);
    void read_joint_axes(const Document& block, const Document& type, JointProperties& given);
    std::array<Expression, 3> vector_in_space(const Document& value, Scope& scope, const std::string& what);
    // One vector, or a list of vectors.
    [[nodiscard]] std::vector<std::array<Expression, 3>> vectors_in_space(const Document& value, Scope& scope,
                                                                          const std::string& what);
    void read_angles();  // reader_angles.cpp
    void read_definitions();
    // Overrides: reader_overrides.cpp. Those of [set] hold where none are given from outside.
    static Overrides with_set(const Document& document, const Overrides& given);
    [[nodiscard]] bool is_parameter(const std::string& name) const;
    void check_overrides() const;
    void override_initial_values();
    void read_mass();
    void read_whole_energies();
    void read_potential();
    // Gravity, [[spring]], [[damper]], loads under [[forces]]: reader_loads.cpp.
    void read_gravity();
    void read_springs();
    void read_dampers();
    void read_spring(const Document& block, const std::shared_ptr<const Instances>& all, ModelScope& scope);
    // [[bushing]]: reader_bushings.cpp.
    BushingProperties bushing_of(const Document& block, const std::string& name);
    Bushing read_bushing(const Document& block, const BushingProperties& given);
    void read_bushings();
    void read_bushing_dampers();
    void add_load(Force& force, const Document& block, const Instances& all);
    void add_vector_load(EffortSum& sum, const Document& given, ModelScope& scope, const std::string& where,
                         bool is_torque);
    [[nodiscard]] std::array<std::array<Expression, 3>, 2> load_ends(const Document& block, Scope& scope,
                                                                     const std::string& where);
    void refuse_body_as_point(const Document& value, const std::string& what) const;
    [[nodiscard]] const Document* joint_of_load(const Document& block, const std::string& where) const;
    [[nodiscard]] static const Document& load_key(const Document& block, const std::string& key,
                                                  const std::string& where);
    void for_each_instance(Visible visible, const Instances& all, const std::function<void(ModelScope&)>& use);
    [[nodiscard]] static Part part_of(const Document& value);
    void read_field();
    // One equation per coordinate, from the table q or v of [field].
    std::vector<WholeExpression> field_equations(const Document& section, const std::string& key, Visible visible);
    void read_constraints();
    void read_redundant();
    void read_reaction_length();
    // One row, or one per component of a vector. `family`: over the instances of a `for`.
    void add_rows(const Document& value, const std::shared_ptr<const Instances>& all, const std::string& name,
                  std::string_view what, bool family);
    // The same for a family that contains bodies or joints: row by row.
    void add_rows_of_members(const Document& value, const Instances& all, const std::string& name,
                             std::string_view what);
    // Rows of a list, known by their numbers.
    void add_numbered_rows(const Document& value);
    void read_nonholonomic();  // nonholonomic.cpp
    // [[forces]] and [spark]: reader_forces.cpp.
    void read_forces();
    static bool require_one_load(const Document& block);
    void add_force_components(Force& force, const std::string& key, const Document& value,
                              const std::shared_ptr<const Instances>& all);
    // Those that the key of a force names: x, r[i].x, or all components of r[i].
    [[nodiscard]] std::vector<std::size_t> force_coordinates(const std::string& key, const Place& place,
                                                             ModelScope& scope, const std::string& what) const;
    void read_spark();
    void read_spark_term(const std::string& term, const Document& value);
    [[nodiscard]] LobattoWeights lobatto_weights(const Document& value, const std::string& where);
    [[nodiscard]] bool is_mix(const Document& table) const;
    void read_initial();
    [[nodiscard]] bool lists_all(const Document& section) const;
    void read_initial_list(const Document& section, const std::string& key, InitialValue::Kind kind);
    void read_initial_points(const PointGroup& group, const Document& block);
    void read_initial_body(const Body& body, const Document& block);
    void read_initial_planar(const Body& body, const Document& block);
    // `wanted` formulas, or nothing without the key.
    std::vector<Expression> constants(const Document& block, const std::string& key, std::size_t wanted,
                                      const std::string& where);
    void read_observables();
    void read_events();
    void read_assembly();  // reader_assembly.cpp
    void read_held(const Document& value, AssemblyChoices& choices);
    void read_run();
    void read_run_key(const RequestField<RunRequest>& field, const Document& value, RunRequest& run);

    static Expression formula(const Document& value, Scope& scope, std::string_view what) {
        return formula_of(value, scope, what);
    }
    [[nodiscard]] double number(const Document& value, std::string_view what);
    [[nodiscard]] const Document& require(const Document& table, const std::string& key, Document::Kind kind,
                                          std::string_view where) const;
    // A text, or an expression where the document has no text.
    [[nodiscard]] const Document& require_formula(const Document& table, const std::string& key,
                                                  std::string_view where) const;
    // The instances of a block's `for`, or one instance without it. `keys`: what the block may have besides.
    std::shared_ptr<const Instances> instances(const Document& block, std::string_view what,
                                               std::vector<std::string> keys);
    [[nodiscard]] static std::shared_ptr<const TupleTable> index_table(const Document& list);

    const Document& document_;
    // How an override was given, for messages: by the caller, or under [set].
    [[nodiscard]] std::string given_override(const std::string& name, const std::string& value) const;
    Overrides overrides_;
    std::optional<bool> plane_;  // of the vectors that are read; nothing: in the plane or in space
    Draft draft_;
    IndexTables tables_;
    // Joints whose angles are used: their names, and those of families of which all members count.
    std::set<std::string, std::less<>> used_angles_, used_angle_families_;
    // Of each block the force of its dampers, and these.
    std::vector<std::pair<BushingProperties, Bushing>> bushings_;
    // Of each group of points; none: they have the mass of `[dynamics]`.
    std::vector<std::vector<Mass::Block>> point_masses_;
};

}  // namespace libration
