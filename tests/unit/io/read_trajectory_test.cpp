// A run read back from its file is the run, number by number.
#include "trajectory_fixture.hpp"

#include "unit/system/external_samples.hpp"

#include <libration/integrate/trajectory.hpp>
#include <libration/io/read_trajectory.hpp>
#include <libration/io/trajectory_recorder.hpp>

namespace libration {
namespace {

class ReadTrajectory : public trajectory_test::TrajectoryFileTest {
  protected:
    // Runs with both observers and returns what was kept in memory.
    Trajectory record(const RunSettings& settings, const std::string& status) {
        TrajectoryRecorder file(TrajectoryFile::create(path, trajectory_layout(settings), true),
                                run_length(settings.options));
        TrajectoryKeeper keeper(settings.model, settings.method(), settings.options);
        Integration integration(settings.model, method(settings.method()), settings.options);
        integration.observe(file);
        integration.observe(keeper);
        const auto run = integration.run();
        EXPECT_EQ(to_string(run.status), status);
        file.finish(run);
        return keeper.trajectory;
    }

    void expect_same(const Trajectory& kept) const {
        const auto read = read_trajectory(path);
        EXPECT_GT(kept.rows(), 1u);
        EXPECT_EQ(read.step, kept.step);
        EXPECT_EQ(read.t, kept.t);
        EXPECT_EQ(read.energy, kept.energy);
        EXPECT_EQ(read.constraint, kept.constraint);
        EXPECT_EQ(read.hidden, kept.hidden);
        EXPECT_EQ(read.q, kept.q);
        EXPECT_EQ(read.p, kept.p);
        EXPECT_EQ(read.v, kept.v);
        EXPECT_EQ(read.lambda, kept.lambda);
        EXPECT_EQ(read.observables, kept.observables);
        EXPECT_EQ(read.model.name, kept.model.name);
        EXPECT_EQ(read.model.text, kept.model.text);
        EXPECT_EQ(read.method, kept.method);
        EXPECT_EQ(read.options.step, kept.options.step);
        EXPECT_EQ(read.holds_every_step(), kept.holds_every_step());
        EXPECT_EQ(values_along(read, "energy_error"), values_along(kept, "energy_error"));
    }

    std::string message() const {
        try {
            read_trajectory(path);
        } catch (const std::exception& error) {
            return error.what();
        }
        return "no error";
    }
};

TEST_F(ReadTrajectory, gives_what_was_recorded) {
    expect_same(
        record(resolve(Model::load("pendulum"), {.method = "rattle", .step = 0.01, .steps = 300}), "completed"));
    expect_same(
        record(resolve(Model::load("triple-pendulum"), {.method = "lobatto(3)", .step = 0.01, .steps = 50, .every = 7}),
               "completed"));
    expect_same(record(resolve(Model::load("kepler", {{"e", "0.3"}}), {.method = "verlet", .step = 0.01, .steps = 50}),
                       "completed"));
    // Masses that are not 1: momenta are no velocities.
    const auto top =
        record(resolve(Model::load("heavy-top"), {.method = "rattle", .step = 0.01, .steps = 50}), "completed");
    EXPECT_NE(top.p, top.v);
    expect_same(top);
}

TEST_F(ReadTrajectory, of_a_run_that_stopped_gives_the_rows_until_then) {
    const RunRequest request{.method = "rattle", .step = 0.01, .steps = 1000, .stop_if = "t > 1"};
    const auto kept = record(resolve(Model::load("pendulum"), request), "stopped");
    EXPECT_LT(kept.rows(), 200u);
    expect_same(kept);
}

TEST_F(ReadTrajectory, of_a_run_that_is_under_way_gives_the_rows_of_its_last_write) {
    const auto settings = resolve(Model::load("harmonic-oscillator"), {.method = "verlet", .step = 0.1, .steps = 50});
    auto file = TrajectoryFile::create(path, trajectory_layout(settings), true);
    EXPECT_TRUE(message().find("has recorded nothing yet") != std::string::npos) << message();
    const std::size_t n = settings.model.dimension;
    const std::vector<double> state(n, 0.5), observables(settings.model.observables.size(), 2.0);
    for (int row = 0; row < 5; ++row) {
        file.append({.step = row, .t = 0.1 * row, .q = state, .p = state, .v = state, .observables = observables});
    }
    file.write_checkpoint({});
    EXPECT_EQ(read_trajectory(path).rows(), 5u);
    // What a kill leaves: a row whose state was never written.
    const std::vector<double> unwritten(n, std::nan(""));
    file.append({.step = 5, .t = 0.5, .q = unwritten, .p = state, .v = state, .observables = observables});
    file.finish("stopped");
    const auto read = read_trajectory(path);
    EXPECT_EQ(read.rows(), 5u);
    EXPECT_EQ(read.observables.size(), 5u);
    EXPECT_EQ(read.step.back(), 4);
}

TEST_F(ReadTrajectory, refuses_a_model_whose_functions_are_in_no_file) {
    const auto settings =
        resolve(external_samples::external_pendulum(1), {.method = "rattle", .step = 0.01, .steps = 20});
    EXPECT_FALSE(settings.model.text.empty());
    EXPECT_EQ(record(settings, "completed").rows(), 21u);
    EXPECT_TRUE(message().find("the potential and the constraints of the model 'pendulum' cannot be traced") !=
                std::string::npos)
        << message();
    EXPECT_THROW((void)read_settings(TrajectoryFile::open_read_only(path)), InputError);
    EXPECT_EQ(missing_functions(TrajectoryFile::open_read_only(path)), "the potential and the constraints");
}

TEST_F(ReadTrajectory, refuses_what_is_no_trajectory) {
    EXPECT_THROW(read_trajectory(path), FileError);
    std::ofstream(path) << "t,x\n0,1\n";
    EXPECT_TRUE(message().find("not an HDF5 file") != std::string::npos) << message();
}

}  // namespace
}  // namespace libration
