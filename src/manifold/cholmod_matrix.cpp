// CHOLMOD's supernodal Cholesky factorisation behind ConstraintMatrix [ChenDavisHagerRajamanickam2008].
#include <libration/manifold/cholmod_matrix.hpp>

#include <libration/text/error.hpp>

#ifdef LIBRATION_HAS_CHOLMOD

#include <libration/manifold/constraint_products.hpp>
#include <libration/manifold/ordering.hpp>

#include <cholmod.h>

#include <cmath>
#include <limits>
#include <optional>

namespace libration {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

class Common {
  public:
    Common() {
        cholmod_l_start(&common_);
        common_.supernodal = CHOLMOD_SUPERNODAL;
        common_.print = 0;  // a library does not print; states are in common_.status
    }
    ~Common() { cholmod_l_finish(&common_); }
    Common(const Common&) = delete;
    Common& operator=(const Common&) = delete;
    operator cholmod_common*() { return &common_; }
    cholmod_common* operator->() { return &common_; }

  private:
    cholmod_common common_{};
};

// What CHOLMOD allocates, given back when it goes.
struct Handles {
    Handles() = default;
    ~Handles() {
        for (auto** dense : {&solution, &first, &second}) {
            cholmod_l_free_dense(dense, common);
        }
        cholmod_l_free_factor(&factor, common);
        cholmod_l_free_sparse(&a, common);
    }
    Handles(const Handles&) = delete;
    Handles& operator=(const Handles&) = delete;

    Common common;
    cholmod_sparse* a = nullptr;
    cholmod_factor* factor = nullptr;
    cholmod_dense *solution = nullptr, *first = nullptr, *second = nullptr;  // reused by every solution
};

class CholmodMatrix final : public ConstraintMatrix<double> {
  public:
    explicit CholmodMatrix(const System<double>& system) {
        allocate(system);
        assembly_.emplace(system, own_.a->nzmax, [this](auto i, auto j) { return place(i, j); });
        own_.factor = cholmod_l_analyze(own_.a, own_.common);
        if (own_.factor == nullptr || own_.factor->is_super == 0) {
            throw InputError("CHOLMOD cannot analyse G M^-1 G^T; use the default factorisation");
        }
    }

    // A on entry to a factorisation and L after it share the caller's room.
    [[nodiscard]] std::size_t entries() const override { return std::max(own_.a->nzmax, own_.factor->xsize); }

    void assemble(System<double>& system, const double& t, std::span<const double> q, std::span<const double> p,
                  std::span<const double> G, std::span<double> values) override {
        (*assembly_)(system, t, q, p, G, values.first(own_.a->nzmax));
    }

    double factor(std::span<double> values) const override {
        auto* numbers = static_cast<double*>(own_.a->x);
        std::copy_n(values.begin(), own_.a->nzmax, numbers);
        const Attached attached(*own_.factor, values.data());
        const bool done =
            cholmod_l_factorize(own_.a, own_.factor, own_.common) != 0 && own_.common->status == CHOLMOD_OK;
        return done ? smallest_pivot(values, numbers) : failed_pivot(numbers);
    }

    void solve(std::span<const double> values, std::span<double> x) const override {
        // CHOLMOD has no const factor; a solve only reads it.
        const Attached attached(*own_.factor, const_cast<double*>(values.data()));
        cholmod_dense right{};
        right.nrow = right.nzmax = right.d = x.size();
        right.ncol = 1;
        right.x = x.data();
        right.xtype = CHOLMOD_REAL;
        right.dtype = CHOLMOD_DOUBLE;
        if (cholmod_l_solve2(CHOLMOD_A, own_.factor, &right, nullptr, &own_.solution, nullptr, &own_.first,
                             &own_.second, own_.common) != 0) {
            std::copy_n(static_cast<const double*>(own_.solution->x), x.size(), x.begin());
        } else {
            std::fill(x.begin(), x.end(), not_a_number);
        }
    }

  private:
    // Lends the caller's room to the factor. A supernodal factor that is numeric on entry is overwritten in place and never
    // moved (comment of cholmod_super_numeric); it must be symbolic again before CHOLMOD frees it.
    class Attached {
      public:
        Attached(cholmod_factor& factor, double* values) : factor_(&factor) {
            factor.x = values;
            factor.xtype = CHOLMOD_REAL;
            factor.is_ll = 1;
        }
        ~Attached() {
            factor_->x = nullptr;
            factor_->xtype = CHOLMOD_PATTERN;
        }
        Attached(const Attached&) = delete;
        Attached& operator=(const Attached&) = delete;

      private:
        cholmod_factor* factor_;
    };

    // The lower triangle of A, column after column.
    void allocate(const System<double>& system) {
        const bool diagonal = !system.inverse_masses().empty();
        const auto graph =
            diagonal ? constraint_graph(system.pattern(), system.dimension()) : full_graph(system.constraints());
        const std::size_t m = graph.rows(), count = m + graph.neighbour.size() / 2;
        auto* a = own_.a = cholmod_l_allocate_sparse(m, m, count, 1, 1, -1, CHOLMOD_REAL, own_.common);
        if (a == nullptr) {
            throw InputError("there is no memory for G M^-1 G^T; use a smaller model");
        }
        auto* start = static_cast<SuiteSparse_long*>(a->p);
        auto* row = static_cast<SuiteSparse_long*>(a->i);
        SuiteSparse_long e = 0;
        for (std::size_t j = 0; j < m; ++j) {
            start[j] = e;
            row[e++] = static_cast<SuiteSparse_long>(j);
            for (std::size_t k = graph.start[j]; k < graph.start[j + 1]; ++k) {
                if (graph.neighbour[k] > j) {
                    row[e++] = graph.neighbour[k];
                }
            }
        }
        start[m] = e;
    }

    [[nodiscard]] std::size_t place(std::uint32_t i, std::uint32_t j) const {
        const auto [column, below] = std::minmax(i, j);
        const auto* start = static_cast<const SuiteSparse_long*>(own_.a->p);
        const auto* row = static_cast<const SuiteSparse_long*>(own_.a->i);
        const auto* found = std::lower_bound(row + start[column], row + start[column + 1], SuiteSparse_long{below});
        return static_cast<std::size_t>(found - row);
    }

    // A = L L^T, so D_k is the square of L_kk.
    [[nodiscard]] double smallest_pivot(std::span<const double> values, const double* numbers) const {
        const auto* first = static_cast<const SuiteSparse_long*>(own_.factor->super);
        const auto* rows = static_cast<const SuiteSparse_long*>(own_.factor->pi);
        const auto* panel = static_cast<const SuiteSparse_long*>(own_.factor->px);
        const auto* order = static_cast<const SuiteSparse_long*>(own_.factor->Perm);
        const auto* start = static_cast<const SuiteSparse_long*>(own_.a->p);
        double smallest = 1;
        for (std::size_t s = 0; s < own_.factor->nsuper; ++s) {
            const auto height = rows[s + 1] - rows[s];
            for (auto k = first[s]; k < first[s + 1]; ++k) {
                const double l = values[static_cast<std::size_t>(panel[s] + (k - first[s]) * (height + 1))];
                smallest = worse_pivot(smallest, l * l / numbers[start[order[k]]]);
            }
        }
        return smallest;
    }
    static double worse_pivot(double smallest, double ratio) {
        return (smallest < ratio ? smallest : ratio) + (smallest - smallest);
    }

    [[nodiscard]] double failed_pivot(const double* numbers) const {
        const bool finite =
            std::all_of(numbers, numbers + own_.a->nzmax, [](double number) { return std::isfinite(number); });
        return finite && own_.common->status == CHOLMOD_NOT_POSDEF ? 0.0 : not_a_number;
    }

    mutable Handles own_;
    std::optional<ConstraintAssembly<double>> assembly_;
};

}  // namespace

bool has_cholmod() { return true; }

std::unique_ptr<ConstraintMatrix<double>> make_cholmod_matrix(const System<double>& system) {
    return std::make_unique<CholmodMatrix>(system);
}

}  // namespace libration

#else

namespace libration {

bool has_cholmod() { return false; }

std::unique_ptr<ConstraintMatrix<double>> make_cholmod_matrix(const System<double>& /*system*/) {
    throw InputError(
        "this build has no CHOLMOD: configure with -DLIBRATION_CHOLMOD=ON, or use the default factorisation");
}

}  // namespace libration

#endif
