// The matrix of Newton's method for systems of any size with constant, diagonal masses, sparse. With u_l = M^-1 dy_l,
//
//     dz_i = rz_i + h sum_l a_il u_l,     dy_i = M u_i,     u_end = M^-1 dp1   (where the end is among the equations),
//
// z is eliminated entry by entry, and the derivatives f_q, f_v of each term by q and v couple the u of few coordinates:
//
//     M u_i - h sum over mixes, sum_l a_il (f_q dz_l + f_v u_l + f_lambda dLambda_l) = ry_i,    the same with b for u_end.
//
// The unknowns of a coordinate, or of a constraint, are a node of the sparse matrix.
#pragma once

#include "manifold/block_lu.hpp"
#include "spark_couplings.hpp"
#include "spark_matrix.hpp"

namespace libration {

template <class S>
class SparkBlocks final : public SparkMatrix<S> {
  public:
    SparkBlocks(System<S>& system, const SparkLayout& layout)
        : system_(&system), treatment_(libration::treatment(system.properties().terms)), layout_(layout),
          couplings_(system), lu_(structure()), at_(layout.stages, couplings_.room()), masses_(layout.dimension),
          side_(lu_.structure().unknowns(), lit<S>(0)) {
        const auto inverse = system.inverse_masses();
        for (std::size_t k = 0; k < masses_.size(); ++k) {
            masses_[k] = lit<S>(1) / inverse[k];
        }
        find_places();
    }

    [[nodiscard]] const BlockStructure& blocks() const { return lu_.structure(); }

    void linearise(std::size_t stage, const StagePoint<S>& at) override { couplings_.find(at, at_[stage]); }

    void assemble(const typename SparkMatrix<S>::Scheme& scheme) override {
        scheme_ = scheme;
        lu_.clear();
        for (std::size_t k = 0; k < masses_.size(); ++k) {
            for (std::size_t i = 0; i < unknowns_of_coordinate(); ++i) {
                block(diagonal_[k])[i * (unknowns_of_coordinate() + 1)] = masses_[k];
            }
        }
        for (std::size_t l = 0; l < layout_.stages; ++l) {
            add_forces(l, at(l));
            if (layout_.nonholonomic > 0) {
                add_rolling(l, at(l));
            }
        }
        add_constraints();
        if (layout_.nonholonomic > 0) {
            add_rolling_end(at(layout_.stages - 1));
        }
        lu_.factor();  // a matrix that is singular leads to corrections that are not numbers
    }

    void solve(std::span<S> x) override {
        gather(x);
        lu_.solve(side_);
        const std::size_t s = layout_.stages;
        for (std::size_t k = 0; k < layout_.dimension; ++k) {
            const S* u = side_.data() + blocks().offset(k);
            const auto& weights = position_weights(k);
            for (std::size_t i = 0; i < s; ++i) {
                S sum = weights.a(i, 0) * u[0];
                for (std::size_t l = 1; l < s; ++l) {
                    sum = mad(weights.a(i, l), u[l], sum);
                }
                S& z = layout_.z(x, i)[k];
                z = mad(scheme_.h, sum, z);
                layout_.y(x, i)[k] = masses_[k] * u[i];
            }
        }
        for (std::size_t l = 0; l < layout_.multipliers(); ++l) {
            const S* lambda = side_.data() + blocks().offset(layout_.dimension + l);
            for (std::size_t i = 0; i < layout_.stages_with_multipliers; ++i) {
                layout_.multipliers(x, i)[l] = lambda[i];
            }
        }
    }

    void noise(std::span<const S> q, std::span<const S> p, std::span<S> of_momentum,
               std::span<S> of_position) const override {
        for (std::size_t k = 0; k < masses_.size(); ++k) {
            of_position[k] = magnitude(p[k]) / masses_[k];
            of_momentum[k] = lit<S>(0);
        }
        const auto by_q = couplings_.by_position(), by_v = couplings_.by_velocity();
        for (std::size_t e = 0; e < by_q.size(); ++e) {
            S& target = of_momentum[by_q[e].row];
            target = target + magnitude(at_[0].by_position[e]) * magnitude(q[by_q[e].column]);
        }
        for (std::size_t e = 0; e < by_v.size(); ++e) {
            S& target = of_momentum[by_v[e].row];
            const auto j = by_v[e].column;
            target = target + magnitude(at_[0].by_velocity[e]) * (magnitude(p[j]) / masses_[j]);
        }
    }

  private:
    using Values = typename SparkCouplings<S>::Values;
    using Entry = typename SparkCouplings<S>::Entry;

    [[nodiscard]] bool has_end() const {
        return layout_.multipliers() > 0 && layout_.stages_with_multipliers == layout_.stages;
    }
    [[nodiscard]] std::size_t unknowns_of_coordinate() const { return layout_.stages + (has_end() ? 1 : 0); }
    [[nodiscard]] std::uint32_t multiplier_node(std::size_t l) const {
        return static_cast<std::uint32_t>(layout_.dimension + l);
    }
    [[nodiscard]] S* block(std::size_t place) { return lu_.block(place); }
    [[nodiscard]] const Values& at(std::size_t stage) const { return at_[scheme_.same ? 0 : stage]; }
    [[nodiscard]] const StageWeights<S>& weights(std::size_t mix) const { return (*scheme_.mixes)[mix]; }
    [[nodiscard]] const StageWeights<S>& position_weights(std::size_t k) const {
        return weights(treatment_.position[k]);
    }
    [[nodiscard]] S b(std::size_t l) const { return scheme_.constraint->a(layout_.stages - 1, l); }

    // visit(entries, whether rows are conditions, whether columns are multipliers, places)
    template <class Visit>
    void for_each_list(Visit visit) {
        visit(couplings_.by_position(), false, false, by_position_);
        visit(couplings_.by_velocity(), false, false, by_velocity_);
        visit(couplings_.by_multiplier(), false, true, by_multiplier_);
        visit(couplings_.k_by_position(), true, false, k_by_position_);
        visit(couplings_.k_by_velocity(), true, false, k_by_velocity_);
    }
    [[nodiscard]] BlockStructure::Coupling nodes_of(const Entry& entry, bool conditions, bool multipliers) const {
        return {conditions ? multiplier_node(layout_.constraints + entry.row) : entry.row,
                multipliers ? multiplier_node(entry.column) : entry.column};
    }

    BlockStructure structure() {
        std::vector<std::uint32_t> sizes(layout_.dimension, static_cast<std::uint32_t>(unknowns_of_coordinate()));
        sizes.resize(layout_.dimension + layout_.multipliers(),
                     static_cast<std::uint32_t>(layout_.stages_with_multipliers));
        std::vector<BlockStructure::Coupling> couplings;
        for_each_list([&](auto entries, bool conditions, bool multipliers, auto&) {
            for (const auto& entry : entries) {
                couplings.push_back(nodes_of(entry, conditions, multipliers));
            }
        });
        return {std::move(sizes), std::move(couplings), static_cast<std::uint32_t>(layout_.dimension)};
    }

    void find_places() {
        const auto place = [&](const BlockStructure::Coupling& nodes) {
            return blocks().place(nodes.first, nodes.second);
        };
        for_each_list([&](auto entries, bool conditions, bool multipliers, auto& places) {
            for (const auto& entry : entries) {
                places.push_back(place(nodes_of(entry, conditions, multipliers)));
            }
        });
        for (std::uint32_t k = 0; k < layout_.dimension; ++k) {
            diagonal_.push_back(place({k, k}));
        }
        const auto& pattern = system_->pattern();
        for (std::size_t row = 0; row < layout_.constraints; ++row) {
            for (std::size_t e = pattern.row_start[row]; e < pattern.row_start[row + 1]; ++e) {
                G_.push_back(place({multiplier_node(row), pattern.column[e]}));
            }
        }
    }

    // What the terms at stage l do to the equations of u_i and u_end.
    void add_forces(std::size_t l, const Values& values) {
        const std::size_t s = layout_.stages, rows = unknowns_of_coordinate();
        const auto factor = [&](std::size_t i, std::size_t mix) {
            return S(-scheme_.h * (i < s ? weights(mix).a(i, l) : b(l)));
        };
        const auto by_position = couplings_.by_position();
        for (std::size_t e = 0; e < by_position.size(); ++e) {
            S* to = block(by_position_[e]);
            const auto& weights = position_weights(by_position[e].column);
            for (std::size_t i = 0; i < rows; ++i) {
                const S weight = factor(i, by_position[e].mix) * scheme_.h * values.by_position[e];
                for (std::size_t j = 0; j < s; ++j) {
                    to[i * rows + j] = mad(weight, weights.a(l, j), to[i * rows + j]);
                }
            }
        }
        const auto by_velocity = couplings_.by_velocity();
        for (std::size_t e = 0; e < by_velocity.size(); ++e) {
            S* to = block(by_velocity_[e]) + l;
            for (std::size_t i = 0; i < rows; ++i) {
                to[i * rows] = mad(factor(i, by_velocity[e].mix), values.by_velocity[e], to[i * rows]);
            }
        }
        const std::size_t multipliers = layout_.stages_with_multipliers;
        const auto by_multiplier = couplings_.by_multiplier();
        for (std::size_t e = 0; e < by_multiplier.size() && l < multipliers; ++e) {
            S* to = block(by_multiplier_[e]) + l;
            for (std::size_t i = 0; i < rows; ++i) {
                to[i * multipliers] =
                    mad(factor(i, by_multiplier[e].mix), values.by_multiplier[e], to[i * multipliers]);
            }
        }
    }

    void add_constraints() {
        const std::size_t s = layout_.stages, columns = unknowns_of_coordinate();
        for (std::size_t e = 0; e < G_.size(); ++e) {
            S* to = block(G_[e]);
            for (std::size_t i = 1; i < s; ++i) {
                const S factor = scheme_.h * at(i).G[e];
                for (std::size_t l = 0; l < s; ++l) {
                    to[(i - 1) * columns + l] = mad(factor, scheme_.constraint->a(i, l), to[(i - 1) * columns + l]);
                }
            }
            if (has_end()) {
                to[(s - 1) * columns + s] = at(s - 1).G[e];
            }
        }
    }

    // sum_l w_il (k_q dz_l + k_v u_l)
    void add_rolling(std::size_t l, const Values& values) {
        const std::size_t s = layout_.stages, columns = unknowns_of_coordinate();
        const auto by_position = couplings_.k_by_position();
        for (std::size_t i = 0; i + 1 < s; ++i) {
            const S& weight = scheme_.rolling->weight(i, l);
            for (std::size_t e = 0; e < by_position.size(); ++e) {
                S* to = block(k_by_position_[e]) + i * columns;
                const S factor = weight * scheme_.h * values.k_by_position[e];
                for (std::size_t j = 0; j < s; ++j) {
                    to[j] = mad(factor, position_weights(by_position[e].column).a(l, j), to[j]);
                }
            }
            for (std::size_t e = 0; e < k_by_velocity_.size(); ++e) {
                S& to = block(k_by_velocity_[e])[i * columns + l];
                to = mad(weight, values.k_by_velocity[e], to);
            }
        }
    }
    // k_q dq1 + k_v u_end, dq1 = h sum_l b_l u_l
    void add_rolling_end(const Values& values) {
        const std::size_t s = layout_.stages, columns = unknowns_of_coordinate();
        for (std::size_t e = 0; e < k_by_position_.size(); ++e) {
            S* to = block(k_by_position_[e]) + (s - 1) * columns;
            for (std::size_t l = 0; l < s; ++l) {
                to[l] = mad(S(scheme_.h * values.k_by_position[e]), b(l), to[l]);
            }
        }
        for (std::size_t e = 0; e < k_by_velocity_.size(); ++e) {
            S& to = block(k_by_velocity_[e])[(s - 1) * columns + s];
            to = to + values.k_by_velocity[e];
        }
    }

    // The right-hand sides, with what the residuals of z do through f_q and k_q.
    void gather(std::span<const S> x) {
        const std::size_t s = layout_.stages;
        std::fill(side_.begin(), side_.end(), lit<S>(0));
        for (std::size_t k = 0; k < layout_.dimension; ++k) {
            for (std::size_t i = 0; i < s; ++i) {
                side_[blocks().offset(k) + i] = layout_.y(x, i)[k];
            }
        }
        for (std::size_t l = 0; l < layout_.multipliers(); ++l) {
            for (std::size_t i = 0; i < layout_.stages_with_multipliers; ++i) {
                side_[blocks().offset(layout_.dimension + l) + i] = layout_.multipliers(x, i)[l];
            }
        }
        for (std::size_t l = 0; l < s; ++l) {
            const auto rz = layout_.z(x, l);
            const auto by_position = couplings_.by_position();
            for (std::size_t e = 0; e < by_position.size(); ++e) {
                const auto& [row, column, mix] = by_position[e];
                const S change = scheme_.h * at(l).by_position[e] * rz[column];
                S* to = side_.data() + blocks().offset(row);
                for (std::size_t i = 0; i < s; ++i) {
                    to[i] = mad(weights(mix).a(i, l), change, to[i]);
                }
                if (has_end()) {
                    to[s] = mad(b(l), change, to[s]);
                }
            }
            const auto k_by_position = couplings_.k_by_position();
            for (std::size_t e = 0; e < k_by_position.size(); ++e) {
                const S change = at(l).k_by_position[e] * rz[k_by_position[e].column];
                S* to = side_.data() + blocks().offset(multiplier_node(layout_.constraints + k_by_position[e].row));
                for (std::size_t i = 0; i + 1 < s; ++i) {
                    to[i] = mad(S(-scheme_.rolling->weight(i, l)), change, to[i]);
                }
            }
        }
    }

    System<S>* system_;
    Treatment treatment_;
    SparkLayout layout_;
    SparkCouplings<S> couplings_;
    std::vector<std::size_t> by_position_, by_velocity_, by_multiplier_, k_by_position_, k_by_velocity_;  // places
    std::vector<std::size_t> diagonal_, G_;
    BlockLu<S> lu_;
    std::vector<Values> at_;
    std::vector<S> masses_, side_;
    typename SparkMatrix<S>::Scheme scheme_{lit<S>(0), nullptr, nullptr, nullptr, true};
};

}  // namespace libration
