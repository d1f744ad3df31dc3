"""Mappings are those of Python, nothing can be assigned without being heard, and texts of objects are one line."""

from collections.abc import Mapping

import numpy
import pytest

import wavemodel as wm

TEXT = """wave 1
type Costs { total: time, parts: int }
model M {
  param n: int = 4
  param L: time = 1 us
  output t = n * L in us
  output each = [i * L for i in 1..n]
  output costs = Costs(total = n * L, parts = n)
  output rows = [Costs(total = i * L, parts = i) for i in 1..n]
  output hole = 0.5
}
study S of M { vary n in [1, 2]
 show t }
"""
DATA = {"n": [1, 2, 4], "t": [2e-6, 4e-6, 8.1e-6]}
MODEL = wm.loads(TEXT)
MAPPINGS = {
    "result": lambda: MODEL.run(),
    "asked": lambda: MODEL.run().asked,
    "record": lambda: MODEL.run().costs,
    "sweep": lambda: MODEL.sweep(n=[1, 2]),
    "parameters": lambda: MODEL.params,
    "outputs": lambda: MODEL.outputs,
    "best": lambda: MODEL.optimize("t", {"n": [1, 2]}).best,
    "fitted values": lambda: MODEL.fit(DATA, ["L"]).values,
    "standing": lambda: MODEL.fit(DATA, ["L"]).standing,
    "summary": lambda: MODEL.validate(DATA).summary,
}
OBJECTS = {
    **MAPPINGS,
    "program": lambda: MODEL.program,
    "model": lambda: MODEL,
    "chart": lambda: MODEL.sweep(n=[1, 2]).plot("t"),
    "optimum": lambda: MODEL.optimize("t", {"n": [1, 2]}),
    "fit": lambda: MODEL.fit(DATA, ["L"]),
    "validation": lambda: MODEL.validate(DATA),
    "quantity": lambda: MODEL.run().t,
}


@pytest.mark.parametrize("kind", MAPPINGS)
def test_a_mapping_is_what_python_means_by_it(kind):
    one, other = MAPPINGS[kind](), MAPPINGS[kind]()
    assert isinstance(one, Mapping) and len(one) == len(list(one)) > 0
    assert list(one) == list(one.keys()) and len(one.values()) == len(one.items()) == len(one)
    name = next(iter(one))
    assert name in one and "nope" not in one and 3 not in one
    assert one.get("nope") is None and one.get("nope", 0) == 0 and one.get(3, 0) == 0
    assert one.get(name) is not None
    for missing in ("nope", 3):
        with pytest.raises(KeyError) as caught:
            one[missing]
        assert isinstance(caught.value, wm.Error) and "`" in str(caught.value)
    assert one == other and not one != other and one == one
    assert one != {} and one != 3 and {} != one
    assert dict(one).keys() == one.keys() and {**one}.keys() == one.keys()


def test_equality_is_of_values():
    assert MODEL.run() != MODEL.run(n=5) and MODEL.run() == MODEL.run(n=4)
    assert MODEL.run().costs == {"total": 4e-6, "parts": 4} and {"total": 4e-6, "parts": 4} == MODEL.run().costs
    assert MODEL.sweep(n=[1, 2]) != MODEL.sweep(n=[1, 3]) and MODEL.sweep(n=[1, 2]) != MODEL.sweep(n=[1, 2], show=["t"])
    assert MODEL.params == dict(MODEL.params) and MODEL.bind(n=3).params != MODEL.params
    failing = wm.loads("wave 1\nmodel M { param n: int = 2; output good = n; output bad = 1 div (n - 2) }")
    assert failing.run() == failing.run() and failing.run() != failing.run(n=3)
    nans = wm.loads("wave 1\nmodel M { param n: int\n output t = 1 div (n - 1) }").sweep(n=[1, 2])
    assert nans == nans.__class__(nans._parts, nans._recipe)


@pytest.mark.parametrize("kind", OBJECTS)
def test_nothing_is_assigned_in_silence(kind):
    one = OBJECTS[kind]()
    before = repr(one)
    names = ["n", "t", "total", "unit", "df", "anything"]
    for name in names:
        with pytest.raises(AttributeError):
            setattr(one, name, 64)
        with pytest.raises(AttributeError):
            delattr(one, name)
    if isinstance(one, Mapping):
        with pytest.raises(TypeError):
            one["n"] = 64
        with pytest.raises(TypeError):
            del one["n"]
    assert repr(one) == before


def test_what_cannot_be_assigned_says_how_to_go_on(refuses):
    assert "`bind(n=...)`" in refuses(AttributeError, setattr, MODEL, "n", 64)
    assert "a result never changes" in refuses(AttributeError, setattr, MODEL.run(), "t", 1)
    assert "bind" in refuses(TypeError, MODEL.params.__setitem__, "n", 64)
    with pytest.raises(ValueError):
        MODEL.run().each[0] = 3


@pytest.mark.parametrize("kind", OBJECTS)
def test_a_repr_is_one_line(kind):
    one = OBJECTS[kind]()
    assert len(repr(one).splitlines()) == 1 and not repr(one).startswith("<wavemodel.")


def test_a_repr_of_an_error_and_of_a_machine_is_one_line(monkeypatch):
    import conftest

    with pytest.raises(wm.Error) as caught:
        MODEL.run(k=3)
    assert repr(caught.value) == "<wavemodel.UnknownName E0406: `M` has no parameter `k`>"
    fit = wm.fit_machine("osu", conftest.SOURCE / "examples/sweep3d/osu_latency.txt", output="cluster.wave")
    assert repr(fit).startswith("<Cluster: L = ") and "\n" not in repr(fit) and str(fit) == fit.text


def test_names_are_completed(sweep3d):
    result = sweep3d.run()
    assert result._ipython_key_completions_() == list(result) and "total" in dir(result)
    assert "net.L" in sweep3d.params._ipython_key_completions_()
    assert MODEL.sweep(n=[1])._ipython_key_completions_()[0] == "n"
    assert "total" in dir(MODEL.run().costs)


def test_arrays_of_a_sweep_are_of_their_points():
    points = MODEL.sweep(n=[1, 2])
    assert [name for name, values in points.items() if not isinstance(values, numpy.ndarray)] == []
