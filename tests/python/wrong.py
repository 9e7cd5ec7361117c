
import libration as lb

x, y = lb.coordinates("x y")
model: lb.Model = lb.Model(q=[x, y], mass=1, potential=lb.sin(x) + lb.pi * y, initial={"q": [1, 0], "v": [0, 0]})
run: lb.Model = model.run("verlet", step=0.1, steps=10)
largest: float = run.energy_error.max()
try:
    lb.load("pendulum").run("ratle")
except lb.InputError as error:
    print(error, lb.__version__)
