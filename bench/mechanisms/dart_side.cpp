// DART: joint coordinates, semi-implicit Euler steps, loops by impulses that a solver for complementarity problems
// finds. METHOD is the solver, Dantzig or PGS, VALUE the step size. reduction=E: the share of a gap that the next step
// should close (DART's own choice is 0.01); mixing=C: the compliance of the loops (DART's own choice is 1e-5; the
// smallest that it permits, 1e-9, is the one here).
#include "mechanism.hpp"

#include <dart/constraint/BallJointConstraint.hpp>
#include <dart/constraint/BoxedLcpConstraintSolver.hpp>
#include <dart/constraint/DantzigBoxedLcpSolver.hpp>
#include <dart/constraint/PgsBoxedLcpSolver.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/UniversalJoint.hpp>
#include <dart/simulation/World.hpp>

namespace {

using namespace bench;
using dart::dynamics::BodyNode;

Eigen::Vector3d vector3(const Vector& v) { return {v[0], v[1], v[2]}; }

class DartSide final : public Side {
  public:
    DartSide(const Mechanism& mechanism, const Setting& setting)
        : mechanism_(mechanism), skeleton_(dart::dynamics::Skeleton::create("mechanism")),
          world_(dart::simulation::World::create()), step_(setting.value) {
        for (const auto& body : mechanism.bodies) {
            add(body);
        }
        world_->setGravity(vector3(mechanism.gravity));
        world_->setTimeStep(setting.value);
        using Solver = dart::constraint::BoxedLcpConstraintSolver;
        if (setting.method == "Dantzig") {
            world_->setConstraintSolver(
                std::make_unique<Solver>(std::make_shared<dart::constraint::DantzigBoxedLcpSolver>()));
        } else if (setting.method == "PGS") {
            world_->setConstraintSolver(
                std::make_unique<Solver>(std::make_shared<dart::constraint::PgsBoxedLcpSolver>()));
        } else {
            throw std::runtime_error("no solver " + setting.method);
        }
        world_->addSkeleton(skeleton_);
        using Loops = dart::constraint::DynamicJointConstraint;
        Loops::setErrorAllowance(0);
        Loops::setErrorReductionParameter(setting.number("reduction", 0.01));
        Loops::setConstraintForceMixing(setting.number("mixing", 1e-9));
        for (const auto& loop : mechanism.loops) {
            const auto first = static_cast<std::size_t>(loop.first), second = static_cast<std::size_t>(loop.second);
            world_->getConstraintSolver()->addConstraint(std::make_shared<dart::constraint::BallJointConstraint>(
                bodies_.at(first), bodies_.at(second), vector3(loop.at)));
        }
    }

    double run(double duration) override {
        start();
        steps_ = std::lround(duration / step_);
        const double began = cpu_seconds();
        for (long k = 0; k < steps_; ++k) {
            world_->step();
        }
        return cpu_seconds() - began;
    }

    void watch(double duration, const Watch& watch) override {
        start();
        const long steps = std::lround(duration / step_), every = std::max(1L, steps / 1000);
        for (long k = 0; k <= steps; ++k) {
            if (k % every == 0 || k == steps) {
                watch(poses(), skeleton_->computeKineticEnergy() + skeleton_->computePotentialEnergy());
            }
            world_->step();
        }
    }

    [[nodiscard]] std::vector<Pose> poses() override {
        std::vector<Pose> poses;
        for (const auto* body : bodies_) {
            const auto& frame = body->getWorldTransform();
            Pose pose;
            for (int i = 0; i < 3; ++i) {
                pose.r[static_cast<std::size_t>(i)] = frame.translation()[i];
                for (int j = 0; j < 3; ++j) {
                    pose.rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = frame.linear()(i, j);
                }
            }
            poses.push_back(pose);
        }
        return poses;
    }

    [[nodiscard]] long steps() const override { return steps_; }

  private:
    void add(const Body& body) {
        auto* parent = body.parent < 0 ? nullptr : bodies_.at(static_cast<std::size_t>(body.parent));
        const Eigen::Vector3d origin = body.parent < 0
                                           ? Eigen::Vector3d::Zero()
                                           : vector3(mechanism_.bodies[static_cast<std::size_t>(body.parent)].com);
        const auto joined = [&](auto properties, auto* joint) {
            using Joint = std::remove_pointer_t<decltype(joint)>;
            const auto name = std::to_string(bodies_.size());  // or DART renames it and says so
            properties.mName = "joint " + name;
            properties.mT_ParentBodyToJoint.translation() = vector3(body.at) - origin;
            properties.mT_ChildBodyToJoint.translation() = vector3(body.at) - vector3(body.com);
            return skeleton_
                ->createJointAndBodyNodePair<Joint>(parent, properties, BodyNode::AspectProperties("body " + name))
                .second;
        };
        namespace dynamics = dart::dynamics;
        const Eigen::Vector3d axis = vector3(body.axes.at(0));
        BodyNode* node = nullptr;
        if (body.joint == "revolute") {
            dynamics::RevoluteJoint::Properties properties;
            properties.mAxis = axis;
            node = joined(properties, static_cast<dynamics::RevoluteJoint*>(nullptr));
        } else if (body.joint == "prismatic") {
            dynamics::PrismaticJoint::Properties properties;
            properties.mAxis = axis;
            node = joined(properties, static_cast<dynamics::PrismaticJoint*>(nullptr));
        } else if (body.joint == "universal") {
            dynamics::UniversalJoint::Properties properties;
            properties.mAxis = {axis, vector3(body.axes.at(1))};
            node = joined(properties, static_cast<dynamics::UniversalJoint*>(nullptr));
        } else {
            throw std::runtime_error("no joint " + body.joint);
        }
        const auto& i = body.inertia;
        node->setInertia(dart::dynamics::Inertia(body.mass, 0, 0, 0, i[0], i[1], i[2], i[3], i[4], i[5]));
        bodies_.push_back(node);
    }

    void start() {
        skeleton_->resetPositions();
        skeleton_->resetVelocities();
        skeleton_->resetAccelerations();
        for (std::size_t k = 0; k < bodies_.size(); ++k) {
            const auto& rates = mechanism_.bodies[k].rates;
            for (std::size_t i = 0; i < rates.size(); ++i) {
                bodies_[k]->getParentJoint()->setVelocity(i, rates[i]);
            }
        }
    }

    Mechanism mechanism_;
    dart::dynamics::SkeletonPtr skeleton_;
    dart::simulation::WorldPtr world_;
    double step_;
    std::vector<BodyNode*> bodies_;
    long steps_ = 0;
};

}  // namespace

int main(int count, char** words) {
    return bench::side_main(count, words, [](const bench::Mechanism& mechanism, const bench::Setting& setting) {
        return std::make_unique<DartSide>(mechanism, setting);
    });
}
