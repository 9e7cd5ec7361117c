// Reference solutions: read from text, or computed with a method of order 14 or 16 and verified with twice as many
// steps.
#include "reference_solution.hpp"

#include <libration/analysis/certify.hpp>
#include <libration/text/error.hpp>

namespace libration {

LadderRun run_ladder(const Method& method, const Model& model, System<Fine>& system, const StartState<Fine>& start,
                     double duration, std::int64_t steps, std::int64_t samples, double largest_step) {
    LadderRun run;
    const Fine h = from_double<Fine>(duration) / lit<Fine>(steps);
    run.rung.steps = steps;
    run.rung.h = to_double(h);
    Walk<Fine> walk(method, model, system);
    Residuals<Fine> residuals(system);
    const std::int64_t stride = std::max<std::int64_t>(1, steps / samples);
    bool alive = walk.begin(lit<Fine>(0), start.q, start.p, h);
    for (std::int64_t done = 0; alive && done < steps;) {
        const auto next = std::min(stride, steps - done);
        alive = walk.go(next);
        done += next;
        if (alive) {
            residuals.see(walk, std::max(run.rung.h, largest_step));
        }
    }
    run.work = walk.work();
    run.failure = walk.failure();
    run.rung.failed = !alive;
    run.rung.position = residuals.position;
    run.rung.hidden = residuals.hidden;
    if (alive) {
        const auto node = walk.node();
        EndState end{{node.q.begin(), node.q.end()}, {node.p.begin(), node.p.end()}, {}};
        end.lambda.assign(reaction_count(system), lit<Fine>(0));
        Manifold<Fine>(system).multipliers(node.t, node.q, node.p, end.lambda);
        run.end = std::move(end);
    }
    return run;
}

Rung difference(const EndState& a, const EndState& b) {
    const auto relative = [](const std::vector<Fine>& x, const std::vector<Fine>& y) {
        const double size = largest_of<Fine>(y);
        return distance<Fine>(x, y) / (size > 0 ? size : 1);
    };
    Rung rung;
    rung.q = relative(a.q, b.q);
    rung.p = relative(a.p, b.p);
    rung.lambda = relative(a.lambda, b.lambda);
    return rung;
}

namespace {

std::vector<Fine> numbers(const std::vector<std::string>& texts) {
    std::vector<Fine> values;
    for (const auto& text : texts) {
        values.push_back(from_text<Fine>(text));
    }
    return values;
}

// Twice as many steps until the last doubling changes nothing that matters, or the work is done. The change is that of
// the coarser of the two: the accuracy of the finer one is better.
std::optional<ReferenceSolution> computed(const Subject& subject, System<Fine>& system, const StartState<Fine>& start,
                                          const std::string& spec, double goal) {
    const auto reference = method(spec);
    const double work = subject.options.work;
    std::int64_t steps = std::max<std::int64_t>(4, std::llround(2 * subject.options.duration / subject.options.step));
    std::optional<EndState> coarse;
    std::optional<ReferenceSolution> best;
    // A reference that fails with steps 256 times smaller than those of the ladder will not help it.
    int failures = 0;
    for (double spent = 0, last = 0; spent + 2 * last <= work && failures < 9; steps *= 2) {
        const auto run = run_ladder(reference, *subject.model, system, start, subject.options.duration, steps, 1);
        spent += run.work;
        last = run.work;
        failures += run.end ? 0 : 1;
        if (run.end && coarse) {
            const auto change = difference(*run.end, *coarse);
            const double accuracy = std::max({change.q, change.p, change.lambda});
            if (best && accuracy >= best->accuracy) {
                best->accuracy = accuracy;  // the smaller change before was luck, or this is round-off
                break;
            }
            best = ReferenceSolution{*run.end, fmt::format("{} with {} steps", spec, steps), accuracy, spec, steps};
            if (accuracy < goal) {
                break;
            }
        }
        coarse = run.end;
    }
    return best && best->accuracy < 1e-8 ? best : std::nullopt;
}

}  // namespace

std::string reference_method(const SystemProperties& properties, std::size_t constraints) {
    for (const std::string spec : {"lobatto(8)", "gauss(8)", "spark(8)"}) {
        try {
            if (unmet_needs(method(spec), properties, constraints).empty() &&
                (constraints == 0 || !spec.starts_with("gauss"))) {  // Gauss methods diverge with constraints
                return spec;
            }
        } catch (const InputError&) {
            continue;  // not registered
        }
    }
    return {};
}

std::optional<ReferenceSolution> reference_solution(const Subject& subject, System<Fine>& system,
                                                    const StartState<Fine>& start, double goal) {
    if (subject.options.exact) {
        const auto& exact = *subject.options.exact;
        return ReferenceSolution{
            {numbers(exact.q), numbers(exact.p), numbers(exact.lambda)}, exact.source, exact.accuracy};
    }
    const auto spec = reference_method(subject.properties, system.constraints());
    return spec.empty() ? std::nullopt : computed(subject, system, start, spec, goal);
}

}  // namespace libration
