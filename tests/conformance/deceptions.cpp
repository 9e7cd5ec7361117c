// The list. Each group says what is hidden in it and how the truth is known.
#include "deceptions.hpp"

#include <fmt/format.h>

namespace libration::conformance {

namespace {

using Methods = std::vector<std::string>;

struct Motion {
    const char *q, *v, *step, *duration;
};

std::string run_section(const Motion& m) {
    const std::string duration = *m.duration == '\0' ? "" : fmt::format("duration = {}\n", m.duration);
    const std::string step = *m.step == '\0' ? "" : fmt::format("step = {}\n", m.step);
    return fmt::format("[initial]\nq = [{}]\nv = [{}]\n[run]\n{}{}", m.q, m.v, step, duration);
}

// A potential of x and y.
std::string planar(const std::string& potential, const Motion& motion, const std::string& mass = "1",
                   const std::string& more = "") {
    return fmt::format("[coordinates]\nq = [\"x\", \"y\"]\n[dynamics]\nmass = {}\npotential = \"{}\"\n{}\n{}", mass,
                       potential, more, run_section(motion));
}

std::string on_circle(const std::string& potential, const Motion& motion,
                      const std::string& constraint = "x^2 + y^2 - 1", const std::string& mass = "1") {
    return planar(potential, motion, mass, fmt::format("constraints = [\"{}\"]", constraint));
}

std::string spatial(const std::string& potential, const std::string& constraints, const Motion& motion,
                    const std::string& mass = "1") {
    return fmt::format(
        "[coordinates]\nq = [\"x\", \"y\", \"z\"]\n[dynamics]\nmass = {}\npotential = \"{}\"\nconstraints = [{}]\n{}",
        mass, potential, constraints, run_section(motion));
}

const Methods low{"verlet", "symplectic-euler", "midpoint", "leapfrog"};
const Methods high{"gauss(2)", "compose(verlet, kahanli8)", "multistep(8)", "lobatto-a(3)"};
const Methods held{"rattle", "lobatto(3)", "shake", "compose(rattle, kahanli8)"};

// Two springs that exchange their energy: x is small first and passes 0.6 at t = 9, after 45 of the largest steps.
const std::string beat = "(x^2 + y^2)/2 + 0.1*x*y + x^4/100";
constexpr Deception::Kink at_six_tenths{0, 0.6}, in_time{-1, 7.3217};
const Motion beating{"0.05, 1", "0, 0.1", "0.02", "30"};

// Kinks and jumps that are met late. The class of the potential at x = 0.6 is seen from the formula; the passage is
// transversal.
void late_kinks(std::vector<Deception>& all) {
    const auto add = [&](const char* name, const std::string& extra, int order, const Methods& methods) {
        all.push_back({name, planar(beat + " + " + extra, beating), methods, order,
                       extra.find("if(t") == 0 ? in_time : at_six_tenths, false});
    };
    add("late force jump, if", "if(x > 0.6, x - 0.6, 0)", 1,
        {"verlet", "gauss(2)", "compose(verlet, kahanli8)", "multistep(4)"});
    add("late force jump, abs", "abs(x - 0.6)/2", 1, {"leapfrog", "gauss(3)", "midpoint", "lobatto-a(3)"});
    add("late force jump, max", "max(x, 0.6)", 1, {"verlet-b", "radau(2)", "lobatto-d(3)", "symplectic-euler"});
    add("late force jump, root of a square", "sqrt((x - 0.6)^2)/2", 1,
        {"verlet", "gauss(2)", "multistep(8)", "runge2"});
    add("late force jump, power of a square", "((x - 0.6)^2)^(1/2)/2", 1, {"verlet", "compose(verlet, suzuki4)"});
    add("late kink in the force", "if(x > 0.6, 2*(x - 0.6)^2, 0)", 2,
        {"verlet", "gauss(2)", "compose(verlet, kahanli8)", "multistep(8)"});
    add("late kink in the force, max", "max(x - 0.6, 0)^2", 2,
        {"midpoint", "lobatto-b(3)", "lobatto-c(3)", "multistep(4)"});
    add("late kink of third order", "if(x > 0.6, 5*(x - 0.6)^3, 0)", 3, {"verlet", "gauss(2)", "gauss(3)", "radau(2)"});
    add("late kink of fourth order", "if(x > 0.6, 9*(x - 0.6)^4, 0)", 4,
        {"gauss(2)", "gauss(3)", "compose(verlet, kahanli8)", "runge2"});
    add("late kink of third order, abs", "abs(x - 0.6)^3/20", 3,
        {"verlet", "compose(verlet, yoshida4)", "multistep(6, -0.7, 0.4)"});
    add("late jump of the potential", "if(x > 0.6, 0.05, 0)", 99, {"verlet", "gauss(2)"});
    add("late jump of the potential, floor", "0.05*floor(x/0.6)", 99, {"midpoint", "compose(verlet, kahanli8)"});
    add("two late kinks that meet", "if(x > 0.6, x - 0.6, if(x < -0.6, -x - 0.6, 0))", 1, {"verlet", "gauss(2)"});
    // In time: not met at a node by any step of the ladder.
    add("a load that is switched on", "if(t > 7.3217, x, 0)", 1, {"verlet", "gauss(2)", "midpoint"});
    add("a load that grows from a moment on", "if(t > 7.3217, (t - 7.3217)*x, 0)", 2,
        {"gauss(2)", "compose(verlet, kahanli8)"});
    // Never met: |x| stays below 2.
    for (const auto& method : {"verlet", "gauss(2)", "compose(verlet, kahanli8)", "multistep(8)"}) {
        all.push_back({"a kink that is never met", planar(beat + " + if(x > 5, 100*(x - 5), 0)", beating), {method}});
    }
    const Motion slow{"0.02, 0.99979998", "0, 0", "0.02",
                      "20"};  // near the upper equilibrium, from where it falls at t = 5
    const auto constrained = [&](const char* name, const std::string& extra, int order, const Methods& methods) {
        all.push_back({name, on_circle("y + " + extra, slow), methods, order, Deception::Kink{1, -0.5}, false});
    };
    constrained("force jump below a pendulum", "if(y < -0.5, 3*(y + 0.5), 0)", 1,
                {"rattle", "lobatto(3)", "shake", "dirac-gauss(2)"});
    constrained("force kink below a pendulum", "if(y < -0.5, 3*(y + 0.5)^2, 0)", 2,
                {"rattle", "lobatto(3)", "lobatto(4)", "spark(3)"});
    constrained("late abs below a pendulum", "abs(y + 0.5)", 1,
                {"constrain(verlet)", "multistep(4)", "spark(2)", "projected-gauss(2)"});
}

// Late kinks elsewhere: in a kinetic energy, a Hamiltonian, a field, a force.
void kinks_elsewhere(std::vector<Deception>& all) {
    const auto run = run_section(beating);
    all.push_back({"kink in a mass",
                   "[coordinates]\nq = [\"x\", \"y\"]\n[dynamics]\nkinetic = \"(1 + max(x - 0.3, 0))*v_x^2/2 + "
                   "v_y^2/2\"\npotential = \"" +
                       beat + "\"\n" + run,
                   {"gauss(2)", "midpoint", "lobatto(3)"},
                   1,
                   Deception::Kink{0, 0.3},
                   false});
    all.push_back({"kink in a Hamiltonian",
                   "[coordinates]\nq = [\"x\", \"y\"]\n[dynamics]\nhamiltonian = \"(p_x^2 + p_y^2)/2 + " + beat +
                       " + max(x - 0.6, 0)^2\"\n" + run,
                   {"gauss(2)", "lobatto-d(3)"},
                   2,
                   at_six_tenths,
                   false});
    all.push_back({"kink in a field",
                   "[coordinates]\nq = [\"x\", \"y\"]\n[field]\nq = { x = \"y + max(x - 0.4, 0)/2\", y = \"-x - x^3/10 "
                   "+ 0.2*y\" }\n[initial]\nq = [0.1, 0]\n[run]\nstep = 0.02\nduration = 20\n",
                   {"gauss(2)", "midpoint", "runge2", "radau(2)"},
                   2,
                   Deception::Kink{0, 0.4}});
    all.push_back({"dry friction",
                   on_circle("y", {"1, 0", "0, 0", "0.02", "12"}) +
                       "[[forces]]\nname = \"friction\"\nclass = \"dissipative\"\non = { x = \"-0.1*sign(v_x)\" }\n",
                   {"spark(2)", "spark(3)"},
                   1,
                   Deception::Kink{0, -0.3}});
}

// Stiff terms: the largest step is far beyond stability of explicit methods, and the claims are none the worse for it.
void stiff(std::vector<Deception>& all) {
    const Motion resting{"1, 1", "0, 0.1", "0.01", "5"};
    all.push_back({"stiff valley",
                   planar("x^2/2 + 1e6*(y - x^2)^2/2", resting),
                   {"verlet", "multistep(4)", "midpoint", "gauss(2)", "symplectic-euler", "lobatto-c(3)", "radau(2)"}});
    all.push_back({"very stiff valley",
                   planar("x^2/2 + 1e12*(y - x^2)^2/2", resting),
                   {"verlet", "midpoint", "gauss(3)", "compose(verlet, kahanli8)", "lobatto-d(3)", "runge2"}});
    all.push_back({"stiff spring on a rod",
                   on_circle("y + 1e8*(x - 0.6)^2", {"0.6, -0.8", "0.8e-3, 0.6e-3", "0.01", "2"}),
                   {"rattle", "lobatto(3)", "spark(3)", "shake"}});
    all.push_back(
        {"stiff wall met late", planar(beat + " + exp(200*(x - 0.6))", beating), {"verlet", "gauss(2)", "midpoint"}});
    all.push_back(
        {"stiff damper",
         on_circle("y", {"1, 0", "0, 0", "0.02", "4"}) +
             "[[forces]]\nname = \"damper\"\nclass = \"stiff\"\non = { x = \"-1e6*v_x\", y = \"-1e6*v_y\" }\n",
         {"spark(2)", "spark(3)"}});
}

// Two constraints that are nearly the same; z follows from their difference.
void near_dependent(std::vector<Deception>& all) {
    for (const std::string angle : {"1e-2", "1e-4"}) {
        all.push_back({"constraints at an angle of " + angle,
                       spatial("y + z/2", "\"(x^2 + y^2 - 1)/2\", \"(x^2 + y^2 - 1)/2 + " + angle + "*(z - x*y)\"",
                               {"1, 0, 0", "0, 0.5, 0.5", "0.01", "4"}),
                       {"rattle", "lobatto(3)", "spark(2)", "shake"}});
    }
}

// Steps so small that errors drown in round-off, and so large that nothing is resolved.
void step_sizes(std::vector<Deception>& all) {
    const std::string well = "(x^2 + y^2)/2 + x^2*y";
    all.push_back({"small steps",
                   planar(well, {"0.2, 0.1", "0.1, 0.3", "1e-4", "1"}),
                   {"multistep(8)", "runge2", "verlet", "gauss(3)", "compose(verlet, kahanli8)", "radau(3)"}});
    all.push_back({"tiny steps",
                   planar(well, {"0.2, 0.1", "0.1, 0.3", "1e-7", "1e-4"}),
                   {"multistep(4)", "runge2", "verlet", "gauss(2)", "midpoint", "lobatto-a(2)"}});
    all.push_back({"tiny steps on a circle",
                   on_circle("y", {"1, 0", "0, 0.2", "1e-7", "1e-4"}),
                   {"rattle", "shake", "projected-radau(2)", "bdf(2)", "lobatto(3)"}});
    all.push_back({"tiny steps in a field",
                   "[coordinates]\nq = [\"x\", \"y\"]\n[field]\nq = { x = \"sin(y)\", y = \"cos(x)\" }\n[initial]\nq = "
                   "[0.2, 0]\n[run]\nstep = 1e-7\nduration = 1e-3\n",
                   {"runge2", "midpoint", "radau(2)"}});
    all.push_back({"large steps",
                   planar(well, {"0.2, 0.1", "0.1, 0.3", "0.5", "60"}),
                   {"verlet", "midpoint", "gauss(2)", "multistep(4)"}});
    all.push_back({"huge steps",
                   planar(well, {"0.2, 0.1", "0.1, 0.3", "20", "400"}),
                   {"verlet", "midpoint", "gauss(2)", "lobatto-c(3)"}});
    all.push_back({"huge steps on a circle",
                   on_circle("y", {"1, 0", "0, 0.2", "2", "40"}),
                   {"rattle", "lobatto(3)", "shake", "spark(2)"}});
}

// Errors grow exponentially: over the whole duration they show nothing.
void chaotic(std::vector<Deception>& all) {
    all.push_back({"chaotic well",
                   planar("(x^2 + y^2)/2 + x^2*y - y^3/3", {"0, -0.1", "0.45, 0.1", "0.05", "2000"}),
                   {"verlet", "gauss(2)", "compose(verlet, kahanli8)", "multistep(4)"}});
    all.push_back({"billiard of soft discs",
                   planar("x^4*y^4/2 + (x^4 + y^4)/400", {"1, 1.2", "0.3, 0.7", "0.02", "500"}),
                   {"verlet", "gauss(2)", "midpoint"}});
    all.push_back({"chaotic well with a wall",
                   planar("(x^2 + y^2)/2 + x^2*y - y^3/3 + if(x > 0.5, 4*(x - 0.5), 0)",
                          {"0, -0.1", "0.45, 0.1", "0.05", "2000"}),
                   {"verlet", "gauss(2)"},
                   1,
                   {},
                   false});
    all.push_back({"wild double pendulum",
                   "[coordinates]\nq = [\"x\", \"y\", \"u\", \"w\"]\n[dynamics]\nmass = 1\npotential = \"y + "
                   "w\"\nconstraints = [\"x^2 + y^2 - 1\", \"(u - x)^2 + (w - y)^2 - 1\"]\n[initial]\nq = [0.6, 0.8, "
                   "1.6, 0.8]\nv = [0, 0, 0, 1]\n[run]\nstep = 0.01\nduration = 600\n",
                   held});
    all.push_back({"driven and chaotic",
                   planar("x^4/4 - x^2/2 + y^2/2 - 0.4*x*cos(1.3*t) + x*y/10", {"1, 0", "0, 0", "0.02", "400"}),
                   {"verlet", "gauss(2)", "midpoint", "compose(verlet, kahanli8)"}});
}

// Masses, offsets and units far from 1: the same motions, and nothing else changes but round-off.
void scales(std::vector<Deception>& all) {
    all.push_back({"a tiny mass on a rod",
                   "[coordinates]\nq = [\"x\", \"y\", \"u\", \"w\"]\n[dynamics]\nmass = [1, 1, 1e-8, 1e-8]\npotential "
                   "= \"y + 1e-8*w\"\nconstraints = [\"x^2 + y^2 - 1\", \"(u - x)^2 + (w - y)^2 - 1\"]\n[initial]\nq = "
                   "[1, 0, 2, 0]\nv = [0, 0.5, 0, 0.2]\n[run]\nstep = 0.01\nduration = 4\n",
                   {"rattle", "lobatto(3)", "shake", "spark(3)", "compose(rattle, kahanli8)"}});
    // The joint snaps over when the rods align, in a time that no step of these resolves.
    all.push_back({"a tiny mass between two",
                   "[coordinates]\nq = [\"x\", \"y\", \"u\", \"w\"]\n[dynamics]\nmass = [1e-10, 1e-10, 1, "
                   "1]\npotential = \"w\"\nconstraints = [\"x^2 + y^2 - 1\", \"(u - x)^2 + (w - y)^2 - "
                   "1\"]\n[initial]\nq = [1, 0, 1, -1]\nv = [0, 0.1, 0.3, 0.1]\n[run]\nstep = 0.005\nduration = 0.5\n",
                   {"rattle", "lobatto(3)", "shake"},
                   99,
                   {},
                   false});
    all.push_back({"tiny masses in a field of force",
                   planar("1e-9*((x^2 + y^2)/2 + x^2*y)", {"0.2, 0.1", "0.1, 0.3", "0.05", "20"}, "1e-9"),
                   {"verlet", "gauss(2)", "multistep(8)", "runge2"}});
    all.push_back({"huge masses",
                   planar("1e9*((x^2 + y^2)/2 + x^2*y)", {"0.2, 0.1", "0.1, 0.3", "0.05", "20"}, "1e9"),
                   {"verlet", "radau(2)", "multistep(4)", "midpoint"}});
    all.push_back({"a pendulum far from the origin",
                   on_circle("y", {"\"1e6 + 1\", 0", "0, 0.2", "0.02", "10"}, "(x - 1e6)^2 + y^2 - 1"),
                   {"rattle", "lobatto(3)", "shake", "compose(rattle, kahanli8)"}});
    all.push_back({"a well far from the origin",
                   planar("((x - 1e8)^2 + y^2)/2 + (x - 1e8)^2*y", {"\"1e8 + 0.2\", 0.1", "0.1, 0.3", "0.05", "20"}),
                   {"verlet", "gauss(2)", "compose(verlet, kahanli8)", "runge2"}});
    all.push_back({"a chaotic well far from the origin",
                   planar("((x - 1e8)^2 + y^2)/2 + (x - 1e8)^2*y - y^3/3", {"1e8, -0.1", "0.45, 0.1", "0.05", "2000"}),
                   {"verlet", "gauss(2)"}});
    all.push_back({"an energy with an offset",
                   planar("1e10 + (x^2 + y^2)/2 + x^2*y", {"0.2, 0.1", "0.1, 0.3", "0.01", "20"}),
                   {"verlet", "runge2", "radau(2)", "lobatto-c(3)"}});
    all.push_back({"fast travel",
                   planar("(1 - cos(x)) + y^2/2 + y*sin(x)/5", {"0, 0.1", "1e5, 0", "1e-7", "1e-4"}),
                   {"verlet", "gauss(2)", "midpoint"}});
}

// Motions on which methods are better than they claim to be in general: linear equations, linear constraints, no force
// at all.
void special(std::vector<Deception>& all) {
    all.push_back({"linear springs",
                   planar("x^2/2 + y^2 + x*y/3", {"1, 0", "0, 0.5", "0.05", "20"}),
                   {"verlet", "lobatto-a(2)", "lobatto-a(3)", "lobatto-b(3)", "lobatto-c(3)", "multistep(4)",
                    "gauss(2)", "runge2", "radau(2)", "midpoint"},
                   99,
                   {},
                   true,
                   true});
    all.push_back({"constant force",
                   planar("y", {"1, 0", "0.3, 0.5", "0.05", "5"}),
                   {"verlet", "midpoint", "gauss(2)", "lobatto-a(3)", "runge2", "radau(2)", "multistep(4)"},
                   99,
                   {},
                   true,
                   true});
    all.push_back({"no force",
                   planar("0*x", {"1, 0", "0.3, 0.5", "0.05", "5"}),
                   {"verlet", "midpoint", "symplectic-euler"},
                   99,
                   {},
                   true,
                   true});
    all.push_back(
        {"at rest", planar("x^2 + y^2", {"0, 0", "0, 0", "0.05", "5"}), {"verlet", "gauss(2)"}, 99, {}, true, true});
    all.push_back(
        {"linear constraint",
         planar("(x^2 + y^2)/2 + x^4/5", {"0.4, -0.4", "0.2, -0.2", "0.05", "10"}, "1", "constraints = [\"x + y\"]"),
         {"shake", "rattle", "lobatto(3)", "spark(2)", "bdf(2)", "projected-radau(2)"},
         99,
         {},
         true,
         true});
    all.push_back({"escape",
                   planar("1/(x^2 + y^2)", {"0.5, 0.2", "-0.1, 0.1", "0.01", "50"}),
                   {"verlet", "gauss(2)", "runge2", "multistep(4)"},
                   99,
                   {},
                   true,
                   true});
    all.push_back({"slow motion over a short time",
                   planar("(x^2 + y^2)/2 + x^2*y", {"0.2, 0.1", "0.1, 0.3", "1e-5", "0.01"}),
                   {"verlet", "gauss(2)", "lobatto(3)", "radau(2)"}});
    all.push_back({"no step and no duration",
                   planar(beat + " + if(x > 0.6, x - 0.6, 0)", {"0.05, 1", "0, 0.1", "", ""}),
                   {"verlet", "gauss(2)"},
                   1,
                   {},
                   false});
}

// Time in constraints, forces, fields; rigid and rolling things.
void other_kinds(std::vector<Deception>& all) {
    all.push_back({"pivot that starts to shake",
                   on_circle("y", {"1, 0", "0, 0", "0.02", "20"}, "(x - 0.1*sin(t)^2)^2 + y^2 - 1"),
                   {"rattle", "lobatto(3)", "spark(3)", "shake"}});
    all.push_back(
        {"divergence-free field",
         "[coordinates]\nq = [\"x\", \"y\", \"z\"]\n[field]\nq = { x = \"sin(z) + cos(y)\", y = \"sin(x) + cos(z)\", z "
         "= \"sin(y) + cos(x)\" }\n[initial]\nq = [0.3, 0.1, 0.2]\n[run]\nstep = 0.02\nduration = 200\n",
         {"runge2", "midpoint", "gauss(2)", "radau(2)"}});
    all.push_back(
        {"damped pendulum",
         on_circle("y", {"1, 0", "0, 0", "0.02", "60"}) +
             "[[forces]]\nname = \"damper\"\nclass = \"dissipative\"\non = { x = \"-0.3*v_x\", y = \"-0.3*v_y\" }\n",
         {"spark(2)", "spark(3)", "spark(4)"}});
    all.push_back({"motor that starts late",
                   on_circle("y", {"1, 0", "0, 0", "0.02", "12"}) +
                       "[[forces]]\nname = \"motor\"\nclass = \"driving\"\non = { x = \"if(t > 6.1234, 0.5, 0)\" }\n",
                   {"spark(2)", "spark(3)", "spark(4)"},
                   1,
                   Deception::Kink{-1, 6.1234}});
    all.push_back({"close encounter",
                   planar("-1/sqrt(x^2 + y^2)", {"1, 0", "0, 0.14", "0.01", "20"}),
                   {"verlet", "gauss(2)", "compose(verlet, kahanli8)", "multistep(4)", "midpoint"}});
}

}  // namespace

const std::vector<Deception>& deceptions() {
    static const auto list = [] {
        std::vector<Deception> all;
        for (const auto add :
             {late_kinks, kinks_elsewhere, stiff, near_dependent, step_sizes, chaotic, scales, special, other_kinds}) {
            add(all);
        }
        return all;
    }();
    return list;
}

}  // namespace libration::conformance
