// Specifications, the registry, and what is special to SHAKE, RATTLE and leapfrog.
#include "integrate/start.hpp"
#include "system/term_system.hpp"
#include <libration/integrate/integrate.hpp>
#include <libration/kit/method_record.hpp>
#include <libration/methods/method.hpp>
#include <libration/model/model.hpp>
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

namespace libration {
namespace {

std::string fault(const std::string& spec) {
    try {
        (void)method(spec);
    } catch (const InputError& error) {
        return error.what();
    }
    return "no fault";
}

TEST(MethodSpec, prints_back_in_the_form_in_which_it_is_written) {
    for (const auto* text : {"rattle", "lobatto(3)", "compose(rattle, kahanli8)", "multistep(6, -0.7, 0.4, beta=1/10)",
                             "compose(compose(rattle, suzuki4), triplejump)"}) {
        EXPECT_EQ(to_string(parse_spec(text)), text);
    }
    EXPECT_EQ(to_string(parse_spec("  compose( rattle,kahanli8 ) ")), "compose(rattle, kahanli8)");
    for (const auto* text : {"", "rattle(", "rattle)", "a(,)", "a b", "lobatto(3"}) {
        EXPECT_THROW(parse_spec(text), InputError) << text;
    }
}

TEST(Registry, unknown_methods_are_met_with_a_suggestion) {
    EXPECT_NE(fault("ratle").find("unknown method 'ratle': did you mean 'rattle'?"), std::string::npos);
    EXPECT_NE(fault("rattle(3)").find("takes no parameters"), std::string::npos);
}

TEST(Registry, every_reference_is_in_the_bibliography_and_every_name_is_unique) {
    std::ifstream file(LIBRATION_SOURCE_DIR "/docs/references.bib");
    std::stringstream text;
    text << file.rdbuf();
    std::set<std::string_view> names;
    for (const auto* record : methods()) {
        EXPECT_NE(text.str().find('{' + std::string(record->reference) + ','), std::string::npos) << record->name;
        EXPECT_TRUE(names.insert(record->name).second);
        EXPECT_FALSE(record->summary.empty());
        EXPECT_FALSE(examples(*record).empty());
    }
}

TEST(Registry, a_method_that_does_not_fit_names_those_that_would) {
    const auto refusal = [](const char* spec, const char* problem) -> std::string {
        try {
            integrate(Model::load(problem), method(spec), {.step = 0.01, .steps = 1});
        } catch (const InputError& error) {
            return error.what();
        }
        return "ran";
    };
    EXPECT_NE(refusal("verlet", "pendulum").find("suitable methods: shake, rattle"), std::string::npos);
    const auto for_kepler = refusal("shake", "kepler");
    EXPECT_NE(for_kepler.find(", verlet, verlet-b, leapfrog, "), std::string::npos) << for_kepler;
    EXPECT_EQ(for_kepler.find("constrain"), for_kepler.find("constraints")) << for_kepler;  // it does not fit
    EXPECT_EQ(refusal("rattle", "kepler"), "ran");
}

struct Positions final : Observer {
    void see(const Sample& sample) override {
        q.emplace_back(sample.q.begin(), sample.q.end());
        p.emplace_back(sample.p.begin(), sample.p.end());
    }
    std::vector<std::vector<double>> q, p;
};

double largest_difference(const std::vector<std::vector<double>>& a, const std::vector<std::vector<double>>& b) {
    double most = 0;
    for (std::size_t n = 0; n < a.size(); ++n) {
        for (std::size_t j = 0; j < a[n].size(); ++j) {
            most = std::max(most, std::abs(a[n][j] - b[n][j]));
        }
    }
    return most;
}

// A thousand steps that each add round-off of 1e-16 and do not amplify it on these regular motions: 1e-13 at most.
TEST(Methods, shake_and_rattle_have_the_same_positions) {
    for (const auto* problem : {"pendulum", "double-pendulum"}) {
        Positions shake, rattle;
        integrate(Model::load(problem), method("shake"), {.step = 0.02, .steps = 1000}, shake);
        integrate(Model::load(problem), method("rattle"), {.step = 0.02, .steps = 1000}, rattle);
        ASSERT_EQ(shake.q.size(), 1001U);
        EXPECT_LT(largest_difference(shake.q, rattle.q), 1e-13) << problem;
        // p_n differs by the projection: O(h^2), and not less.
        EXPECT_GT(largest_difference(shake.p, rattle.p), 1e-6) << problem;
    }
}

TEST(Methods, leapfrog_and_verlet_are_one_method) {
    Positions leapfrog, verlet;
    const auto model = Model::load("toda");
    integrate(model, method("leapfrog"), {.step = 0.01, .steps = 1000}, leapfrog);
    integrate(model, method("verlet"), {.step = 0.01, .steps = 1000}, verlet);
    EXPECT_LT(largest_difference(leapfrog.q, verlet.q), 1e-13);
    EXPECT_LT(largest_difference(leapfrog.p, verlet.p), 1e-13);
}

// h -> -h from the end; a thousand steps there and a thousand back, each with round-off of 1e-16. For the staggered
// methods the way back starts from the node, whose momentum is an average.
TEST(Methods, there_and_back_returns_to_the_start) {
    for (const auto* spec : {"rattle", "shake"}) {
        for (const auto* problem : {"pendulum", "double-pendulum"}) {
            const auto model = Model::load(problem);
            TermSystem<double> system(model);
            const auto start = start_state<double>(model, system);
            const int lag = method(spec).lag();
            auto q = start.q;
            auto p = start.p;
            for (const double h : {0.02, -0.02}) {
                const auto stepper = make_stepper<double>(method(spec), system);
                stepper->start(0, q, p, h);
                for (int n = 0; n < 1000 + lag; ++n) {
                    EXPECT_EQ(stepper->advance().converged, 1);
                    stepper->accept();
                }
                const auto node = stepper->node();
                q.assign(node.q.begin(), node.q.end());
                p.assign(node.p.begin(), node.p.end());
            }
            for (std::size_t j = 0; j < q.size(); ++j) {
                EXPECT_NEAR(q[j], start.q[j], 1e-13) << spec << ' ' << problem;
                EXPECT_NEAR(p[j], start.p[j], 1e-13) << spec << ' ' << problem;
            }
        }
    }
}

TEST(Methods, one_force_one_factorisation_and_few_newton_passes_a_step) {
    const auto run = integrate(Model::load("triple-pendulum"), method("rattle"), {.step = 0.01, .steps = 10'000});
    EXPECT_EQ(run.evaluations.force, 10'001);
    EXPECT_EQ(run.evaluations.factorizations, 10'001);
    // 2.4 to reach round-off, and the last correction on top.
    EXPECT_LE(run.evaluations.newton_iterations, 35'000);
}

// A step that fails must leave the memory as it was.
class Snapshot final : public MemoryVisitor<double> {
  public:
    void array(std::string_view, std::span<double> values) override {
        values_.insert(values_.end(), values.begin(), values.end());
    }
    void integer(std::string_view, std::int64_t& value) override { values_.push_back(static_cast<double>(value)); }
    friend bool operator==(const Snapshot& a, const Snapshot& b) { return a.values_ == b.values_; }

  private:
    std::vector<double> values_;
};

TEST(Methods, a_failed_step_leaves_the_state_untouched) {
    for (const auto* spec : {"rattle", "shake"}) {
        const auto model = Model::load("pendulum");
        TermSystem<double> system(model);
        const auto start = start_state<double>(model, system);
        const auto stepper = make_stepper<double>(method(spec), system);
        stepper->start(0, start.q, std::vector<double>{0, -3},
                       10);  // far too long a step: the circle cannot be reached
        Snapshot before, after;
        stepper->visit(before);
        EXPECT_NE(stepper->advance().converged, 1) << spec;
        stepper->visit(after);
        EXPECT_TRUE(before == after) << spec;
    }
}

}  // namespace
}  // namespace libration
