// One term of a model over one scalar: its programs, and the tables that carry them over all instances, block by block.
#pragma once

#include "coordinate_table.hpp"
#include "expression/block_tape.hpp"
#include "model/model_values.hpp"
#include "whole_tape.hpp"
#include <libration/expression/differentiate.hpp>
#include <libration/kit/reduce.hpp>
#include <libration/kit/system.hpp>
#include <libration/model/model.hpp>

#include <numeric>

namespace libration {

enum class TermKind { potential, constraint };

struct TermProgramKind {
    TermKind kind;
    bool uses_time;
};
// Value and gradient; of a constraint also the value at q + low, the curvature and, with t, the rate. Inputs are the
// slots, the parameters of the instance and t; then, for those along a direction, one component per slot.
ProgramStore::Programs term_programs(const Expression& kernel, std::span<const Expression> slots,
                                     std::span<const Expression> inputs, std::span<const Expression> parameters,
                                     TermProgramKind kind);

template <class S>
class TermKernel {
  public:
    TermKernel(const Term& term, const ParameterValues<S>& given, TermKind kind)
        : slots_(term.slots.size()), instances_(term.formula.instances), width_(term.formula.parameters.size()),
          uses_time_(term.uses_time), direction_(slots_ + width_ + (uses_time_ ? 1 : 0)),
          table_(instance_parameter_table(term.formula, given)) {
        const auto order = ascending_slots(term);
        indices_ = CoordinateTable(term.indices, order);
        std::vector<Expression> slots;
        for (const auto s : order) {
            slots.push_back(term.slots[s]);
        }
        auto inputs = slots;
        for (const auto& parameter : term.formula.parameters) {
            inputs.push_back(parameter.symbol);
        }
        if (uses_time_) {
            inputs.push_back(time_symbol());
        }
        const auto& kernel = term.formula.kernel;
        const auto programs = stored(
            given.programs.get(), kind == TermKind::potential ? ProgramPurpose::potential : ProgramPurpose::constraint,
            {std::array{kernel}, slots, inputs, given.symbols}, [&] {
                return term_programs(kernel, slots, inputs, given.symbols, {.kind = kind, .uses_time = uses_time_});
            });
        const std::array<BlockTape<S>*, 5> tapes{&value_, &gradient_, &pair_value_, &curvature_, &rate_};
        for (std::size_t k = 0; k < programs->size(); ++k) {
            *tapes[k] = BlockTape<S>((*programs)[k], given.values, instances_);
        }
    }

    [[nodiscard]] std::size_t instances() const { return instances_; }
    [[nodiscard]] std::size_t slots() const { return slots_; }
    [[nodiscard]] const CoordinateTable& indices() const { return indices_; }

    // The values of all instances. With `low`, those at q + low to first order, which is exact where |low| is below the
    // rounding of q.
    void values(const S& t, std::span<const S> q, std::span<const S> low, std::span<S> out) {
        auto& tape = low.empty() ? value_ : pair_value_;
        along(tape, t, q, low, out);
    }

    // The sum of the values of all instances, in partial sums by instance number, as sum_of() does it.
    S sum(const S& t, std::span<const S> q) {
        std::array<S, partial_results> parts;
        parts.fill(lit<S>(0));
        tuned<S>([&]() LIBRATION_TUNED {
            for (std::size_t first = 0; first < instances_; first += value_.lanes()) {
                const std::size_t count = std::min(value_.lanes(), instances_ - first);
                gather(value_, 0, first, count, q);
                set_parameters(value_, t, first, count);
                value_.run(count);
                const S* result = value_.output(0);
                for (std::size_t l = 0; l < count; ++l) {
                    auto& part = parts[(first + l) % partial_results];
                    part = part + result[l];
                }
            }
        });
        return total_of(parts);
    }

    // Second derivatives along (v, 1) in (q, t); along v where there is no t.
    void curvatures(const S& t, std::span<const S> q, std::span<const S> v, std::span<S> out) {
        along(curvature_, t, q, v, out);
    }

    // Derivatives by t.
    void rates(const S& t, std::span<const S> q, std::span<S> out) {
        if (uses_time_) {
            along(rate_, t, q, {}, out);
        } else {
            std::ranges::fill(out, lit<S>(0));
        }
    }

    // Calls visit(first, count, slopes) block by block: slopes(s) is the row of derivatives to slot s of instances
    // first ... first + count - 1; slopes(slots()) that of the rounding sizes, for constraints. `visit` must be
    // LIBRATION_TUNED.
    template <class Visit>
    void differentiate(const S& t, std::span<const S> q, Visit visit) {
        tuned<S>([&]() LIBRATION_TUNED {
            for (std::size_t first = 0; first < instances_; first += gradient_.lanes()) {
                const std::size_t count = std::min(gradient_.lanes(), instances_ - first);
                gather(gradient_, 0, first, count, q);
                set_parameters(gradient_, t, first, count);
                gradient_.run(count);
                visit(first, count, [this](std::size_t s) LIBRATION_TUNED { return gradient_.output(s); });
            }
        });
    }

    void visit_tapes(TapeVisitor<S>& visitor) {
        for (auto* tape : {&value_, &pair_value_, &gradient_, &curvature_, &rate_}) {
            if (tape->tape().outputs() > 0) {
                visitor.block(*tape, instances_);
            }
        }
    }

  private:
    // The order in which the coordinates of the first instance ascend: components of a point stand side by side.
    static std::vector<std::size_t> ascending_slots(const Term& term) {
        std::vector<std::size_t> order(term.slots.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        if (!term.indices.empty()) {
            std::ranges::stable_sort(order, {}, [&](std::size_t s) { return term.indices[s]; });
        }
        return order;
    }

    void along(BlockTape<S>& tape, const S& t, std::span<const S> q, std::span<const S> direction, std::span<S> out) {
        tuned<S>([&]() LIBRATION_TUNED {
            for (std::size_t first = 0; first < instances_; first += tape.lanes()) {
                const std::size_t count = std::min(tape.lanes(), instances_ - first);
                gather(tape, 0, first, count, q);
                set_parameters(tape, t, first, count);
                if (!direction.empty()) {
                    gather(tape, direction_, first, count, direction);
                }
                tape.run(count);
                const S* result = tape.output(0);
                for (std::size_t l = 0; l < count; ++l) {
                    out[first + l] = result[l];
                }
            }
        });
    }

    LIBRATION_INLINE void gather(BlockTape<S>& tape, std::size_t input, std::size_t first, std::size_t count,
                                 std::span<const S> x) const {
        if (count == 1) {
            for (std::size_t s = 0; s < slots_; ++s) {
                *tape.input(input + s) = x[indices_(first, s)];
            }
            return;
        }
        for (std::size_t s = 0; s < slots_; ++s) {
            if (!tape.reads(input + s)) {
                continue;
            }
            indices_.load(s, first, count, x.data(), tape.input(input + s));
        }
    }
    LIBRATION_INLINE void set_parameters(BlockTape<S>& tape, const S& t, std::size_t first, std::size_t count) const {
        for (std::size_t k = 0; k < width_; ++k) {
            if (!tape.reads(slots_ + k)) {
                continue;
            }
            S* row = tape.input(slots_ + k);
            const S* value = table_.data() + first * width_ + k;
            for (std::size_t l = 0; l < count; ++l) {
                row[l] = value[l * width_];
            }
        }
        if (uses_time_ && tape.reads(slots_ + width_)) {
            std::fill_n(tape.input(slots_ + width_), count, t);
        }
    }

    std::size_t slots_, instances_, width_;
    bool uses_time_;
    std::size_t direction_;  // the first input of a direction
    CoordinateTable indices_;
    std::vector<S> table_;
    BlockTape<S> value_, pair_value_, gradient_, curvature_, rate_;
};

}  // namespace libration
