// Simbody: joint coordinates, error control, projection onto the loops. METHOD is an integrator, VALUE its accuracy;
// tolerance=F sets the constraint tolerance to F times the accuracy (Simbody's own choice is 0.1).
#include "mechanism.hpp"

#include <Simbody.h>

namespace {

using namespace bench;

SimTK::Vec3 vec3(const Vector& v) { return {v[0], v[1], v[2]}; }

SimTK::Vec3 between(const Vector& from, const Vector& to) { return vec3(to) - vec3(from); }

class SimbodySide final : public Side {
  public:
    SimbodySide(const Mechanism& mechanism, const Setting& setting)
        : matter_(system_), forces_(system_), gravity_(forces_, matter_, vec3(mechanism.gravity)), setting_(setting) {
        for (const auto& body : mechanism.bodies) {
            add(mechanism, body);
        }
        for (const auto& loop : mechanism.loops) {
            auto &first = mobile(loop.first), &second = mobile(loop.second);
            const auto a = between(com(mechanism, loop.first), loop.at);
            const auto b = between(com(mechanism, loop.second), loop.at);
            if (mechanism.planar) {  // without the row that the plane already satisfies
                SimTK::Constraint::PointOnLine(first, SimTK::UnitVec3(SimTK::ZAxis), a, second, b);
            } else {
                SimTK::Constraint::Ball(first, a, second, b);
            }
        }
        start_ = system_.realizeTopology();
        for (std::size_t k = 0; k < mechanism.bodies.size(); ++k) {
            const auto& rates = mechanism.bodies[k].rates;
            for (std::size_t i = 0; i < rates.size(); ++i) {
                bodies_[k].setOneU(start_, static_cast<int>(i), rates[i]);
            }
        }
    }

    double run(double duration) override {
        const auto integrator = prepare(duration);
        const double began = cpu_seconds();
        integrator->initialize(start_);
        while (integrator->getTime() < duration) {
            integrator->stepTo(duration);
        }
        const double seconds = cpu_seconds() - began;
        end_ = integrator->getState();
        system_.realize(end_, SimTK::Stage::Position);
        steps_ = integrator->getNumStepsTaken();
        return seconds;
    }

    void watch(double duration, const Watch& watch) override {
        const auto integrator = prepare(duration);
        integrator->setReturnEveryInternalStep(true);
        integrator->initialize(start_);
        for (;;) {
            const auto& state = integrator->getState();
            system_.realize(state, SimTK::Stage::Velocity);
            watch(poses_of(state), system_.calcEnergy(state));
            if (integrator->getTime() >= duration) {
                return;
            }
            integrator->stepTo(duration);
        }
    }

    [[nodiscard]] std::vector<Pose> poses() override { return poses_of(end_); }
    [[nodiscard]] long steps() const override { return steps_; }

  private:
    static Vector com(const Mechanism& mechanism, int body) {
        return body < 0 ? Vector{} : mechanism.bodies[static_cast<std::size_t>(body)].com;
    }

    SimTK::MobilizedBody& mobile(int body) {
        return body < 0 ? matter_.updGround() : bodies_[static_cast<std::size_t>(body)];
    }

    void add(const Mechanism& mechanism, const Body& body) {
        const auto& i = body.inertia;
        const SimTK::Body::Rigid rigid(SimTK::MassProperties(
            body.mass, SimTK::Vec3(0), SimTK::Inertia(SimTK::Vec3(i[0], i[1], i[2]), SimTK::Vec3(i[3], i[4], i[5]))));
        const SimTK::UnitVec3 axis(vec3(body.axes.at(0)));
        auto& parent = mobile(body.parent);
        const auto inboard = between(com(mechanism, body.parent), body.at), outboard = between(body.com, body.at);
        const auto joined = [&](auto kind, const SimTK::Rotation& frame) -> SimTK::MobilizedBody {
            using Joint = decltype(kind);
            return Joint(parent, SimTK::Transform(frame, inboard), rigid, SimTK::Transform(frame, outboard));
        };
        using Mobile = SimTK::MobilizedBody;
        if (body.joint == "revolute") {
            bodies_.push_back(joined(Mobile::Pin(), SimTK::Rotation(axis, SimTK::ZAxis)));
        } else if (body.joint == "prismatic") {
            bodies_.push_back(joined(Mobile::Slider(), SimTK::Rotation(axis, SimTK::XAxis)));
        } else if (body.joint == "universal") {
            const SimTK::Rotation frame(axis, SimTK::XAxis, vec3(body.axes.at(1)), SimTK::YAxis);
            bodies_.push_back(joined(Mobile::Universal(), frame));
        } else {
            throw std::runtime_error("no joint " + body.joint);
        }
    }

    std::unique_ptr<SimTK::Integrator> make() const {
        const auto& name = setting_.method;
        if (name == "RungeKuttaMerson") {
            return std::make_unique<SimTK::RungeKuttaMersonIntegrator>(system_);
        }
        if (name == "RungeKuttaFeldberg") {
            return std::make_unique<SimTK::RungeKuttaFeldbergIntegrator>(system_);
        }
        if (name == "RungeKutta3") {
            return std::make_unique<SimTK::RungeKutta3Integrator>(system_);
        }
        if (name == "RungeKutta2") {
            return std::make_unique<SimTK::RungeKutta2Integrator>(system_);
        }
        if (name == "Verlet") {
            return std::make_unique<SimTK::VerletIntegrator>(system_);
        }
        if (name == "SemiExplicitEuler2") {
            return std::make_unique<SimTK::SemiExplicitEuler2Integrator>(system_);
        }
        if (name == "CPodes-BDF") {
            return std::make_unique<SimTK::CPodesIntegrator>(system_, SimTK::CPodes::BDF);
        }
        if (name == "CPodes-Adams") {
            return std::make_unique<SimTK::CPodesIntegrator>(system_, SimTK::CPodes::Adams);
        }
        throw std::runtime_error("no integrator " + name);
    }

    std::unique_ptr<SimTK::Integrator> prepare(double duration) const {
        auto integrator = make();
        integrator->setAccuracy(setting_.value);
        integrator->setConstraintTolerance(setting_.number("tolerance", 0.1) * setting_.value);
        integrator->setFinalTime(duration);
        return integrator;
    }

    std::vector<Pose> poses_of(const SimTK::State& state) const {
        std::vector<Pose> poses;
        for (const auto& body : bodies_) {
            const auto& frame = body.getBodyTransform(state);
            Pose pose;
            for (int i = 0; i < 3; ++i) {
                pose.r[static_cast<std::size_t>(i)] = frame.p()[i];
                for (int j = 0; j < 3; ++j) {
                    pose.rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = frame.R()[i][j];
                }
            }
            poses.push_back(pose);
        }
        return poses;
    }

    SimTK::MultibodySystem system_;
    SimTK::SimbodyMatterSubsystem matter_;
    SimTK::GeneralForceSubsystem forces_;
    SimTK::Force::Gravity gravity_;
    Setting setting_;
    std::vector<SimTK::MobilizedBody> bodies_;
    SimTK::State start_, end_;
    long steps_ = 0;
};

}  // namespace

int main(int count, char** words) {
    return bench::side_main(count, words, [](const bench::Mechanism& mechanism, const bench::Setting& setting) {
        return std::make_unique<SimbodySide>(mechanism, setting);
    });
}
