"""Verbs asked from Python: the same tables as the program writes as JSON, to the bit, and the same words."""

import json
import math
import os
import pathlib
import pickle
import subprocess

import conftest
import numpy
import pytest

import wavemodel as wm

HALO = str(conftest.SOURCE / "examples/halo/halo.wave")
SP2 = "std.machines.ibm_sp2.SP2"
BESIDE = "wave 1\nmodel M { param n: int = 2\n output text = n * 1 s\n output says = n\n output files = n + 1 }\n"
TRUTH = "wave 1\nmodel M { param b: bool = false; param n: int = 2; output total = (if b then n else 1) * 1 s }\n"


def printed(*words):
    command = [conftest.PROGRAM, *words, "--format", "json"]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def is_same(found, wanted):
    if wanted is None:
        return found is None or found != found or math.isinf(found)
    return found == (("; ".join(wanted)) if isinstance(wanted, list) else wanted)


def compare(answer, document):
    tables = document["tables"]
    assert list(answer) == list(tables) and answer.says == document["says"]
    for name, table in tables.items():
        if table["shape"] in ("record", "single"):
            fields = table.get("fields", {name: table})
            found = answer[name] if table["shape"] == "record" else dict(zip(fields, answer[name].iloc[0]))
            assert all(is_same(found[field], one["value"]) for field, one in fields.items()), name
            continue
        for at, column in enumerate(table["columns"]):
            cells = answer[name][column["name"]].tolist()
            assert len(cells) == len(table["rows"])
            assert all(is_same(cell, row[at]) for cell, row in zip(cells, table["rows"])), (name, column)


@pytest.mark.parametrize(
    ("verb", "options", "words"),
    [
        ("find", {"over": ["nx=1..512"], "where": "share <= 0.5"}, ["--over", "nx=1..512", "--where", "share <= 0.5"]),
        ("compare", {"with": ["nx=64", "nx=32"]}, ["--with", "nx=64", "--with", "nx=32"]),
        ("count", {"by": "rank"}, ["--by", "rank"]),
        ("run", {"breakdown": True}, ["--breakdown"]),
        ("run", {"sensitivity": "net.L"}, ["--sensitivity", "net.L"]),
        ("optimize", {"over": ["n=1..8", "m=1..8"], "minimize": "total", "subject_to": "n * m == 8"},
         ["--over", "n=1..8", "--over", "m=1..8", "--minimize", "total", "--subject-to", "n * m == 8"]),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_an_answer_has_the_tables_of_the_program_to_the_bit(verb, options, words):
    compare(wm.load(HALO).ask(verb, **options), printed(verb, HALO, *words))


def test_verbs_without_a_model_are_asked_of_what_their_options_name():
    compare(wm.ask("cost", machine=SP2), printed("cost", SP2))
    assert wm.cost(SP2, "8 B, 4 KiB")["protocol"].tolist() == ["eager", "rendezvous"]
    assert wm.test(HALO)["summary"]["failed"] == 0 and len(wm.test(HALO)["tests"]) > 3
    assert "std.machines.nodes" in wm.library()["module"].tolist()
    assert "E0512" in wm.ask("explain", CODE="E0512").text


def test_check_gives_diagnostics(tmp_path):
    wrong = tmp_path / "wrong.wave"
    wrong.write_text("wave 1\nmodel M { output t = x }\n")
    assert [one["code"] for one in wm.check(wrong)] == ["E0201"] and wm.check(HALO) == []


def test_a_model_is_asked_as_it_is_bound_and_with_values():
    model = wm.load(HALO).bind(n=4)
    asked = model.ask("run", values={"m": 2})
    assert asked["total"].iloc[0, 0] == model.run(m=2).asked.total
    assert asked.si["total"].iloc[0, 0] == model.run(m=2).total


def test_conveniences_ask_the_verbs_of_their_names(tmp_path):
    model = wm.load(HALO)
    found = model.find({"nx": range(70, 90)}, "share <= 0.5")
    assert found["outcome"]["holding"] == 11 and found["found"]["nx"].tolist() == list(range(79, 90))
    assert "sides" in model.compare({"nx": 64}, {"nx": 32}, "nx=16")
    assert len(model.compare({"nx": 64}, {"nx": 32}, vary={"m": [8, 16]})) >= 2
    spread = model.samples(20, **{"net.L": "5 us ± 1 us"})
    assert len(spread) > 1
    assert json.loads(model.trace(n=4, m=4))["traceEvents"]
    assert model.report().startswith("<!DOCTYPE html>")
    assert model.count(by="rank")


def test_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    answer = wm.load(HALO).ask("find", over="nx=70..80", where="share <= 0.5", output="found.csv")
    assert list(answer.files) == ["found.csv"] and answer.files["found.csv"].startswith("nx,share")
    assert not list(tmp_path.iterdir())


def test_answers_are_mappings_that_pickle_and_show_themselves():
    answer = wm.load(HALO).ask("find", over="nx=70..80", where="share <= 0.5")
    again = pickle.loads(pickle.dumps(answer))
    assert list(again) == list(answer) and again["found"].equals(answer["found"]) and again.says == answer.says
    assert repr(answer).startswith("<answer with found, outcome: `share <= 0.5` holds") and "\n" not in repr(answer)
    assert "<table" in answer._repr_html_() and answer.get("nope", 0) == 0
    with pytest.raises(KeyError, match="found"):
        answer["fuond"]
    with pytest.raises((AttributeError, TypeError)):
        answer.found = 1


def test_wrong_questions_are_refused_in_words_of_python(refuses):
    model = wm.load(HALO)
    assert "did you mean `over`" in refuses(wm.Error, model.ask, "find", ovr="nx=1..4", where="share > 0")
    assert "did you mean `find`" in refuses(wm.Error, wm.ask, "fnd")
    assert "is asked of no model" in refuses(wm.Error, model.ask, "cost")
    assert "an option is a str" in refuses(TypeError, model.ask, "find", over=object())
    assert "did you mean `share`" in refuses(wm.Error, model.find, {"nx": [1]}, "shar > 0")
    assert "standard input" in refuses(wm.Error, wm.ask, "check", FILE="-")
    assert "`verb` is empty" in refuses(ValueError, wm.ask, "")
    assert "needs `over`" in refuses(wm.Error, model.find, {}, "share > 0")
    assert "needs `machine`" in refuses(wm.Error, wm.ask, "cost")
    assert "no option `h`" in (text := refuses(wm.Error, model.ask, "run", h=True)) and "by name" not in text
    for verb in ("diff", "doc"):
        assert "`wm.ask` asks it" in (text := refuses(wm.Error, model.ask, verb)) and "NULL" not in text


def test_outputs_may_be_called_as_what_stands_beside_the_tables(tmp_path):
    (tmp_path / "beside.wave").write_text(BESIDE)
    for answer in (wm.ask("run", file=tmp_path / "beside.wave"), wm.loads(BESIDE).ask("run")):
        assert list(answer) == ["text", "says", "files"] and len(answer) == 3
        assert [answer[name].iloc[0, 0] for name in answer] == [2.0, 2, 3]
        assert answer.text == "" and answer.files == {} and repr(answer).startswith("<answer with text, says, files")
        assert ".says" not in answer and answer.get(".text") is None
    text = wm.ask("run", file=tmp_path / "beside.wave", format="csv")
    assert "2" in text.text and wm.ask("explain", CODE="E0512").get("text") is None


def test_truth_values_and_numbers_are_those_of_the_language(refuses):
    model = wm.loads(TRUTH)
    for yes in (True, numpy.True_, numpy.array(True)):
        assert model.ask("run", D={"b": yes})["total"].iloc[0, 0] == 2.0
        assert model.compare({"b": yes}, {"b": False})["total"] == model.compare("b=true", "b=false")["total"]
    assert model.ask("run", D={"b": True, "n": numpy.int64(3)})["total"].iloc[0, 0] == 3.0
    for number in (float("nan"), float("inf"), numpy.float64("-inf"), wm.Quantity(float("nan"), "s")):
        assert "`n` holds" in refuses(ValueError, model.ask, "run", D={"n": number})
        if not isinstance(number, wm.Quantity):
            assert "no finite number" in refuses(ValueError, model.compare, {"n": number}, "n=2")
    assert "`samples` holds nan" in refuses(ValueError, model.ask, "run", samples=float("nan"))
    assert "a side is of type int" in refuses(TypeError, model.compare, 3)


def test_errors_name_options_as_they_were_given(refuses):
    ask = wm.loads(TRUTH).ask
    for call in (lambda **options: wm.ask("run", file=HALO, **options), lambda **options: ask("run", **options)):
        text = refuses(wm.Error, call, time_limit=1)
        assert "`time_limit` takes" in text and 'time_limit="90s"' in text and "seconds" not in text
        assert 'memory_limit="8GiB"' in refuses(wm.Error, call, memory_limit=1)
        assert "--> D:1:1" in refuses(wm.Error, call, D=3)
    assert "--> minimize:1:1" in refuses(KeyError, wm.ask, "optimize", file=HALO, minimize="totl", over="nx=1..4")
    assert "--> vary:1:1" in refuses(wm.Error, ask, "compare", with_="b=true", vary="x=1..4")
    assert "--> goals:1:1" in refuses(KeyError, wm.loads(TRUTH).optimize, "totl", {"n": [1]})


def test_arguments_are_checked_by_name(refuses, tmp_path):
    assert "`verb` is of type int" in refuses(TypeError, wm.ask, 3)
    assert "`progress` is of type int" in refuses(TypeError, wm.ask, "cost", machine=SP2, progress=3)
    assert "`progress` is of type int" in refuses(TypeError, wm.loads(TRUTH).ask, "run", progress=3)
    assert "did you mean `seconds`" in refuses(TypeError, wm.ask, "cost", machine=SP2, settings={"secnds": 3})
    assert "`settings` is of type int" in refuses(TypeError, wm.ask, "cost", machine=SP2, settings=3)
    assert "`files` is of type int" in refuses(TypeError, wm.check, 3) == refuses(TypeError, wm.test, 3)
    assert "`after` is of type NoneType" in refuses(TypeError, wm.diff, "before", None)
    assert "`machine` is of type int" in refuses(TypeError, wm.cost, 3)
    assert "is no name of an option" in refuses(ValueError, lambda: wm.ask("cost", machine=SP2, **{"\udc80": 1}))
    for wrong, words in (("\ud800", "which is no character"), ("a\0b", "a zero character")):
        assert f"`file` holds {ascii(wrong) + ', ' if len(wrong) == 1 else ''}{words}" in refuses(
            ValueError, wm.ask, "run", file=wrong
        )
        assert "`verb` holds" in refuses(ValueError, wm.ask, "run" + wrong)


def test_names_of_files_need_not_be_utf8(tmp_path):
    there = os.fsdecode(os.fsencode(tmp_path / "m") + b"\x80.wave")
    with pytest.raises(FileNotFoundError, match="cannot read"):
        wm.ask("run", file=there)
    pathlib.Path(there).write_text(TRUTH)
    for name in (there, pathlib.Path(there)):
        assert wm.ask("run", file=name)["total"].iloc[0, 0] == 1.0


def test_costs_take_sizes_as_python_has_them(refuses):
    wanted = wm.cost(SP2, "8 B, 4 KiB")
    for sizes in ([8, 4096], numpy.array([8, 4096]), ["8 B", wm.Quantity(4.0, "KiB")], (8.0, "4 KiB")):
        assert wm.cost(SP2, sizes).equals(wanted)
    assert wm.cost(SP2, 8)["size"].tolist() == wm.cost(SP2, numpy.int64(8))["size"].tolist() == [8.0]
    assert len(wm.cost(SP2)) > 10 and wm.cost(SP2, "1 B..4 B by *2")["size"].tolist() == [1.0, 2.0, 4.0]
    assert "`sizes` is empty" in refuses(ValueError, wm.cost, SP2, [])
    assert "truth value" in refuses(TypeError, wm.cost, SP2, [True])
    assert "expected" in refuses(TypeError, wm.cost, SP2, wm.Quantity(8.0, "s"))


def test_what_an_argument_names_and_is_not_there_is_an_unknown_name(refuses):
    assert "no module `nope`" in refuses(KeyError, wm.cost, "nope.SP2")
    assert "did you mean `SP2`" in refuses(wm.UnknownName, wm.cost, "std.machines.ibm_sp2.SP3")
    assert refuses(ValueError, wm.loads(TRUTH).count, ranks="x")


def test_progress_is_told_and_may_end_it(refuses):
    told = []
    wm.load(HALO).find({"nx": range(1, 100)}, "share <= 0.5", progress=lambda done, points: told.append((done, points)))
    assert told[0] == (0, 99) and told == sorted(told)

    def ends(*_):
        raise RuntimeError("enough")

    assert refuses(RuntimeError, wm.load(HALO).find, {"nx": [1, 2]}, "share > 0", progress=ends) == "enough"
