// From the description of a joint to its places, rows, coordinates and wrenches, without what needs other parts of the
// model: a part of joint_draft.cpp, joint_keys.cpp, joint_frames.cpp, joint_slender.cpp and joint_rolling.cpp.
#pragma once

#include "draft.hpp"
#include "joint_places.hpp"
#include "joint_types.hpp"

namespace libration {

class JointMaker {
  public:
    JointMaker(Draft& draft, const JointProperties& given);
    Joint made();

  private:
    [[nodiscard]] const JointProperties& given() const { return joint_.given; }
    [[nodiscard]] bool is_planar_end(std::size_t k) const {
        return ends_[k].body != nullptr && is_planar(*ends_[k].body);
    }
    // Whether the description names a point of the body, or a frame.
    [[nodiscard]] bool has_point(std::size_t k) const { return ends_[k].point.has_value(); }
    [[nodiscard]] bool has_axis(std::size_t k) const { return ends_[k].axis.has_value(); }
    void require_two_bodies() const;
    void require_planar() const;
    [[noreturn]] void superfluous(const Place& place, std::string_view key, const std::string& why) const;
    void check_keys() const;
    void check_rolling_keys() const;
    // Where something of the bodies themselves is missing, it comes from the world at the start.
    const BodyFrame& start(std::size_t k);
    void place_points();
    void place_directions();
    void place_first_direction();
    [[nodiscard]] bool has_directions(std::size_t k) const {
        return type_->directions != JointType::Directions::none &&
               (k == 0 || type_->directions != JointType::Directions::of_first);
    }
    // The directions at the start of a side that has none of its own.
    JointFrame world_frame(std::size_t k);
    // Where axes nearly coincide with those of earlier joints (joint_snap.cpp).
    void align();
    void align_axis(std::size_t k);
    void align_point();
    // Of a round body on a plane: joint_rolling.cpp.
    void place_rolling();
    void require_round_body() const;
    [[nodiscard]] bool is_wheel() const;
    void place_plane();
    void place_round_body();
    void add_contact(const JointPose& pose);
    // Of a universal joint: each axis measures the other one from where it starts.
    void cross_references();
    [[nodiscard]] JointFrame in_world(std::size_t k) const;
    [[nodiscard]] bool is_bare_rod(std::size_t k) const;
    // Nothing determines the rotation of a slender body about its axis: only points on the axis have a place. Whether
    // the point lies there is checked when numbers are known.
    Vector3 on_slender_axis(std::size_t k, const Vector3& local);
    // A slender body takes the direction across its axis from the first joint that fixes one.
    void lend();
    void lend_direction(std::size_t k, const Vector3& local, const Vector3& world);
    // u.w = cosine, where u turns with the slender body on side k, and w with the other one.
    static JointRow rod_row(const char* name, const Vector3& u, const Vector3& w, const Expression& cosine,
                            std::size_t k);
    // What the rows of a slender body stand for.
    [[nodiscard]] static bool is_about_directions(const std::string& row);
    JointPose pose_of_now();
    Expression first_turn();
    void add_coordinates(const JointPose& pose);
    [[nodiscard]] std::vector<JointCoordinateFormula> coordinate_formulas(const JointPose& pose) const;
    // With the row of the motion, which has no sine and no cosine to offer between planar bodies and along an axis, or
    // of the pitch.
    std::vector<JointRowFormula> formulas(const JointPose& pose) const;
    void add_rows(const JointPose& pose);
    // Where an angle that counts turns starts: at `zero` by definition, or with the motion to which the bodies are
    // assembled, or as the frames of both bodies say.
    [[nodiscard]] Expression first_angle(const JointCoordinateFormula& formula) const;

    Draft* draft_;
    const JointType* type_;
    Joint joint_;
    std::array<JointEnd, 2> ends_;
    std::array<JointFrame, 2> local_;
    std::array<std::optional<BodyFrame>, 2> starts_;
    Expression slant_ = 0;
    std::vector<JointRow> rod_rows_;
    bool lent_rows_ = false, planar_ = false;
    std::size_t axes_wanted_ = 0;
};

}  // namespace libration
