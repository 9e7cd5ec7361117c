// Stopped gradients go on from a file to the bits that they would have had.
#include "result/checksum.hpp"
#include <libration/gradient/gradient.hpp>
#include <libration/integrate/events.hpp>
#include <libration/model/model.hpp>
#include <libration/text/error.hpp>

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <bit>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

namespace libration {
namespace {

struct Stopped {
    std::string name, model, method;
    GradientOptions options;
    std::vector<std::pair<std::string, std::string>> set = {};
};

// A directory of its own, which is removed.
class RestartedGradient : public testing::TestWithParam<Stopped> {
  protected:
    void SetUp() override {
        directory_ = std::filesystem::temp_directory_path() / ("restart-" + std::to_string(::getpid()));
        std::filesystem::create_directories(directory_);
    }
    void TearDown() override { std::filesystem::remove_all(directory_); }
    [[nodiscard]] std::string file() const { return directory_ / "kept"; }

    std::filesystem::path directory_;
};

std::vector<std::uint64_t> bits_of(const std::vector<double>& values) {
    std::vector<std::uint64_t> bits;
    for (const double value : values) {
        bits.push_back(std::bit_cast<std::uint64_t>(value));
    }
    return bits;
}

// All that does not measure time.
std::vector<std::uint64_t> bits_of(const Gradient& one) {
    std::vector<double> values{one.loss, one.tangent_growth, one.digits, static_cast<double>(one.steps),
                               static_cast<double>(one.compiled_steps)};
    for (const auto& derivative : one.derivatives) {
        values.push_back(derivative.value);
    }
    return bits_of(values);
}

void expect_same(const Gradient& a, const Gradient& b, const std::string& where) {
    ASSERT_FALSE(a.failure) << where << ": " << a.failure->message;
    EXPECT_EQ(bits_of(a), bits_of(b)) << where;
    EXPECT_EQ(a.mode, b.mode) << where;
    EXPECT_EQ(a.backend, b.backend) << where;
    EXPECT_EQ(a.warnings, b.warnings) << where;
}

Gradient made(const Stopped& one, const GradientOptions& options) {
    const bool is_text = one.model.find('\n') != std::string::npos;
    return gradient(is_text ? Model::parse(one.model, "text") : Model::load(one.model, one.set), method(one.method),
                    options);
}

GradientOptions options_with(std::string loss, std::vector<std::string> by, double step, std::int64_t steps,
                             GradientMode mode = GradientMode::backward, Backend backend = Backend::interpreted) {
    GradientOptions options;
    options.run.step = step;
    options.run.steps = steps;
    options.run.backend = backend;
    options.loss = std::move(loss);
    options.by = std::move(by);
    options.mode = mode;
    return options;
}

Measurements table() {
    Measurements data;
    for (int k = 0; k < 40; ++k) {
        data.t.push_back(0.137 * (k + 1));
    }
    data.columns = {{"x2", std::vector<double>(40, 0.3), std::vector<double>(40, 0.1)},
                    {"y1*v_x2", std::vector<double>(40, -0.2)}};
    return data;
}

// An angle that counts turns.
constexpr const char* wound_up = R"(
[parameters]
k = 0.5
w = 3.0
[coordinates]
q = ["x", "y"]
[angles]
turn = { sine = "y", cosine = "x" }
[dynamics]
mass = 1
potential = "k/2*turn^2"
constraints = ["x^2 + y^2 - 1"]
[initial]
q = [1, 0]
v = [0, "w"]
)";

GradientOptions event_options() {
    auto options = options_with("at(bottom, v_x^2 + t)", {"g", "l"}, 0.002, 1300);
    options.run.events = {read_event(Model::load("pendulum"), "bottom: x falling", 1)};
    return options;
}

std::vector<Stopped> stopped_cases() {
    constexpr auto backward = GradientMode::backward, forward = GradientMode::forward;
    constexpr auto compiled = Backend::generated, interpreted = Backend::interpreted;
    std::vector<Stopped> all{
        {"interpreted", "double-pendulum", "rattle",
         options_with("x2*v_y1", {"g", "m1", "theta1"}, 0.01, 1000, backward, interpreted)},
        {"compiled", "double-pendulum", "rattle",
         options_with("x2*y2 + v_x1", {"g", "m1", "m2"}, 0.0001, 300'000, backward, compiled)},
        {"compiled_composition", "spherical-pendulum", "compose(rattle, suzuki4)",
         options_with("x + y*z", {"g", "l", "m"}, 0.001, 120'000, backward, compiled)},
        // Rounding of the steps back grows: the code is left again and again.
        {"compiled_chaotic", "henon-heiles", "verlet", options_with("x + p_y", {"y0"}, 0.1, 1500, backward, compiled)},
        {"stages", "double-pendulum", "lobatto(3)",
         options_with("x2*v_y1", {"g", "m1"}, 0.02, 600, backward, interpreted)},
        {"without_memory_of_positions", "kepler", "gauss(2)", options_with("x*y", {"e", "v_y"}, 0.05, 1000)},
        {"forward", "double-pendulum", "rattle",
         options_with("x2*v_y1", {"g", "l1", "l2", "m1", "m2", "theta1"}, 0.01, 700, forward)},
        {"forward_late_nodes", "double-pendulum", "shake", options_with("x2*y1", {"g", "m2"}, 0.01, 800, forward)},
        {"forward_multistep", "double-pendulum", "multistep(4)",
         options_with("x2*y1", {"g", "m2"}, 0.01, 800, forward)},
        {"forward_bdf", "double-pendulum", "bdf(2)", options_with("x2*y1", {"g", "m2"}, 0.02, 400, forward)},
        {"forward_turns", wound_up, "rattle", options_with("turn^2*x", {"k", "w"}, 0.02, 800, forward)},
        {"forward_exchanging_rows", LIBRATION_SOURCE_DIR "/tests/files/mechanisms/three-cranks.toml", "rattle",
         options_with("a^2", {"th"}, 0.01, 200, forward)},
        {"integral", "pendulum", "rattle", options_with("integral(y^2)*x", {"g", "l"}, 0.01, 1000)},
        {"event", "pendulum", "rattle", event_options()},
        {"large", "uneven-chain", "rattle", options_with("r[n-1].x", {"m", "l"}, 0.0005, 600), {{"n", "100"}}},
    };
    Stopped measured{"measurements", "double-pendulum", "rattle", options_with("", {"g", "m1"}, 0.01, 0)};
    measured.options.data = table();
    measured.options.run.steps.reset();
    all.push_back(measured);
    measured.name = "measurements_forward";
    measured.options.mode = forward;
    all.push_back(measured);
    measured.name = "measurements_by_forward_shake";
    measured.method = "shake";
    all.push_back(measured);
    Stopped adaptive{"adaptive", "kepler", "gauss(3)", options_with("x", {"e"}, 0.05, 0)};
    adaptive.options.run.steps.reset();
    adaptive.options.run.duration = 20;
    adaptive.options.run.adaptive = {AdaptiveOptions::Control::reversible, 1e-9,
                                     AdaptiveOptions::Estimator::antisymmetric};
    all.push_back(adaptive);
    adaptive.name = "adaptive_forward";
    adaptive.options.mode = forward;
    all.push_back(adaptive);
    return all;
}

// Each part is stopped after a random time, which grows until a part comes to an end. On a busy machine a short run may
// finish before it is stopped: it is repeated until it was stopped often enough.
TEST_P(RestartedGradient, stopped_at_random_places_has_the_same_bits) {
    const auto& one = GetParam();
    const auto whole = made(one, one.options);
    std::mt19937 random(7);
    int stops = 0;
    for (int repetition = 0; repetition < 2 || stops < 4; ++repetition) {
        ASSERT_LT(repetition, 200) << "never stopped";
        auto options = one.options;
        options.checkpoint = file();
        options.overwrite = true;
        options.checkpoint_seconds = 1e-6;  // something is kept at every occasion
        std::optional<Gradient> result;
        for (double most = 0.03 * whole.seconds; !result; most *= 1.3) {
            StopSignal stop;
            options.stop = &stop;
            const std::chrono::duration<double> wait(std::uniform_real_distribution(0.0, most)(random));
            const std::jthread stopper([&stop, wait] {
                std::this_thread::sleep_for(wait);
                stop.request();
            });
            try {
                result = made(one, options);
            } catch (const GradientStopped&) {
                ++stops;
                options.overwrite = false;
            }
        }
        expect_same(*result, whole, one.name);
        // A finished file has the result.
        options.overwrite = false;
        options.stop = nullptr;
        expect_same(made(one, options), whole, one.name + ", read");
    }
}

std::string stopped_name(const testing::TestParamInfo<Stopped>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(Kinds, RestartedGradient, testing::ValuesIn(stopped_cases()), stopped_name);

class KeptGradient : public RestartedGradient {
  protected:
    // Of the compiled case.
    KeptGradient() : one_(stopped_cases()[1]) { one_.options.run.steps = 10'000; }
    GradientOptions kept() {
        auto options = one_.options;
        options.checkpoint = file();
        options.checkpoint_seconds = 1e-6;
        return options;
    }
    std::string refusal(const GradientOptions& options) {
        try {
            static_cast<void>(made(one_, options));
        } catch (const std::exception& error) {
            return error.what();
        }
        return "";
    }
    Stopped one_;
};

std::string bytes_in(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}
void write_bytes(const std::string& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

// The process dies at a random time, also while it writes.
TEST_F(KeptGradient, survives_a_killed_process) {
    const auto whole = made(one_, one_.options);
    std::mt19937 random(11);
    int kept_files = 0;
    for (int k = 1; kept_files < 6; ++k) {
        const auto child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            static_cast<void>(made(one_, kept()));
            ::pause();  // the file is finished
            ::_exit(0);
        }
        const double most = 0.1 * k * whole.seconds;
        const std::chrono::duration<double> wait(std::uniform_real_distribution(0.0, most)(random));
        std::this_thread::sleep_for(wait);
        ::kill(child, SIGKILL);
        int status = 0;
        ::waitpid(child, &status, 0);
        EXPECT_TRUE(WIFSIGNALED(status));
        kept_files += std::filesystem::exists(file()) ? 1 : 0;
    }
    expect_same(made(one_, kept()), whole, "killed");
}

TEST_F(KeptGradient, refuses_the_file_of_another_gradient) {
    static_cast<void>(made(one_, kept()));
    auto other = kept();
    other.run.step = 0.002;
    EXPECT_THROW(static_cast<void>(made(one_, other)), InputError);
    EXPECT_NE(refusal(other).find("`step` was 0.0001, it is 0.002 now"), std::string::npos) << refusal(other);
    other = kept();
    other.by = {"g"};
    EXPECT_NE(refusal(other).find("`by` was g,m1,m2, it is g now"), std::string::npos) << refusal(other);
    const auto model = Model::load(one_.model, {{"g", "2"}});
    try {
        static_cast<void>(gradient(model, method(one_.method), kept()));
        ADD_FAILURE() << "another model was accepted";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("`model` was different"), std::string::npos) << error.what();
    }
    other.overwrite = true;
    EXPECT_EQ(refusal(other), "");
}

TEST_F(KeptGradient, refuses_the_file_of_another_version) {
    static_cast<void>(made(one_, kept()));
    auto bytes = bytes_in(file());
    struct Head {
        std::array<char, 16> magic;
        std::uint64_t size, checksum;
    } head{};
    constexpr std::size_t version_at = sizeof head + sizeof(std::uint64_t);
    bytes[version_at] = '9';
    std::memcpy(&head, bytes.data(), sizeof head);
    head.checksum = checksum_with_header(head, std::as_bytes(std::span(bytes)).subspan(sizeof head));
    std::memcpy(bytes.data(), &head, sizeof head);
    write_bytes(file(), bytes);
    EXPECT_NE(refusal(kept()).find("the file was written by version 9"), std::string::npos) << refusal(kept());
}

// One bit anywhere, or a part that is missing.
TEST_F(KeptGradient, refuses_damaged_files) {
    static_cast<void>(made(one_, kept()));
    const auto good = bytes_in(file());
    std::mt19937 random(3);
    for (int k = 0; k < 50; ++k) {
        auto bytes = good;
        const auto place = std::uniform_int_distribution<std::size_t>(0, good.size() - 1)(random);
        bytes[place] = static_cast<char>(bytes[place] ^ (1 << (k % 8)));
        write_bytes(file(), bytes);
        EXPECT_NE(refusal(kept()), "") << "byte " << place;
        write_bytes(file(), good.substr(0, place));
        EXPECT_NE(refusal(kept()), "") << "only " << place << " bytes";
        EXPECT_EQ(bytes_in(file()), good.substr(0, place)) << "a refused file is left alone";
    }
    write_bytes(file(), "t,x\n0,1\n");
    EXPECT_NE(refusal(kept()).find("not a checkpoint of a gradient"), std::string::npos) << refusal(kept());
}

TEST_F(KeptGradient, needs_a_file_that_can_be_written) {
    auto options = kept();
    options.checkpoint = directory_ / "none" / "kept";
    EXPECT_NE(refusal(options).find("cannot write"), std::string::npos);
    options.checkpoint = directory_;
    EXPECT_NE(refusal(options).find("it is a directory"), std::string::npos);
}

// Jacobians are parts, too: rows that travel together.
TEST_F(KeptGradient, of_predictions_has_the_same_bits) {
    for (const auto mode : {GradientMode::backward, GradientMode::forward}) {
        auto options = options_with("", {"g", "m1"}, 0.01, 0, mode);
        options.run.steps.reset();
        options.data = table();
        const auto model = Model::load("double-pendulum");
        const auto whole = jacobian(model, method("rattle"), options);
        options.checkpoint = file();
        options.checkpoint_seconds = 1e-6;
        std::mt19937 random(5);
        int stops = 0;
        for (int repetition = 0; stops < 4; ++repetition) {
            ASSERT_LT(repetition, 200) << "never stopped";
            options.overwrite = true;
            std::optional<Jacobian> result;
            for (double most = 0.03 * whole.seconds; !result; most *= 1.3) {
                StopSignal stop;
                options.stop = &stop;
                const std::chrono::duration<double> wait(std::uniform_real_distribution(0.0, most)(random));
                const std::jthread stopper([&stop, wait] {
                    std::this_thread::sleep_for(wait);
                    stop.request();
                });
                try {
                    result = jacobian(model, method("rattle"), options);
                } catch (const GradientStopped&) {
                    ++stops;
                    options.overwrite = false;
                }
            }
            EXPECT_EQ(bits_of(result->matrix), bits_of(whole.matrix));
            EXPECT_EQ(bits_of(result->values), bits_of(whole.values));
            EXPECT_EQ(bits_of({result->tangent_growth, result->digits}), bits_of({whole.tangent_growth, whole.digits}));
        }
    }
}

}  // namespace
}  // namespace libration
