// The single path by which every model is built, from text or from C++: parts are added to a draft, `finish` checks the
// whole.
#pragma once

#include "joint_alignment.hpp"
#include "scope.hpp"

namespace libration {

// Letters, digits and _, no digit in front.
bool is_plain_name(std::string_view name);
// Constraints have such names: lambda_NAME is the multiplier.
void require_plain_row_name(std::string_view name, const Place& place);

class Draft {
  public:
    explicit Draft(std::string name) { model_.name = std::move(name); }

    [[nodiscard]] Model& model() { return model_; }
    [[nodiscard]] const Model& model() const { return model_; }
    // Parameters as doubles; parameters are complete from the first call on.
    [[nodiscard]] const NumberMap& numbers();
    void add_table(Table table, const Place& place);
    void add_parameter(Parameter parameter);
    // A number of the model was made of this expression: see Parameter::read_as_number.
    void note_number(const Expression& expression);
    void add_coordinate(const std::string& name, const Place& place);
    void add_event(Event event);
    // Keeps the name; its formula is read later.
    void add_definition(const std::string& name, const Place& place);
    void set_definitions(Definitions definitions) { definitions_ = std::move(definitions); }
    void add_points(PointGroup group, const Place& place);
    // Of all points of a group; the kernel may contain the number i of the point.
    [[nodiscard]] static Mass::Block point_mass(const PointGroup& group, const Expression& kernel,
                                                const ModelScope& scope, const Place& place);
    // Masses that are known before all coordinates are: of each group of points, none standing for the mass of all.
    void add_point_masses(std::vector<Mass::Block> masses) { point_masses_.push_back(std::move(masses)); }
    void set_mass_of_all(Expression mass);
    // Puts them into the model, once.
    void place_masses();
    // One component, over a range of points; `value` lacks the numbers of the coordinates.
    void start_points(const PointGroup& group, std::size_t component, InitialValue value, const Place& place);
    void add_known_definition(const std::string& name, std::vector<Expression> value);
    // The angle atan2(sine, cosine) without its jumps, over coordinates, t and parameters; at the start the branch
    // nearest to `start`, a formula of parameters. Returns its formula. The angle and its rate are the definitions
    // `name` and v_`name`, and the angle is an observable.
    Expression add_winding(const std::string& name, const Expression& sine, const Expression& cosine,
                           const Expression& start, const Place& place);
    // The names that the model text gives to angles.
    void require_free_angle(const std::string& name, const Place& place) const;
    // Bodies come after all other coordinates.
    void add_body(const BodyProperties& given);
    // The rows Q^T Q = 1 of the bodies that have none yet; `finish` sees to it, unless somebody wants to name them
    // before.
    void add_rigid_rows();
    // Takes the place of a value that the model gives, or stands beside those that it does not give.
    void override_initial(InitialValue value) { overriding_.push_back(std::move(value)); }
    // Keeps where the body starts, checked.
    void settle_start(const Body& body, const BodyStart& start);
    // Makes the initial values of it.
    void place_start(const Body& body);
    // Both.
    void start_body(const Body& body, const BodyStart& start);
    // A joint between bodies that are known, with their starts where it needs these: joint_draft.cpp.
    const Joint& add_joint(JointProperties given);
    // Joints that are added from now on are aligned with earlier ones where they miss each other by less.
    void set_snap(Expression most, const Place& place);
    [[nodiscard]] JointAlignment& alignment() { return alignment_; }
    // The rows of the joints that have none yet, after all other constraints.
    void add_joint_rows();
    void add_member_rows(std::size_t from);
    // Their nonholonomic rows, after those of the user, and their numbers once all holonomic rows are known:
    // joint_rolling.cpp.
    void add_rolling_rows();
    void number_rolling_rows();
    [[nodiscard]] std::size_t members_alike(std::size_t k) const;
    void set_gravity(std::vector<Expression> vector, const Place& place);
    void add_constraint(Constraint constraint);
    // Functions that cannot be traced; null: none. Their rows are the last ones: no constraint can be added after them.
    void set_external(std::shared_ptr<const ExternalFunctions> external);
    void add_external_rows();
    // The number of the coordinate of that name; otherwise an InputError at `place` that suggests one.
    [[nodiscard]] std::size_t coordinate(const std::string& name, const Place& place) const;
    // Observables are columns beside coordinates, time and energy.
    void require_free_column(const std::string& name, const Place& place) const;
    [[nodiscard]] ModelScope scope(Visible visible, std::vector<std::string> indices = {});
    // In all scopes from now on the indices have the values of instance k.
    void bind(const Instances& all, std::size_t k);
    void unbind() { bound_.clear(); }
    // A family that may stay without members; its name is link, of link[i].
    void add_empty_family(const std::string& name, std::size_t indices, const Place& place, bool joints);
    // With what only a scope knows, such as r[i - 1].x, k[3] and sums, looked up in it; names are left as they are.
    [[nodiscard]] Expression resolved(const Expression& kernel, ModelScope& scope) const;
    // The same for an expression over the whole state.
    [[nodiscard]] Expression resolved(const Expression& kernel);
    [[nodiscard]] double number(const Expression& constant, const std::string& what, const Place& place);
    // Refuses what is not made of parameters.
    void require_constant(const Expression& given, const std::string& what, const Place& place) const;
    // One expression without a range.
    [[nodiscard]] Term single_term(const Expression& given, const Place& place);
    [[nodiscard]] Formula single_formula(const Expression& kernel) const { return {kernel, 1, {}}; }

    // Checks names, sizes, masses and initial values; throws an InputError that says what to fix.
    Model finish();

  private:
    void require_free(const std::string& name, const Place& place) const;
    // The same for a body or a joint, which may be a member of a family: family_draft.cpp.
    void require_free_member(const std::string& name, const Place& place, bool joints) const;
    void note_member(const std::string& name, bool joints);
    void order_parameters();
    void keep_used_numbers();
    void mark_read_parameters();
    void finish_bodies();
    void add_gravity();
    void require_no_gravity(std::size_t from, const std::string& what);
    double positive_number(const Expression& value, const std::string& what, const Place& place);
    // Parts of add_body and settle_start.
    void settle_body_inertia(Body& body, const BodyProperties& given);
    void settle_body_places(Body& body, const BodyProperties& given);
    void require_frame_axes(const BodyMark& frame, const std::string& body);
    void require_start_sizes(const Body& body, const BodyStart& start) const;
    void require_start_orientation(const Body& body, const BodyStart& start);

    Model model_;
    std::vector<Mass::Block> body_masses_;
    std::vector<std::vector<Mass::Block>> point_masses_;
    std::optional<Expression> mass_of_all_;
    std::vector<InitialValue> overriding_;
    std::vector<std::pair<std::string, std::int64_t>> bound_;  // indices and their values
    Definitions definitions_;
    std::size_t bodies_with_rows_ = 0, joints_with_rows_ = 0, joints_that_roll_ = 0;
    JointAlignment alignment_;
    std::optional<NumberMap> numbers_;
    struct Values;  // of the parameters
    const Values& values();
    double evaluated(const Expression& constant);
    std::shared_ptr<const Values> values_;
    std::set<std::string, std::less<>> used_numbers_;
    std::shared_ptr<const ExternalFunctions> external_;  // the model has them once their rows are added
};

// What depends on the values of parameters and initial values, of a model that was finished before: throws as `finish`
// does.
void check_values(Model& model);
// Whether the initial orientations of all bodies are rotations.
void check_orientations(const Model& model, std::span<const double> q);
// Whether functions that cannot be traced fit the rest of the model.
void check_external(const Model& model);

}  // namespace libration
