// Tangent steps of RATTLE written out, in double precision with machine code for the terms: for large models, where
// dual numbers cost many times more than the steps themselves.
#pragma once

#include "extended_model.hpp"
#include "forward_run.hpp"

namespace libration {

struct RunState;  // backward_run.hpp

class RattleTangent {
  public:
    // Nothing where steps are others, or where the model is so small that dual numbers are as good.
    static std::unique_ptr<RattleTangent> of(const TangentTask& task, const Method& method,
                                             const ExtendedModel& extended);
    RattleTangent(const TangentTask& task, const ExtendedModel& extended);
    ~RattleTangent();
    RattleTangent(const RattleTangent&) = delete;
    RattleTangent& operator=(const RattleTangent&) = delete;

    // From one state of the run back to an earlier one. `q` and `p`: the tangent in coordinates and momenta of the
    // extended model; that of parameters is zero.
    std::optional<TangentFailure> go_back(const RunState& from, const RunState& to, std::span<double> q,
                                          std::span<double> p);
    // The state that the steps led to, and the largest tangent on the way, in coordinates of the model.
    [[nodiscard]] std::span<const double> end_q() const;
    [[nodiscard]] std::span<const double> end_p() const;
    [[nodiscard]] double largest_size() const;

  private:
    class Steps;
    std::unique_ptr<Steps> steps_;
};

}  // namespace libration
