// Where the formulas of a model are not smooth, and when a motion meets such a place.
//
// An `if` changes its branch, abs(u) and sign(u) have a kink where u changes sign, sqrt(u) where u touches zero: each
// such u is a guard; that of interp(table, u) is the number of the piece in which u is. A motion along which no guard
// changes is as smooth as the formulas, which are analytic elsewhere.
#pragma once

#include "model/model_values.hpp"
#include <libration/kit/stepper.hpp>
#include <libration/model/model.hpp>

#include <limits>

namespace libration {

class GuardWatch {
  public:
    explicit GuardWatch(const Model& model);
    // No formula has a guard.
    [[nodiscard]] bool empty() const { return sets_.empty() && !unwatched_; }
    // Some formula is written in branches: if, abs, min, max, sign, floor, interp.
    [[nodiscard]] bool branches() const { return branches_; }
    // There are formulas that cannot be watched: too many, or with multipliers.
    [[nodiscard]] bool unwatched() const { return unwatched_; }
    void see(const Node<double>& node, std::span<const double> v);

    // The first change of a guard; time infinity: none.
    struct Change {
        double time = std::numeric_limits<double>::infinity();
        std::string what;
    };
    [[nodiscard]] Change first_change() const { return first_change_after(-1); }
    // Of guards that have not changed until then.
    [[nodiscard]] Change first_change_after(double time) const;

  private:
    enum class Kind { sign, whole, touch };
    struct Guard {
        Kind kind;
        std::string text;
    };
    struct History {
        double region = 0, before = 0, last = 0;
        int seen = 0;
        double changed = std::numeric_limits<double>::infinity();
    };
    // The guards of one formula and its instances.
    struct Set {
        std::vector<Guard> guards;
        Tape<double> tape;
        std::vector<std::uint32_t> sources;  // [instance][input]: of q, then v, p, t behind one another
        std::vector<double> table;           // [instance][parameter]
        std::size_t inputs = 0, parameters = 0, instances = 1;
        std::vector<History> histories;  // [instance][guard]
    };
    void add_term(const Term& term, const ParameterValues<double>& given);
    void add_whole(const Model& model, const Expression& formula, const ParameterValues<double>& given);
    static void follow(Kind kind, double value, double t, History& history);

    std::vector<Set> sets_;
    std::vector<double> state_;
    std::size_t watched_ = 0;
    bool branches_ = false, unwatched_ = false;
};

}  // namespace libration
