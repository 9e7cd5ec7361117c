"""Runs that are wrong on purpose, and runs that are right: what their verdicts must say.

Wrong: steps 10 to 1000 times too large, stiff terms that are not resolved, motions that explode, close encounters that are
stepped over, forces of the wrong class. Each has the reason why its result cannot be trusted.
"""

OSCILLATOR = """
name = "oscillator"
[parameters]
k = 1.0
[coordinates]
q = ["x", "y"]
[dynamics]
mass = 1.0
potential = "(x^2 + k*y^2)/2"
[initial]
q = [1.0, {y}]
v = [0.0, 0.0]
"""

ARM = """
name = "arm"
[parameters]
c = 0.1
[coordinates]
q = ["a", "b"]
[dynamics]
mass = [["2 + cos(b)", "0.5 + cos(b)/2"], ["0.5 + cos(b)/2", "0.5"]]
potential = "-10*cos(a) - 5*cos(a + b)"
[[forces]]
name = "dampers"
class = "{kind}"
on = {{ a = "{sign}c*v_a", b = "{sign}c*v_b" }}
[initial]
q = [2.0, 1.0]
v = [0.0, 0.0]
"""

REPELLER = """
name = "repeller"
[coordinates]
q = ["x"]
[dynamics]
mass = 1.0
potential = "-x^4/4"
[initial]
q = [1.0]
v = [0.0]
"""

PARAMETRIC = """
name = "parametric"
[coordinates]
q = ["x"]
[dynamics]
mass = 1.0
potential = "400*(1 + 0.5*sin(20*t))*x^2/2"
[initial]
q = [1.0]
v = [0.0]
"""

DRIVEN = """
name = "driven"
[coordinates]
q = ["x"]
[dynamics]
mass = 1.0
potential = "x^2/2"
[[forces]]
name = "drive"
class = "driving"
on = { x = "10*sin(50*t)*v_x" }
[initial]
q = [1.0]
v = [0.0]
"""

FALL = """
name = "fall"
[coordinates]
q = ["x"]
[dynamics]
mass = 1.0
potential = "-1/(x^2 + 1e-6)^(1/2)"
[initial]
q = [1.0]
v = [0.0]
"""

SOFT = OSCILLATOR.replace("{y}", "0.001")
HARD = OSCILLATOR.replace("{y}", "0.5")
DAMPED, SWAPPED = ARM.format(kind="dissipative", sign="-"), ARM.format(kind="dissipative", sign="")
DRIVING = ARM.format(kind="driving", sign="-")
CONSERVATIVE = ARM.format(kind="conservative", sign="-")

# A pendulum that hangs: its momenta are rounding, and no motion.
HANGING = """
name = "hanging"
[coordinates]
q = ["x", "y"]
[dynamics]
mass = 1.0
potential = "9.81*y"
constraints = ["x^2 + y^2 - 2"]
[initial]
q = ["1e-9", "-sqrt(2 - 1e-18)"]
v = [0.0, 0.0]
"""

# Chaotic and damped motions with sensible steps, beside all built-in problems with their own [run].
MORE_RIGHT = [
    (HANGING, "--method rattle --step 0.01 --duration 10"),
    (HANGING.replace("1e-9", "0").replace(" - 1e-18", ""), "--method rattle --step 0.01 --duration 10"),
    (DAMPED, "--method spark(3) --step 0.01 --duration 20"),
    (HARD, "--set k=100 --method verlet --step 0.01 --duration 100"),
    (SOFT, "--method gauss(3) --step 0.2 --duration 1000"),
    ("double-pendulum", "--method lobatto(3) --step 0.05 --duration 1000"),
    ("henon-heiles", "--method gauss(3) --step 0.5 --duration 2000"),
    ("triple-pendulum", "--method compose(rattle,kahanli8) --step 0.1 --duration 1000"),
    ("kepler", "--set e=0.98 --method gauss(3) --step 1e-4 --duration 62.8 --adaptive reversible --tol 1e-7"),
    ("pendulum", "--method rattle --step 0.01 --steps 1"),
    ("harmonic-oscillator", "--method verlet --step -0.05 --duration -100"),
    ("free-top", "--method rattle --step 0.02 --duration 100"),
]

# (model or text, arguments)
WRONG = [
    # The step is 10 to 1000 times too large.
    ("kepler", "--method verlet --step 30 --duration 3000"),
    ("kepler", "--method verlet --step 0.5 --duration 60"),
    ("kepler", "--method gauss(2) --step 1 --duration 100"),
    ("kepler", "--method gauss(3) --step 6 --duration 600"),
    ("kepler", "--method compose(verlet,kahanli8) --step 2 --duration 200"),
    ("kepler", "--set e=0.98 --method verlet --step 0.02 --duration 60"),
    ("kepler", "--set e=0.98 --method gauss(2) --step 0.1 --duration 60"),
    ("henon-heiles", "--method verlet --step 1.9 --duration 200"),
    ("henon-heiles", "--method gauss(2) --step 10 --duration 1000"),
    ("harmonic-oscillator", "--method verlet --step 1.5 --duration 150"),
    ("harmonic-oscillator", "--method gauss(1) --step 20 --duration 2000"),
    ("harmonic-oscillator", "--method gauss(2) --step 40 --duration 4000"),
    ("pendulum-angle", "--method verlet --step 1.5 --duration 150"),
    ("pendulum-angle", "--method gauss(2) --step 5 --duration 500"),
    ("toda", "--method verlet --step 0.5 --duration 50"),
    ("fpu", "--method verlet --step 0.06 --duration 60"),
    ("argon", "--method verlet --step 0.0004 --steps 200"),
    ("two-body-sphere", "--method rattle --step 0.3 --duration 60"),
    ("kepler-sphere", "--method rattle --step 0.5 --duration 50"),
    ("triple-pendulum", "--method rattle --step 0.2 --duration 200"),
    ("double-pendulum", "--method rattle --step 0.3 --duration 300"),
    ("chain", "--method rattle --step 0.5 --duration 50"),
    ("heavy-top", "--method rattle --step 0.5 --duration 50"),
    ("spherical-pendulum", "--method rattle --step 0.5 --duration 100"),
    ("abc-flow", "--method gauss(1) --step 2 --duration 200"),
    ("charged-particle", "--method lobatto(3) --step 1 --duration 100"),
    # Oscillations that the step does not resolve.
    (HARD, "--set k=1e6 --method gauss(2) --step 0.1 --duration 20"),
    (HARD, "--set k=1e4 --method gauss(1) --step 0.1 --duration 20"),
    (HARD, "--set k=400 --method verlet --step 0.09 --duration 9"),
    ("stiff-spring-pendulum", "--method spark(3) --step 1.5 --duration 150"),
    (PARAMETRIC, "--method verlet --step 0.07 --duration 7"),
    (PARAMETRIC, "--method gauss(2) --step 0.3 --duration 30"),
    # The motion explodes, or falls into a singularity.
    (REPELLER, "--method verlet --step 0.01 --duration 10"),
    (FALL, "--method verlet --step 0.01 --duration 5"),
    (FALL, "--method gauss(2) --step 0.05 --duration 5"),
    # Forces: not resolved, and declared for what they are not.
    (DAMPED, "--method spark(3) --step 0.5 --duration 50"),
    (SWAPPED, "--method spark(3) --step 0.01 --duration 10"),
    (DRIVING, "--method spark(3) --step 0.01 --duration 10"),
    (CONSERVATIVE, "--method spark(3) --step 0.01 --duration 10"),
    (DRIVEN, "--method spark(2) --step 0.1 --duration 10"),
    ("damped-spherical-pendulum", "--method spark(2) --step 1 --duration 50"),
]
