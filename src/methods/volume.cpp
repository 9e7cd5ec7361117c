// Splitting by blocks for divergence-free fields: each block moves with the others at rest, there and back.
//
//     phi1_h/2 . phi2_h/2 . ... . phiN_h . ... . phi2_h/2 . phi1_h/2,     phik:  q_k' = f_k(t, q), all other blocks at rest
//
// f_k must not depend on the coordinates of block k: then phik is a shear, exact and volume preserving. [HLW03
// (2.20)-(2.22)] Time stands at the midpoint of the step.
#include "list.hpp"

#include <libration/kit/method_record.hpp>
#include <libration/text/error.hpp>

#include <fmt/format.h>

namespace libration {

namespace {

template <class S>
class VolumeMap final : public Map<S> {
  public:
    explicit VolumeMap(System<S>& system) : system_(&system), v_(system.dimension(), lit<S>(0)) {}

    void reserve(std::size_t) override {}
    void prepare(const S& t, State<S>& z, Evaluations<S>&) override {
        if constexpr (!is_lane_scalar<S>) {
            check_blocks(t, z.q.high, z.p.high);
        }
    }

    MapReport<S> apply(const Substep<S>& step, const State<S>& z0, State<S>& z1, Evaluations<S>& evaluations) override {
        z1.q = z0.q;
        z1.p = z0.p;
        const S t = lit<S>(1, 2) * (step.t + step.t1), half_step = lit<S>(1, 2) * step.h;
        const auto& blocks = system_->properties().blocks;
        const std::size_t last = blocks.size() - 1;
        for (std::size_t k = 0; k < last; ++k) {
            move(t, blocks[k], half_step, z1, evaluations);
        }
        move(t, blocks[last], step.h, z1, evaluations);
        for (std::size_t k = last; k-- > 0;) {
            move(t, blocks[k], half_step, z1, evaluations);
        }
        return {};
    }

    void accept() override {}
    void visit(MemoryVisitor<S>&) override {}

  private:
    // Moves each block in turn: its own rates must not notice, to the last bit.
    void check_blocks(const S& t, std::span<const S> q, std::span<const S> p) {
        std::vector<S> moved(q.begin(), q.end()), rate(v_);
        system_->velocity(t, q, p, v_);
        for (const auto& block : system_->properties().blocks) {
            for (const auto j : block) {
                moved[j] = q[j] + lit<S>(1, 64 + j);
            }
            system_->velocity(t, moved, p, rate);
            for (const auto j : block) {
                if (!equal(real_part(rate[j]), real_part(v_[j]))) {
                    throw InputError(
                        fmt::format("volume: the derivative of coordinate number {} depends on coordinates of its own "
                                    "block; the equations of a block may depend on the other blocks only",
                                    j));
                }
                moved[j] = q[j];
            }
        }
    }

    // Evaluates the whole field, and counts it, though one block is used.
    void move(const S& t, std::span<const std::uint32_t> block, const S& h, State<S>& z, Evaluations<S>& evaluations) {
        system_->velocity(t, z.q.high, z.p.high, v_);
        evaluations.add(Evaluations<S>::force);
        for (const auto j : block) {
            const auto sum = add(z.q.high[j], z.q.low[j], S(h * v_[j]));
            z.q.high[j] = sum.high;
            z.q.low[j] = sum.low;
        }
    }

    System<S>* system_;
    std::vector<S> v_;
};

}  // namespace

const MethodRecord volume_record{
    .name = "volume",
    .summary = "Splitting by blocks for divergence-free vector fields: preserves volume.",
    .reference = "HairerLubichWanner2003",
    .needs = {.unconstrained = true, .hamiltonian = false, .blocks = true},
    .claims =
        [](const MethodSpec&) {
            return Claims{.order = 2,
                          .order_p = 2,
                          .order_lambda = 0,
                          .symmetric = true,
                          .symplectic = std::nullopt,
                          .is_explicit = true,
                          .volume = true};
        },
    .maps = maps_of<VolumeMap>(),
};

}  // namespace libration
