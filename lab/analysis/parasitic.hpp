// The parasitic components of a symmetric multistep method along a run. The numerical solution is
//
//     q_n = y(n h) + sum_i zeta_i^n z_i(n h),        lambda_n = mu(n h) + sum_i zeta_i^n nu_i(n h)        [CHL section 7]
//
// with smooth functions; zeta_i are the roots of rho but 1 for z_i, the roots of sigma but 0 for nu_i. |z_i| and h^2
// |G^T nu_i| are nearly constant over very long times if (12) and (13) hold [CHL Prop. 7], and grow if they do not.
#pragma once

#include <libration/methods/spec.hpp>
#include <libration/model/model.hpp>

#include <string>
#include <vector>

namespace libration {

struct ParasiticOptions {
    double step = 0;
    std::int64_t steps = 0;
    int rows = 20;  // parts of the run, of which the largest values are reported
    bool project = false;
};

// One component: a root e^(i angle) times modulus, with its conjugate.
struct ParasiticComponent {
    bool of_positions = true;  // z_i, otherwise h^2 G^T nu_i
    double modulus = 1, angle = 0;
    std::vector<double> largest;  // Euclidean norm, the largest of each part of the run
};

struct ParasiticWatch {
    std::string model, method;
    double step = 0;
    std::vector<double> t;  // ends of the parts
    std::vector<ParasiticComponent> components;
    std::string failure;  // why the run ended early; empty: it did not
    std::vector<std::string> warnings;
};

// Runs `spec`, a multistep method, and filters the components out of 2 k positions at a time: (E - 1)^(k+2) removes
// what is smooth, up to h^(k+2) times a derivative of it, the other roots remove the other components. Throws an
// InputError for other methods, for k = 2, which has none, and for runs that cannot start. Methods that their records
// doubt are accepted.
ParasiticWatch watch_parasitic(const Model& model, const MethodSpec& spec, const ParasiticOptions& options);

}  // namespace libration
