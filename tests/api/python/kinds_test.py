"""Errors are of Python's kinds, and in its words."""

import re

import conftest
import pandas
import pytest

import wavemodel as wm
from wavemodel._wording import in_words_of_python

MODEL = wm.loads(conftest.PING)
SLOW = "wave 1\nmodel M { param n: int = 1000000000\n output t = sum(i in 1..n: i mod 7) }"
KINDS = {
    "an unknown parameter": (KeyError, lambda: MODEL.run(k=1)),
    "an unknown parameter of bind": (KeyError, lambda: MODEL.bind(k=1)),
    "an unknown output": (KeyError, lambda: MODEL.run()["totals"]),
    "an unknown frame": (KeyError, lambda: MODEL.run().frame("totals")),
    "an unknown column": (KeyError, lambda: MODEL.batch({"k": [1]})),
    "an unknown output of a batch": (KeyError, lambda: MODEL.batch({"n": [1]}, ["totals"])),
    "an unknown model": (KeyError, lambda: wm.loads(conftest.PING, model="Pong")),
    "an unknown axis": (KeyError, lambda: MODEL.sweep(k=[1])),
    "a list of a list": (ValueError, lambda: MODEL.batch({"n": [[1], [2]]})),
    "a value of an axis": (TypeError, lambda: MODEL.sweep(n=[None])),
    "a value that is too large": (ValueError, lambda: MODEL.run(n=1 << 70)),
    "a zero character": (ValueError, lambda: MODEL.run(name="a\0b")),
    "a fraction for a whole number": (TypeError, lambda: MODEL.run(n=2.5)),
    "a truth value for a whole number": (TypeError, lambda: MODEL.run(n=True)),
    "a list": (TypeError, lambda: MODEL.run(n=[1])),
    "another dimension": (TypeError, lambda: MODEL.run(L="8 B")),
    "another dimension as a value": (ValueError, lambda: MODEL.run(L="8 B")),
    "no unit": (TypeError, lambda: MODEL.run(L="5")),
    "an unknown word": (ValueError, lambda: MODEL.run(way="late")),
    "no finite number": (ValueError, lambda: MODEL.run(L=float("nan"))),
    "a missing cell": (ValueError, lambda: MODEL.batch(pandas.DataFrame({"n": pandas.array([1, None], dtype="Int64")}))),
    "a cell that is not whole": (ValueError, lambda: MODEL.batch({"n": [1.5]})),
    "columns that differ": (ValueError, lambda: MODEL.batch({"n": [1, 2], "L": [1e-6]})),
    "a mapping that is none": (TypeError, lambda: MODEL.run(3)),
    "out of time": (TimeoutError, lambda: wm.loads(SLOW, seconds=0.02, shortcuts=False, engine="interpreter").run()),
    "out of memory": (MemoryError, lambda: wm.loads(conftest.PING, memory=1000).run(n=10**7).each),
    "no file": (FileNotFoundError, lambda: wm.load("no such file.wave")),
    "an empty expression": (ValueError, lambda: MODEL.run(n="")),
    "an unknown goal": (KeyError, lambda: MODEL.optimize("totals", {"n": [1]})),
    "an unknown column to show": (KeyError, lambda: MODEL.sweep(n=[1], show=["totals"])),
    "an unknown parameter to fit": (KeyError, lambda: MODEL.fit({"n": [1], "total": [1.0]}, ["k"])),
    "an unknown output of a breakdown": (KeyError, lambda: MODEL.run().breakdown("totals")),
    "a condition that is none": (ValueError, lambda: MODEL.sweep(n=[1], where=["n >"])),
    "a condition of another type": (TypeError, lambda: MODEL.sweep(n=[1], where=["n + L > 0 s"])),
    "an empty axis": (ValueError, lambda: MODEL.sweep(n=[])),
    "no axis": (ValueError, lambda: MODEL.sweep()),
    "an unknown option of a sweep": (ValueError, lambda: MODEL.sweep(n=[1], options={"colour": "red"})),
    "a sweep of no model": (ValueError, lambda: wm.ask("sweep", vary="n=1..4")),
    "no time": (ValueError, lambda: wm.loads(conftest.PING, seconds=0)),
    "a time that is no number": (ValueError, lambda: wm.loads(conftest.PING, seconds=float("nan"))),
    "more memory than there can be": (ValueError, lambda: wm.loads(conftest.PING, memory=10**19)),
    "too many threads": (ValueError, lambda: wm.loads(conftest.PING, threads=10**6)),
    "a parameter that cannot be fitted": (ValueError, lambda: MODEL.fit({"n": [1], "total": [1.0]}, ["n"])),
    "seconds that are none": (TypeError, lambda: wm.loads(conftest.PING, seconds="a")),
    "no parameters for a sensitivity": (ValueError, lambda: MODEL.run().sensitivity([])),
}


@pytest.mark.parametrize("name", KINDS)
def test_an_error_is_of_the_kind_that_python_expects(name, refuses):
    kind, call = KINDS[name]
    with pytest.raises(kind) as caught:
        call()
    if name not in ("a mapping that is none", "seconds that are none"):
        assert isinstance(caught.value, wm.Error) and caught.value.code.startswith("E0") and caught.value.message
    text = str(caught.value)
    assert not re.search(r"(?<!\w)-D |`-D|wave_\w+\(|null pointer|WAVE_[A-Z]", text), text
    assert "incompatible function arguments" not in text


def test_a_mistake_in_the_model_is_no_mistake_of_the_caller():
    for text in ("wave 1\nmodel M { output t = 2 * L }", "wave 1\nmodel M { output t: time = 3 B }"):
        with pytest.raises(wm.Error) as caught:
            wm.loads(text).run()
        assert type(caught.value) is wm.Error and "model.wave:2" in str(caught.value)


def test_errors_of_values_name_the_parameter_as_their_place(refuses):
    with pytest.raises(wm.Error) as caught:
        MODEL.run(L="8 B")
    assert "--> L:1:1" in str(caught.value) and caught.value.diagnostics[0]["file"] == "L"
    assert caught.value.diagnostics[0]["labels"][0]["file"] == "L"


WORDS = {
    "`-D n=8`": "`n=8`",
    'give one with `-D "L=..."`': 'give one with `"L=..."`',
    "begin elsewhere with `-D`, or": "begin elsewhere, with a value by name, or",
    "`--skip-missing` passes over": "`skip_missing=True` passes over",
    "`--ignore note`": '`ignore=["note"]`',
    '`--measured "wall [ms]" --ignore "note"`': '`measured="wall [ms]", ignore=["note"]`',
    '`--bounds "Wg=0.1us..2us"`': '`bounds={"Wg": "0.1us..2us"}`',
    "`--params Wg,net.L`": '`params=["Wg", "net.L"]`',
    "`--show`": "`show`",
    "`--starts`": "`starts`",
    "allow more with `--time-limit`, or": "allow more with `seconds`, or",
    "allow more with `--memory-limit`, or": "allow more with `memory`, or",
    "`--tables 2,3`": "`tables=[2, 3]`",
    "`--assume o=1.2us`": '`assume={"o": "1.2us"}`',
    "`--protocol eager,eager`": '`protocols="eager,eager"`',
    "`--explain` lists them": "`wave fit --explain` lists them",
    "and `--vary n` has": "and `n` has",
    "give an expression: wave_model_set()": "give an expression, as a str",
    "a -- b `x - y` --c": "a -- b `x - y` --c",
}


@pytest.mark.parametrize("text", WORDS)
def test_options_of_the_program_are_arguments(text):
    assert in_words_of_python(text) == WORDS[text]
    assert in_words_of_python(WORDS[text]) == WORDS[text]


def test_json_stays_json():
    import json

    for text in WORDS:
        made = json.loads(in_words_of_python(json.dumps([{"file": "-D L", "help": [text]}])))
        assert made[0]["help"] == [WORDS[text]] and made[0]["file"] == "L"


def literals_of_the_interface():
    """The texts of errors in the C interface that speak of C."""
    found = []
    for file in sorted((conftest.SOURCE / "api/c").glob("*.cpp")):
        for line in file.read_text().splitlines():
            for text in re.findall(r'"((?:[^"\\]|\\.)*)"', line):
                if re.search(r"wave_\w+\(\)|null pointer|WAVE_[A-Z]+ or", text):
                    found.append(text)
    return found


# What Python's side never hands over, so that nobody sees it.
UNREACHABLE = ("`structure` ", "`size` of", "WAVE_ASKED may be", "WAVE_TEXT may be", "no type of cells", "column ")


@pytest.mark.parametrize("text", sorted(set(literals_of_the_interface())))
def test_what_the_c_interface_says_is_said_without_c(text):
    words = in_words_of_python("`a`" + text)
    assert not re.search(r"wave_\w+\(|null pointer|WAVE_[A-Z]", words) or any(one in text for one in UNREACHABLE), words
