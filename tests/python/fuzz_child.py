"""One part of the fuzz test, run by test_fuzz.py in a process of its own: fuzz_child.py PART SEED SECONDS LOG."""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import time
import warnings
from pathlib import Path
from typing import Any, Callable, Dict, List

import h5py
import numpy as np
from fuzz_garbage import Garbage, Mischief

import libration as lb
from libration import _core
from libration import _expressions as words

ALLOWED = (ValueError, TypeError, OSError, RuntimeError, MemoryError, OverflowError, Mischief)


# Python's own methods, with errors of their own.
OF_EVERY_OBJECT = frozenset(dir(object)) - set("__eq__ __hash__ __repr__ __str__ __init__ __new__ __reduce__".split())


class Hang(BaseException):
    """A case took too long and did not listen to signals in time."""


class Attempts:
    """Runs cases and writes each into a log before it starts, so that the last line names what killed the process."""

    def __init__(self, log: str) -> None:
        self.log = open(log, "w", buffering=1, encoding="utf-8", errors="backslashreplace")
        self.count = 0

    def __call__(self, what: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        self.count += 1
        shown = f"{getattr(what, '__qualname__', what)} {_shown(arguments)} {_shown(named)}"
        self.log.write(shown.replace("\n", " ") + "\n")
        # Of the processor: a busy machine is not a hang. A process that sleeps is found by the test.
        signal.setitimer(signal.ITIMER_PROF, 20)
        try:
            return what(*arguments, **named)
        except ALLOWED as error:
            if not str(error) and not isinstance(error, (MemoryError, RecursionError)):
                raise AssertionError(f"an error without a message: {error!r} from {shown[:2000]}") from error
        except Exception as error:
            raise AssertionError(f"{type(error).__name__}: {str(error)[:500]} from {shown[:2000]}") from error
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        return None


def _shown(value: object) -> str:
    try:
        return repr(value)[:1000]
    except Exception as error:
        return f"<no repr: {type(error).__name__}>"


def expressions(attempt: Attempts, garbage: Garbage) -> None:
    e = garbage.expression(5)
    a, b = garbage.value(), garbage.value()
    names = [name for name in dir(lb.Expression) if name not in OF_EVERY_OBJECT]
    if isinstance(e, lb.Expression):
        method = getattr(e, garbage.random.choice(names))
        if callable(method):
            attempt(method, *garbage.pick((), (a,), (a, b)))
        attempt(lambda: pickle.loads(pickle.dumps(e, garbage.random.randrange(6))))
        attempt(lambda: [e * np.asarray(a, dtype=object), np.asarray(a, dtype=object) ** e])
    attempt(lb.Expression, a)
    function = garbage.random.choice(list(words.FUNCTIONS.values()))
    attempt(function, *garbage.pick((), (a,), (a, b), (e, b), (a, b, e)))
    for word in (words.coordinates, words.parse, words.velocity, words.multiplier, words.vector, words.symbol):
        attempt(word, garbage.pick(a, garbage.text()))
    attempt(_core.call, garbage.text(), a, b)
    attempt(_core.evaluate, a, b)
    attempt(_core.shared_text, garbage.pick(a, [e]), garbage.pick(b, []))
    attempt(garbage.pick(np.sin, np.sqrt, np.add, np.dot, np.maximum, np.cross, np.sum, np.abs), e)


def _model(garbage: Garbage) -> Any:
    x, y = garbage.x, garbage.y
    return garbage.pick(
        lambda: lb.Model(q=[x, y], mass=1, potential=y, constraints=[x**2 + y**2 - 1], initial={"q": [1, 0]}),
        lambda: lb.Model(q=[x], mass=1, potential=x**2 / 2, initial={"q": [1], "v": [0]}),
        lambda: lb.load("pendulum"),
    )()


def models(attempt: Attempts, garbage: Garbage) -> None:
    x, y = garbage.x, garbage.y
    sound: Dict[str, Any] = {"q": [x, y], "mass": 1, "potential": y, "initial": {"q": [1, 0]}}
    sound["constraints"] = [x**2 + y**2 - 1]
    names = "q mass potential constraints nonholonomic kinetic hamiltonian field forces spark".split()
    names += "observables invariants events parameters initial name description source run nonsense".split()
    for name in garbage.random.sample(names, garbage.random.randrange(1, 4)):
        sound[name] = garbage.pick(garbage.value(), garbage.expression(), {garbage.text(): garbage.value()})
    model = attempt(lb.Model, **sound)
    if model is not None:
        for name in ("check", "to_toml", "equations", "_repr_markdown_"):
            attempt(getattr(model, name))
        attempt(model.set, **{garbage.pick("x", "v_x", "p_y", "g", "zz"): garbage.value()})
        attempt(lambda: pickle.loads(pickle.dumps(model, garbage.random.randrange(6))))
        attempt(pickle.dumps, model._core, garbage.random.randrange(6))
    attempt(lb.Model.parse, garbage.pick(garbage.text(), _damaged(garbage, _model(garbage).to_toml())))
    attempt(lb.load, garbage.pick(garbage.value(), garbage.text()))
    attempt(lb.load, "pendulum", parameters=garbage.value())
    attempt(lb.external, garbage.value(), gradient=garbage.value())


def _damaged(garbage: Garbage, text: str) -> str:
    """A text with a few places cut, doubled or replaced."""
    for _ in range(garbage.random.randrange(1, 4)):
        at = garbage.random.randrange(len(text) + 1)
        length = garbage.random.randrange(8)
        text = text[:at] + garbage.pick("", text[at : at + length] * 2, garbage.text()[:50]) + text[at + length :]
    return text


def runs(attempt: Attempts, garbage: Garbage) -> None:
    model = _model(garbage)
    options: Dict[str, Any] = {"step": 0.01, "steps": garbage.pick(1, 10, 100)}
    names = "method step duration every monitor project adaptive tol estimator at events stop_if callback out".split()
    names += "overwrite progress force backend nonsense".split()
    for name in garbage.random.sample(names, garbage.random.randrange(1, 4)):
        options[name] = garbage.pick(garbage.value(), garbage.number(), garbage.text(), garbage.callback())
    if not isinstance(options.get("out"), str):
        options.pop("out", None)  # a number is an open file to Python
    else:
        options["out"] = garbage.pick("run.h5", "run.csv", "", ".", "no/such/place.h5", "run.txt")
    # Whatever the length is: five callbacks, then the end.
    calls = [0]

    def stop(*_: Any) -> bool:
        calls[0] += 1
        return calls[0] < 5

    options.setdefault("callback", stop)
    run = attempt(model.run, **options)
    if run is not None:
        parts = [name for name in dir(run) if not name.startswith("__") and name not in ("animate", "plot")]
        for name in garbage.random.sample(parts, 4):
            part = attempt(getattr, run, name)
            if callable(part):
                attempt(part, garbage.pick(garbage.value(), "run.h5", "x.csv", "lyapunov"))
        attempt(pickle.dumps, garbage.pick(run, run._core), garbage.random.randrange(6))
        attempt(run.analyse, garbage.text(), **{garbage.text(): garbage.text()})
    attempt(lb.method, garbage.pick(garbage.text(), garbage.value()))
    if garbage.random.random() < 0.05:
        attempt(lb.compare, model, garbage.value(), steps=garbage.pick(10, garbage.number()))


def files(attempt: Attempts, garbage: Garbage) -> None:
    attempt(lb.open, garbage.pick(garbage.text(), "", ".", "missing.h5", Path("x"), b"x", None, 3.5))
    good = _model(garbage).run(step=0.01, steps=20)
    good.save("good.h5", overwrite=True)
    data = bytearray(Path("good.h5").read_bytes())
    heaps = _global_heaps(bytes(data))
    for _ in range(garbage.random.randrange(1, 40)):
        at = garbage.random.randrange(len(data))
        if not any(at in heap for heap in heaps):
            data[at] = garbage.random.randrange(256)
    if garbage.random.random() < 0.3:
        del data[garbage.random.randrange(len(data)) :]
    Path("bad.h5").write_bytes(bytes(data))
    run = attempt(lb.open, "bad.h5")
    if run is not None:
        attempt(lambda: [getattr(run, name) for name in ("t", "q", "p", "energy", "summary", "events", "observables")])
        attempt(run.save, "copy.h5", overwrite=True)
    attempt(lb.resume, "bad.h5", steps=garbage.pick(10, garbage.number()), callback=lambda *_: True)
    attempt(lb.resume, "missing.h5", steps=1)
    _misshapen(attempt, garbage)


def _global_heaps(data: bytes) -> List[range]:
    """Where the texts of attributes lie. They have no checksum, and HDF5 itself (H5HG_read of 1.10) crashes on wrong
    sizes in them, whoever reads the file."""
    starts = [at for at in range(len(data)) if data.startswith(b"GCOL", at)]
    return [range(at, at + int.from_bytes(data[at + 8 : at + 16], "little")) for at in starts]


def _misshapen(attempt: Attempts, garbage: Garbage) -> None:
    """Files that HDF5 reads without complaint, with datasets and attributes of other sizes and types, before or after
    they are opened."""
    path = "odd.h5"
    of_ensemble = garbage.random.random() < 0.5
    model = lb.load("pendulum")
    if of_ensemble:
        ensemble = model.ensemble("rattle", vary={"g": [1.0, 2.0]}, step=0.01, steps=5, trajectories=True)
        ensemble.save(path, overwrite=True)
    else:
        model.run("rattle", step=0.01, steps=5, events=["x"]).save(path, overwrite=True)
    opened = lb.open(path) if garbage.random.random() < 0.5 else None
    with h5py.File(path, "r+") as file:
        _misshape(file, garbage)
    if opened is None:
        opened = attempt(lb.open, path)
    if opened is None:
        return
    for name in ("trajectories",) if of_ensemble else ("t", "step_numbers", "q", "p", "lam", "observables", "summary"):
        attempt(getattr, opened, name)
    attempt(repr, opened)
    attempt(opened.save, "copy.h5", overwrite=True)
    if not of_ensemble:
        attempt(lb.resume, path, steps=garbage.pick(6, 10))


def _misshape(file: Any, garbage: Garbage) -> None:
    names: List[str] = []
    file.visititems(lambda name, node: names.append(name) if isinstance(node, h5py.Dataset) else None)
    for _ in range(garbage.random.randrange(1, 3)):
        if garbage.random.random() < 0.3:
            attribute = garbage.random.choice(list(file.attrs))
            new = garbage.pick("x", "", "1e300", "x\ny=", "=" * 100_000, np.arange(3), -1, np.nan, None)
            del file.attrs[attribute]
            if new is not None:
                file.attrs[attribute] = new
            continue
        name = garbage.random.choice(names)
        if name not in file:
            continue
        shape = file[name].shape
        del file[name]
        other = garbage.pick((), (0,), (1,), (1000,), (3, 0), (0, 3), (2, 2, 2), shape[1:], (*shape, 2), shape, None)
        if other is not None:
            file[name] = np.full(other, garbage.pick(0.0, np.nan, -1.0, 1e300, 3), dtype=garbage.pick("f8", "i2", "f4"))


def ensembles(attempt: Attempts, garbage: Garbage) -> None:
    vary = {}
    for _ in range(garbage.pick(1, 1, 2)):
        name = garbage.pick("x", "v_x", "p_x", "g", "q", "p", "v", garbage.text())
        vary[name] = garbage.pick(garbage.value(), garbage.array(), "uniform(0, 1)", np.linspace(0.1, 0.2, 3))
    options: Dict[str, Any] = {"vary": garbage.pick(vary, garbage.value()), "step": 0.01, "steps": 5}
    for name in garbage.random.sample("count seed monitor project trajectories threads progress method".split(), 2):
        options[name] = garbage.pick(garbage.value(), garbage.number(), 2)
    if isinstance(options.get("count"), (int, float)) and options["count"] > 1e6:
        options["count"] = 1000
    result = attempt(_model(garbage).ensemble, **options)
    if result is not None:
        attempt(repr, result)
        attempt(pickle.dumps, garbage.pick(result, result._core), garbage.random.randrange(6))


PARTS: Dict[str, Callable[[Attempts, Garbage], None]] = {
    "expressions": expressions,
    "models": models,
    "runs": runs,
    "files": files,
    "ensembles": ensembles,
}


def threads(attempt: Attempts, garbage: Garbage) -> None:
    """The same things at once from several threads; the log names all of them."""

    def work(seed: int) -> None:
        own = Garbage(seed)
        for _ in range(20):
            try:
                e = own.expression(6)
                repr(e), hash(e)
                if isinstance(e, lb.Expression):
                    e.diff(own.x), pickle.loads(pickle.dumps(e))
            except ALLOWED:
                pass

    def together() -> None:
        started = [threading.Thread(target=work, args=(garbage.random.randrange(10**9),)) for _ in range(4)]
        for thread in started:
            thread.start()
        for thread in started:
            thread.join()

    attempt(together)


PARTS["threads"] = threads


def main() -> None:
    part, seed, seconds, log = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), sys.argv[4]
    warnings.simplefilter("ignore")

    def too_long(*_: Any) -> None:
        raise Hang("a case took more than 20 seconds of processor time")

    signal.signal(signal.SIGPROF, too_long)
    attempt = Attempts(log)
    end = time.monotonic() + seconds
    while True:
        PARTS[part](attempt, Garbage(seed))
        seed += 1
        if time.monotonic() > end:
            break
    print(attempt.count, "cases, last seed", seed - 1)
    sys.stdout.flush()
    if threading.active_count() > 1:  # a callback of a run may still be in flight
        os._exit(0)
    if part == "threads":  # the interpreter ends while they are at work
        model = lb.load("triple-pendulum")
        for more in ({}, {"callback": lambda state: None}, {"out": "daemon.h5", "every": 100}):
            arguments = {"step": 0.01, "steps": 10**9, "every": 10**6, **more}
            threading.Thread(target=model.run, args=("rattle",), kwargs=arguments, daemon=True).start()
        time.sleep(0.5)


if __name__ == "__main__":
    main()
