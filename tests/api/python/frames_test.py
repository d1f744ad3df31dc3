"""Rows as pandas has them: whole floats, missing values, labels in errors, machines that vary, codes."""

import numpy
import pandas
import pytest

import wavemodel as wm

TEXT = """wave 1
import std.machines.ibm_sp2 { SP2 }
model M {
  param n: int = 4
  param L: time = 1 us
  param way: eager | rendezvous = eager
  param name: string = "x"
  param twice: bool = false
  param net: SP2 = SP2()
  output t = n * L * (if twice then 2 else 1)
  output latency = net.L
  output inverse = 1.0 / (n - 2)
  output title = name
  output fast = way == eager
  output count = n
}
"""


@pytest.fixture(scope="module")
def model():
    return wm.loads(TEXT)


def frame(index=("a", "b", "c"), **columns):
    return pandas.DataFrame(columns, index=list(index))


@pytest.mark.parametrize("values", [
    [1.0, 2.0, 3.0],
    numpy.array([1, 2, 3], dtype=numpy.float32),
    pandas.array([1, 2, 3], dtype="Int64"),
    pandas.array([1, 2, 3], dtype="Float64"),
    pandas.array([1, 2, 3], dtype="UInt8"),
    numpy.array([1.0, 2, numpy.int8(3)], dtype=object),
], ids=str)
def test_whole_numbers_are_taken_in_whatever_type(model, values):
    assert model.batch(frame(n=values), ["count"])["count"].tolist() == [1, 2, 3]
    assert model.sweep(n=values, show=["count"])["count"].tolist() == [1, 2, 3]
    assert [model.run(row).count for _, row in frame(n=values, L=[1e-6] * 3).iterrows()] == [1, 2, 3]
    assert [model.run(**row).count for _, row in frame(n=values, L=[1e-6] * 3).iterrows()] == [1, 2, 3]


@pytest.mark.parametrize("value", [2.0, numpy.float64(2), numpy.float32(2), numpy.int16(2), -0.0, 1e15, -(2.0**63)])
def test_a_whole_float_is_a_whole_number(model, value):
    assert wm.loads("wave 1\nmodel M { param n: int; output count = n }").run(n=value).count == int(value)


@pytest.mark.parametrize("value", [2.5, 1e300, 2.0**63, float("nan"), float("inf")])
def test_other_floats_are_no_whole_numbers(model, value, refuses):
    refuses(wm.Error, model.run, n=value)
    text = refuses(wm.WrongValue, model.batch, {"n": [1.0, value]}, ["count"])
    assert "row 1 of column `n`" in text


MISSING = {
    "NA in Int64": pandas.array([1, pandas.NA, 3], dtype="Int64"),
    "NA in boolean": pandas.array([True, pandas.NA, False], dtype="boolean"),
    "NaN": [1.0, float("nan"), 3.0],
    "None": numpy.array([1, None, 3], dtype=object),
    "NA in objects": numpy.array([1, pandas.NA, 3], dtype=object),
    "NaT": pandas.to_timedelta([1, None, 3], unit="us"),
    "None among str": numpy.array(["x", None, "y"], dtype=object),
    "NA in string": pandas.array(["x", pandas.NA, "y"], dtype="string"),
}


@pytest.mark.parametrize("kind", MISSING)
def test_a_missing_value_blames_its_row_by_its_label(model, kind, refuses):
    text = refuses(ValueError, model.batch, frame(n=MISSING[kind]), ["t"])
    assert "row 'b' of column `n` is missing" in text
    text = refuses(ValueError, model.batch, frame(index=[7, 8, 9], n=MISSING[kind]), ["t"])
    assert "row 8 of column `n` is missing" in text
    dates = pandas.date_range("2024-01-01", periods=3)
    assert "2024-01-02" in refuses(ValueError, model.batch, frame(index=dates, n=MISSING[kind]), ["t"])


BAD = {
    "not whole": (dict(n=[1.0, 2.5, 3.0]), "row 'b' of column `n` is 2.5"),
    "infinite": (dict(L=[1e-6, float("inf"), 1e-6]), "row 'b' of column `L` is no finite number"),
    "no word": (dict(way=["eager", "late", "eager"]), "row 'b' of column `way` is `late`"),
    "another type": (dict(n=[1, "x", 3]), "row 'b' of column `n` holds a str"),
    "a machine": (dict(net=["SP2()", "SP2(L = 3 B)", "SP2()"]), "note: in row 'b'"),
    "no machine": (dict(net=["SP2()", "SP3()", "SP2()"], n=[1, 2, 3]), "note: in row 'b'"),
    "a zero": (dict(n=[1, 2, 3]), "note: in row 'b'"),
    "a zero with machines": (dict(n=[1, 2, 3], net=["SP2()", "SP2(L = 1 us)", "SP2()"]), "note: in row 'b'"),
}


@pytest.mark.parametrize("kind", BAD)
def test_an_error_names_the_row_by_its_label(model, kind, refuses):
    columns, words = BAD[kind]
    text = refuses((wm.Error, TypeError), model.batch, frame(**columns), ["inverse", "latency"])
    assert words in text
    by_number = refuses((wm.Error, TypeError), model.batch, columns, ["inverse", "latency"])
    assert words.replace("'b'", "1") in by_number
    multi = pandas.MultiIndex.from_tuples([("x", 1), ("x", 2), ("y", 1)])
    assert words.replace("'b'", "('x', 2)") in refuses((wm.Error, TypeError), model.batch, frame(index=multi, **columns),
                                                      ["inverse", "latency"])


def test_measurements_name_their_rows_too(model, refuses):
    data = frame(n=[1, 2, 4], t=[1e-6, float("nan"), 4e-6])
    assert "row 'b' of column `t` is missing" in refuses(ValueError, model.validate, data)
    assert model.validate(data, skip_missing=True).compared == 2
    assert model.validate(frame(n=pandas.array([1, 2, 4], dtype="Int64"), t=pandas.array([1e-6, None, 3e-6], dtype="Float64")),
                          skip_missing=True).compared == 2
    failing = wm.loads('wave 1\nmodel M { param n: int; output t = if n == 2 then error("a two") else n * 1 s }')
    found = failing.validate(frame(n=[1, 2, 4], t=[1.0, 2.0, 3.0]))
    shown = found._repr_html_().replace("&gt;", ">").replace("&#x27;", "'")
    assert found.compared == 2 and "--> the columns of `data`, row 'b'" in shown
    assert "row 'c'" in refuses(wm.Error, failing.validate, frame(n=[1, 2, 4], t=[1.0, 2.0, -3.0]))


@pytest.mark.parametrize("more", [{}, {"n": [1, 2, 3, 1]}, {"n": [1, 2, 3, 1], "name": ["p", "q", "r", "s"], "twice": [True, False] * 2}])
def test_machines_vary_in_a_batch(model, more):
    machines = ["SP2()", "SP2(L = 5 us)", "SP2()", "SP2(L = 6 us)"]
    rows = pandas.DataFrame({"net": machines, **more}, index=[3, 1, 2, 0])
    made = model.batch(rows, asked=False, codes=True)
    assert list(made.index) == [3, 1, 2, 0]
    for at in range(4):
        run = model.run({name: rows[name].iloc[at] for name in rows})
        for name in ("t", "latency", "title", "fast", "count"):
            assert made[name].iloc[at] == run[name]
    assert made["latency"].tolist() == [23e-6, 5e-6, 23e-6, 6e-6]


def test_expressions_are_values_of_rows_as_of_runs(model):
    made = model.batch({"L": ["5 us", "6 us", "5 us"], "n": [1, 2, 3]}, ["t"])
    assert made["t"].tolist() == [5e-6, 12e-6, 15e-6]
    assert model.batch({"n": ["2 + 1", "8"]}, ["count"])["count"].tolist() == [3, 8]
    told = []
    model.batch({"net": ["SP2()", "SP2(L = 1 us)"] * 50, "n": range(3, 103)}, ["t"], progress=lambda *one: told.append(one))
    assert told[-1] == (100, 100) and all(every == 100 for _, every in told) and told == sorted(told)


def test_codes_are_a_column_or_an_array(model):
    rows = frame(n=[1, 2, 3])
    made = model.batch(rows, ["inverse", "title"], codes=True)
    assert made["error"].tolist() == ["", "E0501", ""] and list(made)[-1] == "error"
    assert numpy.isnan(made["inverse"]["b"]) and made["title"]["a"] == "x"
    assert model.batch({"n": [1, 2, 3]}, ["inverse"], codes=True)["error"].tolist() == ["", "E0501", ""]
    assert "error" not in model.batch({"n": [1, 3]}, ["inverse"], codes=False)
    codes = numpy.empty(4, dtype=numpy.int32)
    model.batch({"n": [1, 2, 3, 2], "net": ["SP2()", "SP2()", "SP2(L = 1 us)", "SP2(L = 1 us)"]}, ["inverse"], codes=codes)
    assert codes.tolist() == [0, 501, 0, 501]
    alone = model.batch({"net": ["SP2()", "SP2(L = 1 us)"]}, ["inverse", "latency"], codes=True, n=2)
    assert alone["error"].tolist() == ["E0501"] * 2 and alone["latency"].tolist()[1] == 1e-6


def test_an_output_called_error_keeps_its_name(refuses):
    model = wm.loads("wave 1\nmodel M { param n: int; output error = n }")
    assert model.batch({"n": [1]})["error"].tolist() == [1]
    assert "called `error`" in refuses(ValueError, model.batch, {"n": [1]}, codes=True)


def test_values_of_a_run_are_a_mapping_a_row_or_a_named_tuple(model, refuses):
    rows = pandas.DataFrame({"n": [1, 2], "L": [3.0, 4.0], "way": ["eager", "rendezvous"]})
    assert [model.run(row).t for row in rows.itertuples(index=False)] == [3.0, 8.0]
    rows.attrs["units"] = {"L": "us"}
    assert [model.run(row).t for _, row in rows.iterrows()] == [3e-6, 8e-6]
    assert model.run({"net.L": "7 us"}, n=3).latency == 7e-6
    assert model.run(model.params and {"n": 3}).count == 3 and model.run({}).count == 4
    assert model.run(model.optimize("t", {"n": [1, 2]}).best).count == 1
    assert "given twice" in refuses(TypeError, model.run, {"n": 3}, n=3)
    assert "not of type list" in refuses(TypeError, model.run, [1])
    assert "named by str" in refuses(TypeError, model.run, {3: 1})


def test_a_parameter_may_be_called_as_an_argument():
    model = wm.loads("wave 1\nmodel M { param values: int; output t = values }")
    assert model.run(values=3).t == 3 and model.bind(values=4).run().t == 4


def test_a_fit_predicts(model):
    data = frame(n=[1, 2, 4], t=[2e-6, 4e-6, 8.2e-6])
    fit = model.fit(data, ["L"])
    predicted = fit.predict(data)
    assert list(predicted.index) == ["a", "b", "c"] and predicted.name == "t" and predicted.attrs["units"] == {"t": "s"}
    assert predicted.tolist() == pytest.approx([n * fit.values["L"] for n in (1, 2, 4)])
    assert fit.predict({"n": [8]}).tolist() == [fit.model.run(n=8).t]
    assert fit.predict(frame(n=[1, 2, 3], extra=["p", "q", "r"])).notna().all()
    assert fit.predict({"n": [3]}, twice=True).tolist() == [fit.model.run(n=3, twice=True).t]
    expression = model.fit({"n": [1, 2, 4], "w": [4e-6, 8e-6, 16e-6]}, ["L"], show="2 * t", measured="w [s]")
    assert expression.predict({"n": [3, 1, 3]}).tolist() == pytest.approx([12e-6, 4e-6, 12e-6])


@pytest.mark.parametrize("data", [[1], 3, "x"])
def test_a_prediction_takes_columns(model, data, refuses):
    fit = model.fit({"n": [1, 2, 4], "t": [2e-6, 4e-6, 8.2e-6]}, ["L"])
    assert "a DataFrame or a dict" in refuses(TypeError, fit.predict, data)
