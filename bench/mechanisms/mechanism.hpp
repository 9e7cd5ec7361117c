// What all programs of the comparison share: the mechanism, read from the file that mechanisms.py writes, the clock,
// the output. It includes nothing of Libration, so that the other programs can be built without it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <exception>
#include <fstream>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

using Vector = std::array<double, 3>;

// A body with its joint to the parent, as multibody programs in joint coordinates have it. All places and axes are
// those of the start, in the world: all programs take frames that are parallel to the world there, with the origin at
// the center of mass.
struct Body {
    std::size_t number = 0;  // of the body in the model file of Libration; here parents are before their children
    double mass = 0;
    Vector com{};
    std::array<double, 6> inertia{};  // xx, yy, zz, xy, xz, yz about the center of mass
    int parent = -1;                  // -1: the ground
    std::string joint;                // revolute, prismatic, universal
    Vector at{};
    std::vector<Vector> axes;   // of unit length
    std::vector<double> rates;  // of the start
};

// Two points, one of each body, that coincide.
struct Loop {
    int first = -1, second = -1;
    Vector at{};
};

struct Mechanism {
    Vector gravity{};
    bool planar = false;  // all bodies move in planes z = const: two of the three rows of a loop suffice
    std::vector<Body> bodies;
    std::vector<Loop> loops;
};

inline std::istream& operator>>(std::istream& stream, Vector& v) { return stream >> v[0] >> v[1] >> v[2]; }

inline Mechanism read_mechanism(const std::string& file) {
    std::ifstream stream(file);
    Mechanism mechanism;
    for (std::string word; stream >> word;) {
        if (word == "gravity") {
            stream >> mechanism.gravity;
        } else if (word == "planar") {
            mechanism.planar = true;
        } else if (word == "body") {
            Body body;
            std::size_t axes = 0;
            stream >> body.number >> body.mass >> body.com;
            for (auto& moment : body.inertia) {
                stream >> moment;
            }
            stream >> body.parent >> body.joint >> body.at >> axes;
            body.axes.resize(axes);
            body.rates.resize(axes);
            for (std::size_t k = 0; k < axes; ++k) {
                stream >> body.axes[k] >> body.rates[k];
            }
            mechanism.bodies.push_back(body);
        } else if (word == "loop") {
            Loop loop;
            stream >> loop.first >> loop.second >> loop.at;
            mechanism.loops.push_back(loop);
        } else {
            throw std::runtime_error("unknown word '" + word + "' in " + file);
        }
    }
    if (mechanism.bodies.empty() || !stream.eof()) {
        throw std::runtime_error("cannot read " + file);
    }
    return mechanism;
}

// Where a body is: its center of mass, and its axes as columns.
struct Pose {
    Vector r{};
    std::array<Vector, 3> rows{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
};

// Where the point of a body is that was at this place at the start.
inline Vector moved(const Mechanism& mechanism, const std::vector<Pose>& poses, int body, const Vector& at) {
    if (body < 0) {
        return at;
    }
    const auto k = static_cast<std::size_t>(body);
    Vector place = poses[k].r;
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
            place[i] += poses[k].rows[i][j] * (at[j] - mechanism.bodies[k].com[j]);
        }
    }
    return place;
}

// The largest distance between two points that should coincide, in loops and in joints of the tree: in joint
// coordinates the latter are exact, in absolute coordinates they are constraints like those of the loops.
inline double gap(const Mechanism& mechanism, const std::vector<Pose>& poses) {
    double largest = 0;
    const auto look = [&](int first, int second, const Vector& at) {
        const auto a = moved(mechanism, poses, first, at), b = moved(mechanism, poses, second, at);
        largest = std::max(largest, std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
    };
    for (const auto& loop : mechanism.loops) {
        look(loop.first, loop.second, loop.at);
    }
    for (std::size_t k = 0; k < mechanism.bodies.size(); ++k) {
        if (mechanism.bodies[k].joint != "prismatic") {
            look(mechanism.bodies[k].parent, static_cast<int>(k), mechanism.bodies[k].at);
        }
    }
    return largest;
}

// CPU time of all threads, so that a program gains nothing by using several.
inline double cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Setting {
    std::string model;                          // the model file of Libration; the others have the mechanism
    std::string method;                         // or integrator
    double value = 0;                           // step size or accuracy
    std::map<std::string, std::string> more{};  // what else the program can be told
    [[nodiscard]] double number(const std::string& name, double otherwise) const {
        const auto found = more.find(name);
        return found == more.end() ? otherwise : std::stod(found->second);
    }
};

// What a step that is watched shows.
using Watch = std::function<void(const std::vector<Pose>&, double energy)>;

// One program with one setting. Construction is the setup.
class Side {
  public:
    Side() = default;
    virtual ~Side() = default;
    Side(const Side&) = delete;
    Side& operator=(const Side&) = delete;
    // From the start to the end of the duration; the CPU seconds of the integration alone.
    virtual double run(double duration) = 0;
    // The same, showing the start and all steps.
    virtual void watch(double duration, const Watch& watch) = 0;
    // After `run`.
    [[nodiscard]] virtual std::vector<Pose> poses() = 0;
    [[nodiscard]] virtual long steps() const = 0;
    // What the setup costs that is a part of each call of `run`, before its time is taken.
    [[nodiscard]] virtual double late_setup() const { return 0; }
    // Whatever the user of the setting should know, such as how it was executed.
    [[nodiscard]] virtual std::string remark() const { return {}; }
};

using MakeSide = std::function<std::unique_ptr<Side>(const Mechanism&, const Setting&)>;

// NaN and infinity are not numbers in JSON.
inline std::string json(double value) {
    if (!std::isfinite(value)) {
        return "null";
    }
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.17g", value);
    return text.data();
}

inline void compare(const Mechanism& mechanism, const MakeSide& make, const Setting& setting, double duration) {
    const double began = cpu_seconds();
    const auto side = make(mechanism, setting);
    const double setup = cpu_seconds() - began;
    double energy_error = std::numeric_limits<double>::quiet_NaN(), largest_gap = energy_error;
    if (setting.number("watch", 0) != 0) {
        double first = energy_error;
        side->watch(duration, [&](const std::vector<Pose>& poses, double energy) {
            if (std::isnan(first)) {
                first = energy;
                energy_error = largest_gap = 0;
            }
            // A value that is not a number must not be hidden by max.
            const double error = std::abs(energy - first), distance = gap(mechanism, poses);
            energy_error = error <= energy_error ? energy_error : error;
            largest_gap = distance <= largest_gap ? largest_gap : distance;
        });
    }
    // Short runs are repeated: what the first one finds cold is not what a second of simulation costs.
    std::vector<double> seconds;
    const double enough = setting.number("repeat", 0), started = cpu_seconds();
    do {
        seconds.push_back(side->run(duration));
    } while (cpu_seconds() - started < enough && seconds.size() < 100);
    std::nth_element(seconds.begin(), seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2), seconds.end());

    std::cout << "{\"seconds\": " << json(seconds[seconds.size() / 2])
              << ", \"setup\": " << json(setup + side->late_setup()) << ", \"steps\": " << side->steps()
              << ", \"gap\": " << json(largest_gap) << ", \"energy_error\": " << json(energy_error)
              << ", \"remark\": \"" << side->remark() << "\", \"positions\": [";
    const char* comma = "";
    for (const auto& pose : side->poses()) {
        for (const double value : pose.r) {
            std::cout << comma << json(value);
            comma = ", ";
        }
    }
    std::cout << "]}\n";
}

// PROGRAM MECHANISM MODEL METHOD VALUE DURATION [NAME=VALUE]...
inline int side_main(int count, char** words, const MakeSide& make) {
    try {
        if (count < 6) {
            throw std::runtime_error("the arguments are: MECHANISM MODEL METHOD VALUE DURATION [NAME=VALUE]...");
        }
        Setting setting{words[2], words[3], std::stod(words[4])};
        for (int k = 6; k < count; ++k) {
            const std::string word = words[k];
            const auto equals = word.find('=');
            if (equals == std::string::npos) {
                throw std::runtime_error("cannot read " + word);
            }
            setting.more[word.substr(0, equals)] = word.substr(equals + 1);
        }
        compare(read_mechanism(words[1]), make, setting, std::stod(words[5]));
        return 0;
    } catch (const std::exception& fault) {
        std::cerr << words[0] << ": " << fault.what() << "\n";
        return 1;
    }
}

}  // namespace bench
