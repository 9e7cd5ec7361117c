// The sections of a model file, written from a model.
#pragma once

#include "toml_text.hpp"

#include <libration/model/model.hpp>

#include <unordered_map>

namespace libration {

class ModelText {
  public:
    explicit ModelText(const Model& model);
    std::string write();

  private:
    using Entries = std::vector<std::pair<std::string, std::string>>;

    void share_formulas();
    // The formula with names for what it shares with others.
    [[nodiscard]] std::string shared(const Expression& value) const;
    // A table as a section of its own; nothing without entries.
    void section(const std::string& header, const Entries& entries);
    void write_tables();
    void write_parameters();
    void write_points();
    void write_bodies();  // model_text_body.cpp
    static void write_body_start(const BodyStart& start, Entries& facts);
    void write_joints();  // model_text_joints.cpp
    void write_angles();
    void write_definitions();
    void write_dynamics();  // model_text_dynamics.cpp, down to forces
    [[nodiscard]] std::size_t terms_in_dynamics() const;
    // Terms of the potential that have a text, all but those of gravity.
    [[nodiscard]] std::size_t written_terms() const;
    [[nodiscard]] std::size_t constraints_in_dynamics() const;
    void write_families();
    void write_field();
    void write_forces();
    void write_spark();
    void write_observables();
    void write_events();
    void write_initial();  // model_text_initial.cpp
    void write_initial_points(const PointGroup& group);
    void write_initial_body(const Body& body);
    void write_assembly();
    void write_run();

    // The masses of the plain coordinates, and of points.
    [[nodiscard]] const Mass& mass() const { return model_.variable_mass ? *model_.variable_mass : model_.mass; }
    [[nodiscard]] const Mass::Block& block_of(std::size_t coordinate) const;
    // One for all points of a group, or one per point; none: a formula of the number of the point.
    [[nodiscard]] std::vector<Expression> point_masses(const PointGroup& group) const;
    // What [dynamics] mass says of all coordinates at once.
    [[nodiscard]] std::optional<Expression> mass_of_all() const;

    const Model& model_;
    std::string text_;
    std::unordered_map<Expression, std::string> shared_;
    std::vector<std::pair<std::string, std::string>> definitions_;
};

// Rows that a joint brings.
bool belongs_to_joint(const Model& model, const Constraint& constraint);

// The keys of a block over these instances, `for` and its table, which must not be called as one of the keys `taken`.
std::vector<std::pair<std::string, std::string>> family_entries(const Instances& origin);

}  // namespace libration
