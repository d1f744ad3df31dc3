"""Models beside measurements: the bits of `wave validate` and `wave fit`, what data may be, and what is refused."""

import json
import math
import os
import signal
import subprocess
import threading

import conftest
import numpy
import pandas
import pytest

import wavemodel as wm

SWEEP3D = conftest.SOURCE / "examples/sweep3d"
LINE = """wave 1
model Line {
  param n: int = 1
  param start: time = 1 us
  param step: time = 1 us in 0 us..1 s
  param net: string = "a"
  output total = start + n * step
  output count = n * 2
}
"""
SIZES = [1, 2, 4, 8, 16]
TIMES = [2e-6 + n * 3e-6 for n in SIZES]


@pytest.fixture
def line() -> wm.Model:
    return wm.loads(LINE)


def printed(*arguments):
    command = [conftest.PROGRAM, *map(str, arguments), "--format", "json"]
    answer = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return {name: read(table) for name, table in answer["tables"].items()}


def read(table):
    """The fields of a record, or the columns of rows with their cells."""
    if table["shape"] == "record":
        return {name: one["value"] for name, one in table["fields"].items()}
    return {one["name"]: [row[at] for row in table["rows"]] for at, one in enumerate(table["columns"])}


def test_a_validation_has_the_bits_of_the_program():
    file, data = SWEEP3D / "reference.wave", SWEEP3D / "reference.csv"
    wanted = printed("validate", file, "--data", data, "-D", "Wg=1.25 us")
    found = wm.load(file).validate(data, Wg="1.25 us")
    for name in ("compared", "mean_error", "bias", "root_mean_square", "largest_error"):
        assert getattr(found, name) == wanted["summary"][name]
    rows = found.asked.df
    assert found.asked.df.attrs["units"]["measured"] == "s" and found.shown == wanted["summary"]["shown"]
    for name in ("measured", "predicted", "error"):
        assert rows[name].tolist() == wanted["configurations"][name]
    for name in ("pairs", "ties", "right", "wrong", "tau", "predicted_best", "measured_best", "loss"):
        assert found.ranking[name] == wanted["ranking"][name]
    assert {name: found.inversions[name].tolist() for name in found.inversions} == wanted["inversions"]
    assert rows["cells"].tolist() == [150, 150, 50, 50] and rows["row"].tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("options", [{}, {"errors": "absolute"}, {"robust": True, "confidence": 0.9}, {"starts": 3}])
def test_a_fit_has_the_bits_of_the_program(options):
    file, data = SWEEP3D / "weak_scaling.wave", SWEEP3D / "cray_xe6.csv"
    words = [word for name, value in options.items()
             for word in ([f"--{name}"] if value is True else [f"--{name}", value])]
    wanted = printed("fit", file, "--data", data, "--params", "on_one,step", *words)
    found = wm.load(file).fit(data, ["on_one", "step"], **options)
    parameters = found.parameters
    for name in ("value", "standard_error", "low", "high", "unit", "standing"):
        assert parameters[name].tolist() == wanted["parameters"][name]
    assert found.values == dict(zip(wanted["parameters"]["parameter"], wanted["parameters"]["value"]))
    assert len(wanted["summary"]) > 15
    for name, value in wanted["summary"].items():
        assert found.summary[name] == value or (value is None and math.isnan(found.summary[name]))
    assert {name: found.correlation[name].tolist() for name in found.correlation} == wanted["correlation"]
    rows = found.asked.df
    for name in ("measured", "fitted", "left_out", "weight"):
        assert rows[name].tolist() == wanted["configurations"][name]


def test_a_frame_a_dict_and_a_file_are_the_same_data(line, tmp_path):
    file = tmp_path / "measured.csv"
    file.write_text("n,total [us]\n" + "".join(f"{n},{round(t * 1e6)}\n" for n, t in zip(SIZES, TIMES)))
    times = [round(t * 1e6) / 1e6 for t in TIMES]  # as near as a number is, as those of the file are
    frame = pandas.DataFrame({"n": SIZES, "total": [round(t * 1e6) for t in TIMES]})
    frame.attrs["units"] = {"total": "us"}
    fits = [line.fit(data, ["start", "step"]) for data in (
        str(file), file, {"n": SIZES, "total": numpy.array(times)}, {"n": SIZES, "total [us]": frame["total"]}, frame)]
    for one in fits:
        assert one.values == fits[0].values
        assert one.si.df["fitted"].tolist() == fits[0].si.df["fitted"].tolist()
    assert fits[0].values["step"] == pytest.approx(3e-6) and fits[0].values["step"].unit == "s"


def test_one_goes_on_with_fitted_values(line):
    fit = line.fit({"n": SIZES, "total": TIMES}, ["start", "step"])
    assert line.run(n=32, **fit.values).total == pytest.approx(98e-6)
    assert fit.model.run(n=32).total == line.run(n=32, **fit.values).total
    assert fit.model.validate({"n": SIZES, "total": TIMES}).largest_error < 1e-9
    assert set(fit.standing.values()) == {"determined"} and fit.converged and fit.warnings == []
    low, high = fit.intervals["step"]
    assert low <= fit.values["step"] <= high and fit.standard_errors["step"] < 1e-12
    assert list(fit.correlation.index) == ["start", "step"]


def test_values_of_other_parameters_hold_for_a_fit_and_go_on(line):
    fit = line.fit({"n": SIZES, "total": TIMES}, ["step"], start=2e-6)
    assert fit.values["step"] == pytest.approx(3e-6)
    assert fit.model.run(n=2).total == pytest.approx(8e-6)
    assert line.run(n=2).total == pytest.approx(3e-6)


def test_bounds_are_texts_or_pairs(line):
    data = {"n": SIZES, "total": TIMES}
    for bounds in ("1us..2us", "..2 us", (1e-6, 2e-6), (None, 2e-6)):
        fit = line.fit(data, ["step"], bounds={"step": bounds})
        assert fit.standing == {"step": "at upper bound"} and fit.values["step"] == 2e-6
        assert math.isnan(fit.intervals["step"][0])


def test_what_the_data_leave_open_is_told():
    model = wm.loads("wave 1\nmodel M { param n: int; param a: time = 1 us; param b: time = 1 us; output t = n * (a + b) }")
    fit = model.fit({"n": [1, 2, 3], "t": [3e-6, 6e-6, 9e-6]}, ["a", "b"])
    assert fit.standing == {"a": "open", "b": "open"} and fit.open["determined"].tolist() == ["a + b"]
    assert [one["code"] for one in fit.warnings] == ["E0712"]
    assert "cannot tell" in fit._repr_html_()


def test_repetitions_are_one_configuration(line):
    found = line.validate({"n": [1, 2, 1], "total": [2e-6, 3e-6, 4e-6], "net": ["a", "b,\"", "a"]})
    frame = found.df
    assert frame["repetitions"].tolist() == [2, 1] and frame["measured"].tolist() == [3e-6, 3e-6]
    assert frame["net"].tolist() == ["a", 'b,"'] and frame["row"].tolist() == [0, 1]
    assert frame["deviation"][0] == pytest.approx(math.sqrt(2) * 1e-6) and math.isnan(frame["deviation"][1])


def test_machines_are_expressions_and_conditions_choose_rows():
    model = wm.load(SWEEP3D / "sweep3d.wave")
    data = {"n": [4, 8, 8], "net": ["SP2()", "SP2(L = 5 us)", "SP2()"], "total": [176.0, 174.0, 180.0]}
    found = model.validate(data, where=["n > 4"])
    assert found.df["net"].tolist() == ["SP2(L = 5 us)", "SP2()"] and found.left_out == 1
    assert found.df["predicted"].tolist() == [model.run(n=8, net=net).total for net in data["net"][1:]]
    alone = model.validate({**data, "note": [1, 2, 3]}, ignore=["note"], measured="total", show="total")
    assert alone.compared == 3


def test_rows_that_fail_are_told(refuses):
    model = wm.loads('wave 1\nmodel M { param n: int; output t = if n == 2 then error("a two") else n * 1 s }')
    found = model.validate({"n": [1, 2], "t": [1.0, 2.0]})
    assert found.compared == 1 and math.isnan(found.df["predicted"][1]) and found.ranking is None
    assert [one["code"] for one in found.warnings] == ["E0513"] and "a two" in found._repr_html_()


def test_results_show_themselves(line):
    found = line.validate({"n": SIZES, "total": TIMES})
    assert repr(found).startswith("<5 configurations of total: mean error ")
    assert "measured [s]" in found._repr_html_() and "pairs ranked as measured" in found._repr_html_()
    fit = line.fit({"n": SIZES, "total": TIMES}, ["step", "start"])
    assert repr(fit).startswith("<step = ") and "step" in fit._repr_html_()


@pytest.mark.parametrize(
    ("kind", "data", "text"),
    [
        (wm.Error, {"k": [1], "total": [1.0]}, "which column is that of the measurements"),
        (wm.Error, {"n": [1]}, "no column of measurements"),
        (wm.Error, {"n": [1], "total [B]": [1.0]}, "total"),
        (wm.Error, {"n": [1, 2], "total": [1.0, float("nan")]}, "row 1 of column `total` is no finite number"),
        (wm.Error, {"n": [1, 2], "total": [1.0]}, "column `total` has 1 cells for 2 rows"),
        (wm.Error, {"n": [1, 2], "total": [1.0, -1.0]}, "expected a positive number"),
        (wm.Error, {"n": [], "total": []}, "E0"),
        (wm.Error, {}, "`data` has no columns"),
        (wm.Error, "nowhere.csv", "nowhere.csv"),
        (wm.Error, {"n": [1.5], "total": [1.0]}, "1.5"),
        (TypeError, [1], "not of type list"),
        (TypeError, {"n": 1, "total": [1.0]}, "column `n` is of type int"),
        (TypeError, {1: [1]}, "named by str"),
        (TypeError, {"n": [1], "total": [None]}, "holds a NoneType"),
    ],
)
def test_wrong_data_are_refused_by_name(line, refuses, kind, data, text):
    assert text in refuses(kind, line.validate, data)
    assert text in refuses(kind, line.fit, data, ["step"])
    assert line.run(n=3).total == pytest.approx(4e-6)


def test_wrong_choices_are_refused(line, refuses):
    data = {"n": SIZES, "total": TIMES}
    assert "name a parameter to fit" in refuses(wm.Error, line.fit, data, [])
    assert "did you mean `step`" in refuses(wm.Error, line.fit, data, "stop")
    assert "no real parameter" in refuses(wm.Error, line.fit, data, ["net"])
    assert "`starts`" in refuses(wm.Error, line.fit, data, ["step"], starts=1001)
    assert "`confidence`" in refuses(wm.Error, line.fit, data, ["step"], confidence=float("nan"))
    assert "`squares`" in refuses(ValueError, line.fit, data, ["step"], errors="squares")
    assert "is not fitted" in refuses(wm.Error, line.fit, data, ["step"], bounds={"start": (0, 1)})
    assert "nothing between" in refuses(wm.Error, line.fit, data, ["step"], bounds={"step": (2, 1)})
    assert "no column `totl`" in refuses(wm.Error, line.validate, data, measured="totl")
    assert "given twice" in refuses(wm.Error, line.validate, data, n=3)
    assert "one configuration for 2 parameters" in refuses(wm.Error, line.fit, {"n": [1], "total": [1.0]}, ["step", "start"])


def test_what_is_ignored_may_hold_anything_and_nothing_to_fit_is_an_error(line, refuses):
    data = {"n": SIZES, "total": TIMES, "note": [object()] * len(SIZES)}
    assert line.validate(data, ignore=["note"]).compared == len(SIZES)
    for none in ([""], [" "]):
        assert "no parameter is to be fitted" in refuses(wm.Error, line.fit, {"n": SIZES, "total": TIMES}, none)
    assert "starts" in refuses(ValueError, line.fit, {"n": SIZES, "total": TIMES}, ["step"], starts=0)
    assert "confidence" in refuses(ValueError, line.fit, {"n": SIZES, "total": TIMES}, ["step"], confidence=0)


def test_progress_is_told_and_its_exception_ends_it(line, refuses):
    told = []
    line.validate({"n": SIZES, "total": TIMES}, progress=lambda done, all_of_them: told.append((done, all_of_them)))
    assert told[0] == (0, 5) and all(all_of_them == 5 for _, all_of_them in told)
    told.clear()
    line.fit({"n": SIZES, "total": TIMES}, ["step"], progress=told.append)
    assert told == sorted(told) and told[-1] > 10

    def ends(*_):
        raise RuntimeError("enough")

    for ask in (lambda: line.validate({"n": SIZES, "total": TIMES}, progress=ends),
                lambda: line.fit({"n": SIZES, "total": TIMES}, ["step"], progress=ends)):
        assert refuses(RuntimeError, ask) == "enough"
    assert line.run(n=3).total == pytest.approx(4e-6)


def test_an_interrupt_ends_a_fit():
    model = wm.loads("wave 1\nmodel M { param n: int; param L: time = 1 us\n output t = L * sum(i in 1..n: i * n mod 7) }",
                     shortcuts=False, engine="interpreter", threads=1)
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        model.fit({"n": [1 << 40, 2 << 40], "t": [1.0, 2.0]}, ["L"])
    assert model.run(n=2).t == pytest.approx(6e-6)


def test_tables_of_others_are_read_as_is_said(line, tmp_path):
    table = tmp_path / "others.csv"
    table.write_text("n;total_us\n1;5,0\n2;8,0\n3;NA\n4;14,0\n")
    with pytest.raises(wm.Error, match="decimal comma"):
        line.validate(table)
    with pytest.raises(wm.Error, match="skip_missing=True"):
        line.validate(table, decimal=",")
    fit = line.fit(table, ["start", "step"], decimal=",", skip_missing=True)
    assert fit.values["start"] == pytest.approx(2e-6) and fit.values["step"] == pytest.approx(3e-6)
    with pytest.raises(ValueError, match="decimal"):
        line.validate(table, decimal=";")
    frame = pandas.DataFrame({"n": SIZES, "total_us": [time * 1e6 for time in TIMES]})
    frame.loc[2, "total_us"] = math.nan
    assert line.fit(frame, ["start", "step"], skip_missing=True).values["step"] == pytest.approx(3e-6)
    lines = tmp_path / "lines.jsonl"
    lines.write_text("".join(f'{{"params":{{"n":{n}}},"metric":"total","value":{time}}}\n' for n, time in zip(SIZES, TIMES)))
    assert line.fit(lines, ["start", "step"], measured="total [s]").values["step"] == pytest.approx(3e-6)
