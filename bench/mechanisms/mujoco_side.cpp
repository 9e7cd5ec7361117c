// MuJoCo: joint coordinates, loops as springs and dampers that its solver makes as stiff as the step size permits.
// METHOD is Euler (semi-implicit), implicit or RK4, VALUE the step size. stiffness=C: the time constant of the loops is
// C steps. 2, the default, is the smallest that MuJoCo considers safe; below, the check is disabled, and RK4 is stable
// down to about 0.5. impedance=D: 0.9999, the default, is the largest that MuJoCo permits.
#include "mechanism.hpp"

#include <mujoco/mujoco.h>

#include <cstring>
#include <sstream>

namespace {

using namespace bench;

std::string text(const Vector& v) { return json(v[0]) + " " + json(v[1]) + " " + json(v[2]); }

Vector between(const Vector& from, const Vector& to) { return {to[0] - from[0], to[1] - from[1], to[2] - from[2]}; }

// The body and all that hang from it. Its frame is at its center of mass.
void add(std::ostream& xml, const Mechanism& mechanism, int number) {
    const auto& body = mechanism.bodies[static_cast<std::size_t>(number)];
    const auto origin = body.parent < 0 ? Vector{} : mechanism.bodies[static_cast<std::size_t>(body.parent)].com;
    xml << "<body name='b" << number << "' pos='" << text(between(origin, body.com)) << "'><inertial pos='0 0 0' mass='"
        << json(body.mass) << "' fullinertia='";
    for (const double moment : body.inertia) {
        xml << json(moment) << " ";
    }
    xml << "'/>";
    for (const auto& axis : body.axes) {  // a universal joint is two hinges
        xml << "<joint type='" << (body.joint == "prismatic" ? "slide" : "hinge") << "' pos='"
            << text(between(body.com, body.at)) << "' axis='" << text(axis) << "'/>";
    }
    for (std::size_t k = 0; k < mechanism.bodies.size(); ++k) {
        if (mechanism.bodies[k].parent == number) {
            add(xml, mechanism, static_cast<int>(k));
        }
    }
    xml << "</body>";
}

std::string xml_of(const Mechanism& mechanism, const Setting& setting) {
    std::ostringstream xml;
    const double time_constant = setting.number("stiffness", 2) * setting.value;
    const auto impedance = json(setting.number("impedance", mjMAXIMP));
    xml << "<mujoco><compiler angle='radian'/><option timestep='" << json(setting.value) << "' gravity='"
        << text(mechanism.gravity) << "' integrator='" << setting.method
        << "' tolerance='1e-14'><flag contact='disable'"
        << (setting.number("stiffness", 2) < 2 ? " refsafe='disable'" : "") << "/></option><worldbody>";
    for (std::size_t k = 0; k < mechanism.bodies.size(); ++k) {
        if (mechanism.bodies[k].parent < 0) {
            add(xml, mechanism, static_cast<int>(k));
        }
    }
    xml << "</worldbody><equality>";
    for (const auto& loop : mechanism.loops) {
        const auto& first = mechanism.bodies.at(static_cast<std::size_t>(loop.first));
        xml << "<connect body1='b" << loop.first << "' body2='b" << loop.second << "' anchor='"
            << text(between(first.com, loop.at)) << "' solref='" << json(time_constant) << " 1' solimp='" << impedance
            << " " << impedance << " 0.001'/>";
    }
    xml << "</equality></mujoco>";
    return xml.str();
}

mjModel* load(const std::string& xml) {
    const auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    mj_makeEmptyFileVFS(files.get(), "mechanism.xml", static_cast<int>(xml.size()));
    std::memcpy(files->filedata[0], xml.data(), xml.size());
    std::array<char, 1000> fault{};
    auto* model = mj_loadXML("mechanism.xml", files.get(), fault.data(), static_cast<int>(fault.size()));
    mj_deleteVFS(files.get());
    if (model == nullptr) {
        throw std::runtime_error(fault.data());
    }
    return model;
}

class MujocoSide final : public Side {
  public:
    MujocoSide(const Mechanism& mechanism, const Setting& setting)
        : mechanism_(mechanism), step_(setting.value), model_(load(xml_of(mechanism, setting)), mj_deleteModel),
          data_(mj_makeData(model_.get()), mj_deleteData) {}

    double run(double duration) override {
        start();
        steps_ = std::lround(duration / step_);
        const double began = cpu_seconds();
        for (long k = 0; k < steps_; ++k) {
            mj_step(model_.get(), data_.get());
        }
        const double seconds = cpu_seconds() - began;
        mj_forward(model_.get(), data_.get());  // places of the bodies follow those of the joints
        return seconds;
    }

    void watch(double duration, const Watch& watch) override {
        model_->opt.enableflags |= mjENBL_ENERGY;
        start();
        const long steps = std::lround(duration / step_), every = std::max(1L, steps / 1000);
        for (long k = 0; k <= steps; ++k) {
            if (k % every == 0 || k == steps) {
                mj_forward(model_.get(), data_.get());
                watch(poses(), data_->energy[0] + data_->energy[1]);
            }
            mj_step(model_.get(), data_.get());
        }
        model_->opt.enableflags &= ~mjENBL_ENERGY;
    }

    [[nodiscard]] std::vector<Pose> poses() override {
        std::vector<Pose> poses;
        for (std::size_t k = 0; k < mechanism_.bodies.size(); ++k) {
            const auto body =
                static_cast<std::size_t>(mj_name2id(model_.get(), mjOBJ_BODY, ("b" + std::to_string(k)).c_str()));
            Pose pose;
            for (std::size_t i = 0; i < 3; ++i) {
                pose.r[i] = data_->xpos[3 * body + i];
                for (std::size_t j = 0; j < 3; ++j) {
                    pose.rows[i][j] = data_->xmat[9 * body + 3 * i + j];
                }
            }
            poses.push_back(pose);
        }
        return poses;
    }

    [[nodiscard]] long steps() const override { return steps_; }

    // MuJoCo warns on the terminal and resets the state where it loses the motion.
    [[nodiscard]] std::string remark() const override {
        int warnings = 0;
        for (const auto& warning : data_->warning) {
            warnings += warning.number;
        }
        return warnings > 0 ? "warnings" : "";
    }

  private:
    void start() {
        mj_resetData(model_.get(), data_.get());
        for (std::size_t k = 0; k < mechanism_.bodies.size(); ++k) {
            const auto body = mj_name2id(model_.get(), mjOBJ_BODY, ("b" + std::to_string(k)).c_str());
            const auto& rates = mechanism_.bodies[k].rates;
            for (std::size_t i = 0; i < rates.size(); ++i) {
                data_->qvel[static_cast<std::size_t>(model_->body_dofadr[body]) + i] = rates[i];
            }
        }
    }

    Mechanism mechanism_;
    double step_;
    std::unique_ptr<mjModel, void (*)(mjModel*)> model_;
    std::unique_ptr<mjData, void (*)(mjData*)> data_;
    long steps_ = 0;
};

}  // namespace

int main(int count, char** words) {
    return bench::side_main(count, words, [](const bench::Mechanism& mechanism, const bench::Setting& setting) {
        return std::make_unique<MujocoSide>(mechanism, setting);
    });
}
