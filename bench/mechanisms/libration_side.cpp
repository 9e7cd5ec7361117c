// Libration: absolute coordinates, all joints are constraints. METHOD as in `libration run --method`, VALUE is the step
// size. Steps are compiled; backend=interpreted: they are not, and the setup is shorter.
#include "mechanism.hpp"

#include <libration/integrate/integrate.hpp>
#include <libration/methods/method.hpp>
#include <libration/model/model.hpp>

#include <chrono>

namespace {

using namespace bench;

class LibrationSide final : public Side {
  public:
    LibrationSide(const Mechanism& mechanism, const Setting& setting)
        : mechanism_(mechanism), model_(libration::Model::load(setting.model)),
          method_(libration::method(setting.method)) {
        options_.step = setting.value;
        const auto found = setting.more.find("backend");
        const bool interpreted = found != setting.more.end() && found->second == "interpreted";
        options_.backend = interpreted ? libration::Backend::interpreted : libration::Backend::generated;
    }

    double run(double duration) override {
        options_.duration = duration;
        options_.monitor = 0;
        options_.every = std::numeric_limits<std::int64_t>::max();  // the first and the last node
        Stopwatch stopwatch(*this);
        const double before = cpu_seconds();
        libration::Integration integration(model_, method_, options_);
        integration.observe(stopwatch, libration::Integration::Look::states);
        const auto run = integration.run();
        const double after = cpu_seconds();
        const std::chrono::duration<double> seen = Clock::now() - stopwatch.clock;
        if (run.status != libration::RunStatus::completed) {
            throw std::runtime_error(run.failure ? run.failure->message : "the run was stopped");
        }
        // What a method does before it shows the first node is a part of the run. Only the wall time of it is known;
        // it is short.
        const double start = std::max(0.0, run.seconds - seen.count());
        setup_ = stopwatch.cpu - before - start;
        backend_ = run.backend.name;
        steps_ = static_cast<long>(run.steps);
        return start + (after - stopwatch.cpu);
    }

    void watch(double duration, const Watch& watch) override {
        struct Look final : libration::Observer {
            Look(LibrationSide& s, const Watch& w) : side(s), watch(w) {}
            void see(const libration::Sample& sample) override { watch(side.poses_of(sample.q), sample.energy); }
            LibrationSide& side;
            const Watch& watch;
        } look(*this, watch);
        auto options = options_;
        options.duration = duration;
        options.backend = libration::Backend::interpreted;  // the same bits, without the compilation
        options.every = std::max<std::int64_t>(1, std::lround(duration / options.step) / 1000);
        options.monitor = options.every;
        libration::Integration integration(model_, method_, options);
        integration.observe(look, libration::Integration::Look::states);
        integration.run();
    }

    [[nodiscard]] std::vector<Pose> poses() override { return poses_; }
    [[nodiscard]] long steps() const override { return steps_; }
    [[nodiscard]] double late_setup() const override { return setup_; }
    [[nodiscard]] std::string remark() const override { return backend_; }

  private:
    using Clock = std::chrono::steady_clock;

    struct Stopwatch final : libration::Observer {
        explicit Stopwatch(LibrationSide& s) : side(s) {}
        void see(const libration::Sample& sample) override {
            side.poses_ = side.poses_of(sample.q);
            if (sample.step == 0) {
                clock = Clock::now();
                cpu = cpu_seconds();
            }
        }
        LibrationSide& side;
        Clock::time_point clock;
        double cpu = 0;
    };

    // A planar body has x, y and an angle, a body in space its place and the rows of its orientation.
    std::vector<Pose> poses_of(std::span<const double> q) {
        const std::size_t each = q.size() / mechanism_.bodies.size();
        if (each != 3 && each != 12) {
            throw std::runtime_error("bodies have three or twelve coordinates here");
        }
        if (start_.empty()) {
            start_.assign(q.begin(), q.end());
        }
        std::vector<Pose> poses;
        for (const auto& body : mechanism_.bodies) {
            const auto now = q.subspan(body.number * each, each);
            const auto start = std::span<const double>(start_).subspan(body.number * each, each);
            Pose pose;
            if (each == 3) {
                const double angle = now[2] - start[2];
                pose = {{now[0], now[1], 0},
                        {{{std::cos(angle), -std::sin(angle), 0}, {std::sin(angle), std::cos(angle), 0}, {0, 0, 1}}}};
            } else {
                pose.r = {now[0], now[1], now[2]};
                for (std::size_t i = 0; i < 3; ++i) {
                    for (std::size_t j = 0; j < 3; ++j) {
                        pose.rows[i][j] = 0;
                        for (std::size_t k = 0; k < 3; ++k) {
                            pose.rows[i][j] += now[3 + 3 * i + k] * start[3 + 3 * j + k];
                        }
                    }
                }
            }
            poses.push_back(pose);
        }
        return poses;
    }

    Mechanism mechanism_;
    libration::Model model_;
    libration::Method method_;
    libration::IntegrationOptions options_;
    std::vector<double> start_;
    std::vector<Pose> poses_;
    std::string backend_;
    double setup_ = 0;
    long steps_ = 0;
};

}  // namespace

int main(int count, char** words) {
    return bench::side_main(count, words, [](const bench::Mechanism& mechanism, const bench::Setting& setting) {
        return std::make_unique<LibrationSide>(mechanism, setting);
    });
}
