// What the help texts end with: examples, and what an exit status means.
#pragma once

namespace libration::app {

inline constexpr const char* run_examples =
    "Examples:\n"
    "  libration run triple-pendulum\n"
    "  libration run kepler --method verlet --step 0.02 --duration 125.66 --out kepler.csv --every 10\n"
    "  libration run chain --set n=50 --steps 10000 --out chain.h5\n"
    "  libration run --resume chain.h5 --steps 20000\n"
    "  libration run andrews-swing --adaptive reversible --tol 1e-8\n"
    "  libration run my-model.toml --project --json\n"
    "  libration run pendulum --duration 20 --at 0:0.5:20 --out swing.csv\n"
    "  libration run henon-heiles --event \"x rising\" --events-out section.csv\n\n"
    "Exit status: 0 success, 1 numerical failure (results so far are kept), 2 bad usage or model, 3 "
    "I/O error.";

inline constexpr const char* ensemble_examples =
    "Examples:\n"
    "  libration ensemble pendulum --count 1000 --vary \"g = uniform(0.9, 1.1)\" --out pendulum.h5\n"
    "  libration ensemble henon-heiles --count 100 --vary \"v_x = linspace(0.1, 0.4)\" --json\n"
    "  libration ensemble my-model.toml --from values.csv --project --out e.h5 --trajectories --every 10\n"
    "  libration ensemble --resume e.h5\n\n"
    "Exit status: 0 success, 1 trajectories failed (the others are kept), 2 bad usage or model, 3 I/O "
    "error.";

inline constexpr const char* gradient_examples =
    "Examples:\n"
    "  libration gradient pendulum --loss \"x^2 + v_y^2\" --by g,m --duration 5\n"
    "  libration gradient double-pendulum --loss \"(x2 - 1)^2 + (y2 + 1)^2\" --duration 2 --json\n"
    "  libration gradient kepler --loss x --by v_y --method \"gauss(3)\" --step 0.1 --steps 100\n"
    "  libration gradient pendulum --loss \"integral(y^2)\" --duration 5\n"
    "  libration gradient pendulum --loss \"at(bottom, t)\" --event \"bottom: x falling\" --duration 5\n"
    "  libration gradient my-model.toml --loss x --project\n"
    "  libration gradient pendulum --data measured.csv --by g,l\n\n"
    "The number is the derivative of the numerical solution, exact up to rounding. Exit status: 0 success, 1 numerical "
    "failure or no correct digit left, 2 bad usage or model.";

inline constexpr const char* certify_examples =
    "Examples:\n"
    "  libration certify rattle\n"
    "  libration certify rattle spherical-pendulum\n"
    "  libration certify rattle my-model.toml --step 0.1 --json\n"
    "  libration certify --all --markdown\n\n"
    "Exit status: 0 no claim is contradicted, 1 a claim is contradicted, 2 bad usage or model.";

inline constexpr const char* compare_examples =
    "Examples:\n"
    "  libration compare double-pendulum\n"
    "  libration compare my-model.toml --project\n"
    "  libration compare double-pendulum --methods \"rattle, compose(rattle, kahanli8), lobatto(3)\" "
    "--plot work.svg\n"
    "  libration compare kepler --methods \"verlet, gauss(2)\" --steps-list 0.1,0.05,0.025 --duration 10\n\n"
    "Exit status: 0 success, 1 every run failed, 2 bad usage or model, 3 I/O error.";

inline constexpr const char* choose_examples =
    "Examples:\n"
    "  libration choose kepler --error 1e-8\n"
    "  libration choose pendulum --error 1e-4 --duration 20 --run\n"
    "  libration choose triple-pendulum --energy-error 1e-6 --duration 100 --json\n"
    "  libration choose heavy-top --error 1e-6 --method \"lobatto(4)\"\n\n"
    "Exit status: 0 success, 1 the run failed, 2 nothing meets the request, bad usage or model.";

inline constexpr const char* multistep_examples =
    "Examples:\n"
    "  libration multistep 8\n"
    "  libration multistep 6 -0.7 0.4\n"
    "  libration multistep 6 -0.1 0.4 --region region.svg\n"
    "  libration multistep 10 --search\n"
    "  libration multistep 6 -0.7 0.4 --watch triple-pendulum --step 0.01 --duration 200\n\n"
    "Parameters unsuitable for constrained systems are shown too, with the reason. Exit status: 0 success, "
    "1 a watched run failed, 2 bad usage, 3 I/O error.";

inline constexpr const char* tableau_examples = "Examples:\n"
                                                "  libration tableau lobatto-c 3\n"
                                                "  libration tableau gauss 7\n"
                                                "  libration tableau lobatto 4\n"
                                                "  libration tableau spark 3 --json\n\n"
                                                "Exit status: 0 success, 2 bad usage.";

inline constexpr const char* reproduce_examples =
    "Examples:\n"
    "  libration reproduce --list\n"
    "  libration reproduce 000-fig2\n"
    "  libration reproduce --quick --out gallery      then open gallery/index.html\n"
    "  libration reproduce 000 001 --out gallery\n"
    "  libration reproduce my-recipe.toml --json\n\n"
    "Exit status: 0 success, 1 an item FAILED or was interrupted (rerun to continue), 2 bad usage, 3 "
    "I/O error.";

inline constexpr const char* analyse_examples = "Examples:\n"
                                                "  libration run triple-pendulum --out run.h5\n"
                                                "  libration analyse run.h5\n"
                                                "  libration analyse run.h5 --what summary --plot run.svg\n"
                                                "  libration run pendulum --out run.csv\n"
                                                "  libration analyse run.csv --what drift\n"
                                                "  libration analyse --list\n\n"
                                                "Exit status: 0 success, 2 bad usage, 3 I/O error.";

inline constexpr const char* check_examples = "Examples:\n"
                                              "  libration check pendulum\n"
                                              "  libration check pendulum --set l=2\n"
                                              "  libration check my-model.toml";

inline constexpr const char* new_examples = "Examples:\n"
                                            "  libration new my-pendulum\n"
                                            "  libration check my-pendulum.toml\n"
                                            "  libration run my-pendulum.toml\n"
                                            "  libration new my-top --from heavy-top\n\n"
                                            "Exit status: 0 success, 2 bad usage or an existing file, 3 I/O error.";

inline constexpr const char* convert_examples =
    "Examples:\n"
    "  libration convert double-pendulum\n"
    "  libration convert double-pendulum --out double-pendulum.tex\n"
    "  libration convert my-model.toml --to latex\n\n"
    "Large models: families of terms stay sums over their indices, and long "
    "lists end in dots.\n"
    "Exit status: 0 success, 2 bad usage or model, 3 I/O error.";

inline constexpr const char* methods_examples = "Examples:\n"
                                                "  libration methods\n"
                                                "  libration methods rattle\n"
                                                "  libration methods \"compose(rattle, kahanli8)\"\n"
                                                "  libration methods --json";

inline constexpr const char* problems_examples = "Examples:\n"
                                                 "  libration problems\n"
                                                 "  libration problems pendulum > my-model.toml\n"
                                                 "  libration problems --json";

inline constexpr const char* help_examples = "Examples:\n"
                                             "  libration help\n"
                                             "  libration help run\n"
                                             "  libration help --markdown\n"
                                             "  libration help --write ~/.local/share";

inline constexpr const char* first_examples =
    "Examples:\n"
    "  libration run triple-pendulum           a built-in problem with its default method and step size\n"
    "  libration new my-pendulum               a model file to start from\n"
    "  libration check pendulum                validate a model\n"
    "  libration methods                       list the integration methods\n"
    "  libration certify rattle                verify the claimed properties of a method\n"
    "  libration compare double-pendulum       which method is cheapest for a given accuracy?\n"
    "  libration multistep 8                   a symmetric multistep method: coefficients and roots\n"
    "  libration tableau lobatto-c 3           a Runge-Kutta method: coefficients, stability, order\n"
    "  libration analyse run.h5                analyse a recorded run\n"
    "  libration reproduce 000-fig2            reproduce a figure of a paper\n"
    "  libration help COMMAND                  all options of a command";

}  // namespace libration::app
