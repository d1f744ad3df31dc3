"""Values that say their units are what they say, or an error of dimension, wherever a value enters."""

import datetime

import numpy
import pandas
import pytest

import wavemodel as wm

TEXT = """wave 1
import std.machines.ibm_sp2 { SP2 }
model M {
  param n: int = 4
  param L: time = 1 us
  param size: data = 1 KiB
  param rate: data/time = 1 GB/s
  param share: real = 0.5
  param net: SP2 = SP2()
  output t = n * L in us
  output bytes = size * n
  output speed = rate in MB/s
  output part = share
  output latency = net.L in us
}
"""
FOUR = 4e-6  # what all of `TIMES` are
TIMES = {
    "asked": wm.Quantity(4.0, "us"),
    "seconds": wm.Quantity(4e-6, "s"),
    "nanoseconds": wm.Quantity(4000.0, "ns"),
    "timedelta": datetime.timedelta(microseconds=4),
    "numpy": numpy.timedelta64(4, "us"),
    "numpy in ns": numpy.timedelta64(4000, "ns"),
    "pandas": pandas.Timedelta("4us"),
}
WRONG = {
    "bytes": wm.Quantity(8192.0, "B"),
    "MiB": wm.Quantity(1.0, "MiB"),
    "a rate": wm.Quantity(1.0, "GB/s"),
    "a plain number": wm.Quantity(4.0),
    "square": wm.Quantity(1.0, "s*s"),
}


@pytest.fixture(scope="module")
def model():
    return wm.loads(TEXT)


def frame_of(value, **more):
    quantity = value if isinstance(value, wm.Quantity) else wm.Quantity(pandas.Timedelta(value).total_seconds(), "s")
    frame = pandas.DataFrame({"L": [float(quantity)] * 3, **more})
    frame.attrs["units"] = {"L": quantity.unit or "1"}
    return frame


def fitted(model, **named):
    data = {"n": [1, 2, 4], "t": [4e-6, 8e-6, 16e-6]}
    return model.fit(data, ["L"], **named).values["L"]


# Every place where a value of a parameter enters: what it comes to, in seconds.
PLACES = {
    "run": lambda m, v: m.run(L=v, n=1).t,
    "run of a mapping": lambda m, v: m.run({"L": v, "n": 1}).t,
    "run of a row": lambda m, v: m.run(frame_of(v, n=[1, 1, 1]).iloc[1]).t,
    "bind": lambda m, v: m.bind(L=v).run(n=1).t,
    "bind of a mapping": lambda m, v: m.bind({"L": v}).run(n=1).t,
    "a value of all rows": lambda m, v: m.batch({"n": [1]}, ["t"], L=v)["t"][0],
    "a list of a batch": lambda m, v: m.batch({"L": [v, v]}, ["t"], n=1)["t"][1],
    "an object array of a batch": lambda m, v: m.batch({"L": numpy.array([v, None], dtype=object)[:1]}, ["t"], n=1)["t"][0],
    "a frame of a batch": lambda m, v: m.batch(frame_of(v), ["t"], asked=False, n=1)["t"][2],
    "a heading of a batch": lambda m, v: m.batch({f"L [{frame_of(v).attrs['units']['L']}]": frame_of(v)["L"].tolist()}, ["t"], n=1)["t"][0],
    "a heading of a run": lambda m, v: m.run({f"L [{frame_of(v).attrs['units']['L']}]": frame_of(v)["L"][0]}, n=1).t,
    "a Series in a dict": lambda m, v: m.batch({"L": frame_of(v)["L"]}, ["t"], n=1)["t"][2],
    "an axis": lambda m, v: m.sweep(L=[v], n=[1], show=["t"])["t"][0],
    "an axis of a frame": lambda m, v: m.sweep(L=frame_of(v)["L"], n=[1], show=["t"])["t"][0],
    "a bound sweep": lambda m, v: m.bind(L=v).sweep(n=[1], show=["t"])["t"][0],
    "what may be chosen": lambda m, v: m.optimize("t", {"L": [v], "n": [1]}).best["L"],
    "a value of an optimization": lambda m, v: m.optimize("t", {"n": [1]}, L=v).bound,
    "a value of a validation": lambda m, v: m.validate({"n": [1], "t": [1e-6]}, L=v).si.df["predicted"][0],
    "a list of measurements": lambda m, v: m.validate({"L": [v], "t": [1e-6]}, n=1).si.df["predicted"][0],
    "a frame of measurements": lambda m, v: m.validate(frame_of(v, t=[1e-6] * 3), n=1).si.df["predicted"][0],
    "a bound of a fit": lambda m, v: fitted(m, bounds={"L": (v, v * 2)}),
    "a value of a fit": lambda m, v: m.fit({"n": [1, 2], "speed": [1e9, 1e9]}, ["rate"], L=v).model.run(n=1).t,
    "a value of a prediction": lambda m, v: m.fit({"n": [1, 2, 4], "speed": [1e9] * 3}, ["rate"]).model.run(L=v, n=1).t,
    "interact": lambda m, v: pytest.importorskip("ipywidgets") and float(m.bind(L=v).params["L"].value),
}


@pytest.mark.parametrize("kind", TIMES)
@pytest.mark.parametrize("place", PLACES)
def test_a_time_is_what_it_says(model, place, kind):
    if place == "a bound of a fit" and kind == "numpy in ns":
        pytest.skip("NumPy multiplies it, too")
    assert PLACES[place](model, TIMES[kind]) == pytest.approx(FOUR, rel=1e-12)


@pytest.mark.parametrize("kind", WRONG)
@pytest.mark.parametrize("place", [place for place in PLACES if place not in ("a bound of a fit",)])
def test_another_dimension_is_an_error(model, place, kind, refuses):
    with pytest.raises(wm.Error) as caught:
        PLACES[place](model, WRONG[kind])
    assert caught.value.code in ("E0301", "E0302", "E0601", "E0621", "E0622") or "unit" in str(caught.value)
    assert "-D" not in str(caught.value)
    assert model.run(n=1).t == 1e-6


@pytest.mark.parametrize("unit", ["B", "GB/s"])
def test_bounds_of_another_dimension_are_an_error(model, unit):
    with pytest.raises(wm.Error):
        fitted(model, bounds={"L": (wm.Quantity(1.0, unit), None)})


def test_bounds_and_assumptions_are_of_any_dimension(model):
    import conftest

    data = {"n": [1, 2], "speed": [1e9, 1e9]}
    fit = model.fit(data, ["rate"], bounds={"rate": (wm.Quantity(2.0, "GB/s"), wm.Quantity(4.0, "GB/s"))})
    assert fit.values["rate"] == 2e9 and fit.standing == {"rate": "at lower bound"}
    file = conftest.SOURCE / "examples/sweep3d/osu_latency.txt"
    for text, value in (("1.2us", wm.Quantity(1.2, "us")), ("2us", datetime.timedelta(microseconds=2)), ("0.0000012 s", wm.Quantity(1.2e-6, "s"))):
        made = [wm.fit_machine("osu", file, assume={"o": one}).parameters["value"].tolist() for one in (text, value)]
        assert made[0] == pytest.approx(made[1], rel=1e-2)


def test_a_result_is_a_value_in_whatever_unit(model):
    result = model.run(n=3, L="1.25 us")
    for one in (result, result.asked, result.si):
        assert model.run(L=one.t, n=1).t == result.t
        assert model.run(size=one.bytes, n=1).bytes == result.bytes
        assert model.run(rate=one.speed).speed == result.speed
        assert model.run(share=one.part).part == result.part
        assert model.run({"net.L": one.latency}).latency == result.latency


def test_a_quantity_has_the_bits_of_the_literal(model):
    for number in range(1, 200):
        value = round(number * 0.37, 2)
        for unit in ("ns", "us", "ms", "s", "min"):
            wanted = model.run(L=f"{value!r} {unit}", n=1).t
            assert model.run(L=wm.Quantity(value, unit), n=1).t == wanted
            frame = pandas.DataFrame({"L": [value]})
            frame.attrs["units"] = {"L": unit}
            assert model.batch(frame, ["t"], asked=False, n=1)["t"][0] == wanted


@pytest.mark.parametrize("unit", ["s", "us", "min", "B", "KiB", "GB", "B/s", "GB/s", "MiB/s", "s/B", "us/KiB", "flop", "Gflop/s",
                                  "1/s", "s/(B/s)", "s^2", "kbit"])
def test_units_are_those_of_the_language(unit):
    from wavemodel._units import scale_of

    scale = scale_of(unit)
    inverse = scale_of(f"1/({unit})") if unit[0] != "1" else scale_of("s")
    assert scale.si(1.0) * inverse.si(1.0) == pytest.approx(1, rel=1e-15)
    assert tuple(-power for power in scale.dimension) == inverse.dimension


@pytest.mark.parametrize("unit", ["foo", "usec", "s }", "s;", "n", "1e9", "s\n", "(" * 70, "s/", "-s", "us + ms", 'x"'])
def test_what_is_no_unit_is_refused(model, unit, refuses):
    text = refuses(ValueError, model.run, L=wm.Quantity(1.0, unit))
    assert "is no unit" in text
    frame = pandas.DataFrame({"L": [1.0]})
    frame.attrs["units"] = {"L": unit}
    assert "is no unit" in refuses(wm.Error, model.batch, frame, ["t"])


def test_units_of_frames_are_a_dict_of_str(model, refuses):
    frame = pandas.DataFrame({"L": [1.0]})
    for wrong in ([1], {"L": 3}):
        frame.attrs["units"] = wrong
        assert "units" in refuses(TypeError, model.batch, frame, ["t"])


def test_rows_of_a_column_have_one_dimension(model, refuses):
    text = refuses(wm.WrongDimension, model.batch, {"L": [wm.Quantity(1.0, "us"), wm.Quantity(1.0, "B")]}, ["t"])
    assert "row 1 of column `L`" in text
    assert "row 1 of column `L`" in refuses(wm.WrongDimension, model.batch, {"L": [wm.Quantity(1.0, "us"), 1.0]}, ["t"])
    mixed = model.batch({"L": [wm.Quantity(1.0, "us"), wm.Quantity(1.0, "ms")]}, ["t"], n=1)
    assert mixed["t"].tolist() == [1e-6, 1e-3]


def test_a_heading_and_a_frame_name_the_same_unit(model, refuses):
    frame = pandas.DataFrame({"n": [1, 2], "t [ms]": [1.0, 2.0]})
    frame.attrs["units"] = {"t [ms]": "ms"}
    assert model.validate(frame).compared == 2
    frame.attrs["units"] = {"t [ms]": "us"}
    assert "names its unit" in refuses(ValueError, model.validate, frame)


def test_tables_of_results_are_taken_back_in_their_units(model):
    points = model.sweep(n=[1, 2], L=["3 us", "4 us"], show=["t"])
    again = model.batch(points.df[["n", "L"]], ["t"])
    assert again["t"].tolist() == points.df["t"].tolist() and again.attrs["units"] == {"t": "us"}
    for _, row in points.df[["n", "L"]].iterrows():
        assert model.run(row).t in points["t"]


@pytest.mark.parametrize("limit", [wm.Quantity(50.0, "ms"), datetime.timedelta(milliseconds=50), 0.05])
def test_limits_are_quantities_too(limit):
    model = wm.loads("wave 1\nmodel M { param n: int = 1000000000\n output t = sum(i in 1..n: i mod 7) }",
                     seconds=limit, memory=wm.Quantity(1.0, "GiB"), shortcuts=False, engine="interpreter")
    with pytest.raises(TimeoutError):
        model.run()


def test_a_budget_is_a_time(model, refuses):
    assert model.optimize("t", {"n": [1, 2]}, budget=wm.Quantity(5000.0, "ms")).proved
    assert "takes a number in s" in refuses(wm.WrongDimension, model.optimize, "t", {"n": [1]}, budget=wm.Quantity(1.0, "B"))
    assert "takes a number in B" in refuses(wm.WrongDimension, wm.loads, TEXT, memory=wm.Quantity(1.0, "s"))


def test_tables_show_the_unit_that_is_asked_for_and_si_by_a_switch(model):
    result = model.run(n=2)
    assert result.frame("t")["t"].tolist() == [2.0] and result.frame("t").attrs["units"] == {"t": "us"}
    assert result.si.frame("t")["t"].tolist() == [2e-6] and result.si.frame("t").attrs["units"] == {"t": "s"}
    points = model.sweep(n=[1, 2], show=["t"])
    assert points.df["t"].tolist() == [1.0, 2.0] and points.si.df["t"].tolist() == [1e-6, 2e-6]
    assert points.df.attrs["units"]["t"] == "us" and points.si.df.attrs["units"]["t"] == "s"
    assert points["t"].tolist() == [1e-6, 2e-6] and points.units["t"] == "s"
    rows = pandas.DataFrame({"n": [1, 2]})
    assert model.batch(rows, ["t"])["t"].tolist() == [1.0, 2.0]
    assert model.batch(rows, ["t"], asked=False)["t"].tolist() == [1e-6, 2e-6]
    assert model.batch({"n": [1, 2]}, ["t"])["t"].tolist() == [1e-6, 2e-6]
    found = model.optimize("t", {"n": [1, 2]})
    assert found.df["t"].tolist() == [1.0, 2.0] and found.si.df["t"].tolist() == [1e-6, 2e-6]
    for one in (result, points, found):
        assert "us" in one._repr_html_()
    assert "2.0 us" in repr(result) and "2.0 us" in str(result)
