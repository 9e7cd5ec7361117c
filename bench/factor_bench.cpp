// What the matrix A = G M^-1 G^T of a model costs: its analysis, and the three calls that a step makes of it.
//
//     factor_bench MODEL [NAME=VALUE]...       a built-in problem or a file, with parameters
//
// Medians of five, CPU time of the thread.
#include "integrate/start.hpp"
#include "manifold/sparse_constraint_matrix.hpp"
#include "manifold/supernodal_constraint_matrix.hpp"
#include "scalar/aligned.hpp"
#include "system/term_system.hpp"
#include <libration/kit/sparse_product.hpp>
#include <libration/text/error.hpp>

#include <fmt/core.h>

#include <malloc.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <exception>
#include <fstream>
#include <string>

namespace {

using libration::ConstraintMatrix;
using libration::Model;
using libration::TermSystem;

constexpr std::size_t repetitions = 5;

double seconds(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Seconds of `work`; `prepare` is not counted.
template <class Prepare, class Work>
double median_time(Prepare prepare, Work work) {
    std::array<double, repetitions> times{};
    for (auto& time : times) {
        prepare();
        const double began = seconds(CLOCK_THREAD_CPUTIME_ID);
        work();
        time = seconds(CLOCK_THREAD_CPUTIME_ID) - began;
    }
    std::sort(times.begin(), times.end());
    return times[repetitions / 2];
}
template <class Work>
double median_time(Work work) {
    return median_time([] {}, work);
}

// Bytes by name: VmRSS is what is resident now, VmHWM the most that ever was.
double memory(const std::string& name) {
    malloc_trim(0);  // what was freed is no longer ours
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        double kilobytes = 0;
        if (word == name + ":" && status >> kilobytes) {
            return 1024 * kilobytes;
        }
    }
    throw libration::InputError("/proc/self/status does not tell " + name + ": factor_bench needs Linux");
}
// What is resident; from now on VmHWM counts anew. In this order: what loading left behind is no peak of ours.
double forget_peak() {
    const double resident = memory("VmRSS");
    std::ofstream clear("/proc/self/clear_refs");
    clear << "5" << std::flush;
    if (!clear) {
        throw libration::InputError(
            "cannot write /proc/self/clear_refs: the peak of analysis would be that of loading");
    }
    return resident;
}

// The point at which all is measured, and a right-hand side b = A y that is as large as |A| |y|: a residual relative to
// b is one relative to what rounding can spoil.
struct Point {
    std::vector<double> q, G, b;
};

std::vector<double> product(TermSystem<double>& system, const Point& point, std::span<const double> x) {
    std::vector<double> forces(system.dimension()), velocities(system.dimension()), rows(system.constraints());
    libration::add_transposed<double>(system.pattern(), point.G, x, forces);
    system.solve_mass(0, point.q, {}, forces, velocities);
    libration::apply_jacobian<double>(system.pattern(), point.G, velocities, rows);
    return rows;
}

Point start_point(const Model& model, TermSystem<double>& system) {
    Point point{libration::start_state(model, system).q, std::vector<double>(system.pattern().entries()), {}};
    system.jacobian(0, point.q, point.G);
    std::vector<double> y(system.constraints());
    for (std::size_t i = 0; i < y.size(); ++i) {
        y[i] = std::cos(static_cast<double>(i));
    }
    point.b = product(system, point, y);
    return point;
}

double relative_residual(TermSystem<double>& system, const Point& point, std::span<const double> x) {
    const auto rows = product(system, point, x);
    double squares = 0, reference = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        squares += (rows[i] - point.b[i]) * (rows[i] - point.b[i]);
        reference += point.b[i] * point.b[i];
    }
    return std::sqrt(squares / reference);
}

std::string name(const ConstraintMatrix<double>& matrix) {
    const bool sparse = dynamic_cast<const libration::SparseConstraintMatrix<double>*>(&matrix) != nullptr;
    return sparse ? "sparse factor" : "supernodal factor";
}

class Table {
  public:
    explicit Table(std::size_t constraints) : constraints_(static_cast<double>(constraints)) {}
    void time(const char* name, double value) const {
        fmt::print("  {:<28} {:>12.6f} s   {:>10.1f} ns a constraint\n", name, value, 1e9 * value / constraints_);
    }
    void bytes(const char* name, double value) const {
        fmt::print("  {:<28} {:>12.1f} MB  {:>10.1f} bytes a constraint\n", name, 1e-6 * value, value / constraints_);
    }
    void entries(std::size_t value) const {
        fmt::print("  {:<28} {:>12}     {:>10.2f} a constraint\n", "entries of the factor", value,
                   static_cast<double>(value) / constraints_);
    }
    static void number(const char* name, double value) { fmt::print("  {:<28} {:>12.2e}\n", name, value); }

  private:
    double constraints_;
};

// The parts that an analysis begins with.
void measure_ordering(const TermSystem<double>& system, const Table& table) {
    if (system.inverse_masses().empty()) {
        return;  // all constraints couple: there is nothing to order
    }
    table.time("  of it the graph", median_time([&] {
                   static_cast<void>(libration::constraint_graph(system.pattern(), system.dimension()));
               }));
    table.time("  of it the order", median_time([&] {
                   static_cast<void>(libration::fill_reducing_order(system.pattern(), system.dimension()));
               }));
}

// False if the matrix cannot be factored, or a solution is no solution.
bool measure(TermSystem<double>& system, const Point& point) {
    const auto make = [&] { return libration::make_constraint_matrix(system); };
    const Table table(system.constraints());
    std::unique_ptr<ConstraintMatrix<double>> matrix;
    const double resident = forget_peak();
    matrix = make();
    const double peak = memory("VmHWM") - resident, grown = memory("VmRSS") - resident;
    const double analysis = median_time([&] { matrix.reset(); }, [&] { matrix = make(); });

    libration::AlignedVector<double> values(matrix->entries());
    std::vector<double> x(system.constraints());
    double pivot = 0;
    const auto assemble = [&] { matrix->assemble(system, 0, point.q, {}, point.G, values); };
    const double assembly = median_time(assemble);
    const double factorisation = median_time(assemble, [&] { pivot = matrix->factor(values); });
    const double solution = median_time([&] { x = point.b; }, [&] { matrix->solve(values, x); });
    const double residual = relative_residual(system, point, x);

    fmt::print("{}\n", name(*matrix));
    table.time("analysis", analysis);
    measure_ordering(system, table);
    table.time("assemble", assembly);
    table.time("factor", factorisation);
    table.time("solve", solution);
    table.entries(values.size());
    table.bytes("values", static_cast<double>(sizeof(double) * values.size()));
    table.bytes("resident after analysis", grown);
    table.bytes("resident at its peak", peak);
    Table::number("smallest relative pivot", pivot);
    Table::number("|A x - b| / |b|", residual);
    // Far above rounding, far below a wrong solution.
    return pivot > 0 && residual < 1e-6;
}

int run(int count, char** words) {
    if (count < 2) {
        throw libration::InputError("usage: factor_bench MODEL [NAME=VALUE]...");
    }
    std::vector<std::pair<std::string, std::string>> overrides;
    for (int k = 2; k < count; ++k) {
        const std::string word = words[k];
        const auto equals = word.find('=');
        if (equals == std::string::npos) {
            throw libration::InputError("cannot read '" + word + "': write NAME=VALUE");
        }
        overrides.emplace_back(word.substr(0, equals), word.substr(equals + 1));
    }

    const auto model = Model::load(words[1], overrides);
    TermSystem<double> system(model);
    if (system.constraints() == 0) {
        throw libration::InputError(model.name + " has no constraints: there is nothing to factor");
    }
    fmt::print("{}: {} constraints, {} coordinates; medians of {}\n", model.name, system.constraints(),
               system.dimension(), repetitions);
    const Table table(system.constraints());
    table.time("load", median_time([&] { static_cast<void>(Model::load(words[1], overrides)); }));
    table.time("system", median_time([&] { static_cast<void>(TermSystem<double>(model)); }));
    Point point;
    table.time("start values, Jacobian", median_time([&] { point = start_point(model, system); }));

    const bool sound = measure(system, point);
    if (!sound) {
        fmt::print(stderr, "factor_bench: A is not positive definite, or a solution is wrong\n");
    }
    return sound ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
    try {
        return run(count, words);
    } catch (const std::exception& fault) {
        fmt::print(stderr, "factor_bench: {}\n", fault.what());
        return 2;
    }
}
