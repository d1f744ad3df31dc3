"""Loading, running, what parameters and outputs are, and what is refused."""

import gc
import pickle
import subprocess
import sys
import threading

import conftest
import numpy
import pytest

import wavemodel as wm


def test_values_hold_for_one_run(ping):
    assert ping.run(n=8, L="3 us").total == 24e-6
    assert ping.run().total == 8e-6
    assert ping.run(n=5).total == 10e-6
    assert ping.bind(n=100).run(L=1e-6).total == 100e-6
    assert ping.params["n"].value == 4


def test_a_refused_run_leaves_nothing_behind(ping, refuses):
    refuses(wm.Error, ping.run, n=8, L="3 B")
    refuses(wm.Error, ping.run, n=8, L=float("nan"))
    assert ping.run().total == 8e-6


def test_numbers_are_in_si_units_and_texts_are_expressions(ping):
    assert ping.run(L=5e-6).total == ping.run(L="5 us").total == 20e-6
    assert ping.run(L=numpy.float32(0.5)).total == 2
    assert ping.run(n=numpy.int16(3), twice=numpy.bool_(True)).total == 12e-6
    assert ping.run(n="2 + 1").count == 4
    assert ping.run(L=ping.run().total).total == 32e-6


def test_words_of_choices_and_strings_are_given_as_they_are(ping):
    assert ping.run(way="rendezvous", name='a "b"').title == 'a "b"'
    assert ping.run(way="rendezvous").fast is False


def test_outputs_have_the_types_of_python(ping):
    result = ping.run()
    assert isinstance(result.total, wm.Quantity) and result.total.unit == "s" and repr(result.total) == "8e-06 s"
    assert (result.asked.total, result.asked.total.unit) == (0.008, "ms")
    assert type(result.count) is int and type(result.fast) is bool and type(result.title) is str
    assert result.costs == {"total": 8e-6, "parts": 4} and result.costs.total.unit == "s"
    assert list(result) == list(ping.outputs) and "total" in result and "tot" not in result
    assert pickle.loads(pickle.dumps(result.total)).unit == "s"


def test_arrays_are_not_copied_and_keep_their_result(ping):
    each = ping.run(n=3).each
    gc.collect()
    assert each.tolist() == [2e-6, 4e-6, 6e-6]
    assert not each.flags.writeable and not each.flags.owndata


def test_tables_are_data_frames(ping):
    rows = ping.run(n=3).rows
    assert list(rows.columns) == ["total", "parts"] and rows["parts"].tolist() == [1, 2, 3]
    assert rows.attrs["units"] == {"total": "s", "parts": ""}
    assert ping.run(n=3).frame("total").shape == (1, 1)


def test_a_series_has_its_indices_in_its_frame():
    result = wm.loads("wave 1\nmodel M { output t[p in 1..2, q in 3..4] = p * q * 1 us }").run()
    assert result.t.tolist() == [3e-6, 4e-6, 6e-6, 8e-6] and result.units("t") == {"p": "", "q": "", "t": "s"}
    assert result.frame("t")["q"].tolist() == [3, 4, 3, 4]


def test_parameters_are_described(ping):
    n, latency, way = (ping.params[name] for name in ("n", "L", "way"))
    assert (n.type, n.cell, n.value, n.default, n.range, n.doc) == ("int", "integer", 4, 4, (1, 10**12), "messages")
    assert (latency.unit, latency.default, latency.default_text, latency.dimension) == ("s", 2e-6, "2 us", (1, 0, 0))
    assert way.words == ("eager", "rendezvous") and way.cell == "text"
    assert ping.bind(n=9).params["n"].value == 9


def test_outputs_are_described(ping):
    total = ping.outputs["total"]
    assert (total.shape, total.doc, total.columns[0].unit, total.columns[0].asked_unit) == (
        "value", "all of them", "s", "ms")
    assert [column.name for column in ping.outputs["rows"].columns] == ["total", "parts"]


def test_an_output_that_fails_leaves_the_others_their_values(refuses):
    model = wm.loads("wave 1\nmodel M { param n: int = 2; output good = n; output bad = 1 div (n - 2) }")
    result = model.run()
    assert result.good == 2 and isinstance(result.error, wm.Error)
    assert refuses(wm.Error, lambda: result.bad) == str(result.error)
    assert "E0501" in repr(result) and model.run(n=3).error is None


def test_errors_are_printed_as_by_the_program(tmp_path):
    file = tmp_path / "wrong.wave"
    file.write_text("wave 1\nmodel M {\n  output total = 2 * latency\n}\n")
    with pytest.raises(wm.Error) as caught:
        wm.load(file)
    shown = subprocess.run([conftest.PROGRAM, "check", file], capture_output=True, text=True).stderr
    assert shown.startswith(caught.value.text)
    assert caught.value.code == caught.value.diagnostics[0]["code"] == "E0201"
    assert caught.value.status == "failed" and pickle.loads(pickle.dumps(caught.value)).text == caught.value.text


def test_help_says_how_to_go_on(ping):
    with pytest.raises(wm.Error) as caught:
        ping.run(L="5")
    assert caught.value.help == ["give it a unit, as in `5 us`"]


@pytest.mark.parametrize(
    ("kind", "values", "text"),
    [
        (wm.Error, {"k": 1}, "`k`"),
        (wm.Error, {"n": 2.5}, "`n` is of type int, and takes no real number"),
        (wm.Error, {"n": True}, "expected `int`, found `bool`"),
        (wm.Error, {"L": float("inf")}, "`L` is no finite number"),
        (wm.Error, {"way": "late"}, "late"),
        (TypeError, {"n": [1]}, "`n` is of type list"),
        (TypeError, {"n": None}, "`n` is of type NoneType"),
        (TypeError, {"n": numpy.array([1])}, "`n` is of type numpy.ndarray"),
        (TypeError, {"L": 1j}, "`L` is of type complex"),
        (ValueError, {"n": 1 << 64}, "`n` does not fit"),
        (ValueError, {"name": "a\0b"}, "`name` or its value has a zero character"),
        (ValueError, {"name": "\ud800"}, "surrogates"),
    ],
)
def test_wrong_values_are_refused_by_name(ping, kind, values, text):
    with pytest.raises(kind, match=text.replace("`", ".")):
        ping.run(**values)
    assert ping.run().total == 8e-6


def test_wrong_names_are_refused(ping, refuses):
    result = ping.run()
    assert "`total`" in refuses(AttributeError, lambda: result.totals)
    assert "totals" in refuses(wm.Error, lambda: result["totals"])
    assert "`3`" in refuses(KeyError, lambda: result[3])
    assert "no field `x`" in refuses(AttributeError, lambda: result.costs.x)
    assert "Ping" in refuses(wm.Error, wm.loads, conftest.PING, model="Pong")
    assert "engine" in refuses(ValueError, wm.loads, conftest.PING, engine="fast")
    assert "folders" in refuses(TypeError, wm.loads, conftest.PING, folders="lib")
    refuses(TypeError, wm.loads, conftest.PING, colour=1)
    refuses(wm.Error, wm.load, "no such file.wave")


def test_objects_of_the_extension_refuse_what_is_none(ping, refuses):
    from wavemodel import _wave

    for call in (_wave.Model, _wave.Program, _wave.Batch, _wave.Question, _wave.Plot):
        refuses(TypeError, call, None)
        refuses(TypeError, call, 1, 2)
    result = ping._handle.run()[0]
    assert "index" in refuses(wm.Error, result.output, 99)
    refuses(wm.Error, result.column, 0, 99)
    refuses(TypeError, result.output, -1)
    refuses(wm.Error, result.integers, 0, 0)
    refuses(wm.Error, result.reals, 0, 0, 7)
    for kind in (_wave.Result, _wave.Numbers):
        refuses(TypeError, kind)


def test_modules_may_be_texts():
    model = wm.loads(
        "wave 1\nimport lattice { two }\nmodel M { output total = two() }",
        modules={"lattice": "wave 1\nfn two() = 2"},
    )
    assert model.run().total == 2


def test_programs_list_models_and_warnings():
    program = wm.open_program(conftest.SOURCE / "examples/max_rate/max_rate.wave")
    assert program.models[0] in repr(program) and program.warnings == []
    assert program.model(program.models[0]).name == program.models[0]


def test_limits_end_a_run(refuses):
    model = wm.loads("wave 1\nmodel M { param n: int = 1000000000\n output t = sum(i in 1..n: i mod 7) }",
                     seconds=0.05, shortcuts=False, engine="interpreter")
    with pytest.raises(wm.Error) as caught:
        model.run()
    assert (caught.value.status, caught.value.code) == ("limit", "E0610")


def test_threads_may_share_a_model(ping):
    wrong = []

    def runs(first):
        for n in range(first, first + 100):
            if ping.run(n=n).count != n + 1:
                wrong.append(n)

    threads = [threading.Thread(target=runs, args=(1 + 1000 * i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_numpy_and_pandas_are_only_imported_where_they_are_needed():
    code = (
        "import sys, wavemodel as wm\n"
        "m = wm.loads('wave 1\\nmodel M { param n: int = 2; output total = n * 1 us }')\n"
        "print(m.run(n=3).total, [name for name in ('numpy', 'pandas', 'json') if name in sys.modules])"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed == "3e-06 s []\n"


def test_the_least_whole_number_is_one():
    model = wm.loads("wave 1\nmodel M { param n: int; output up = n + 1 }")
    assert model.run(n=-(1 << 63)).up == 1 - (1 << 63)
