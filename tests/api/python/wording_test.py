"""What libwave says is put into words of Python, and what users have written stays as it is."""

import json

import pytest

import wavemodel as wm
from wavemodel._wording import in_words_of_python

TEXT = """wave 1
/// as -D n and --time-limit 3
fn wave_front_time(n: int) = n * 1 s + 1 B  // `--time-limit 3`, `-D n`, `--vary n` and wave_model_run()
model M { param n: int = 3; output total = wave_front_time(n) }
"""


@pytest.fixture
def error():
    with pytest.raises(wm.Error) as caught:
        wm.loads(TEXT).run()
    return caught.value


def test_lines_of_a_source_stay_as_they_are(error):
    line = TEXT.splitlines()[2]
    for text in (str(error), error._repr_html_().replace("&#x27;", "'")):
        assert f" 3 | {line}\n" in text
    assert line in error._coloured
    shown = str(error).splitlines()
    at = shown.index(f" 3 | {line}")
    assert shown[at + 1].index("^") - len(" 3 | ") == error.diagnostics[0]["column"] - 1


WORDS = "give `--time-limit 3`, `-D n`, or wave_model_run()"


@pytest.mark.parametrize(
    "body", [f'output total = if n > 3 then 1 else error("{WORDS}")', f'require n > 3, "{WORDS}"\n output total = n']
)
def test_what_a_model_says_of_itself_stays_as_it_is(body):
    with pytest.raises(wm.Error) as caught:
        wm.loads(f"wave 1\nmodel M {{ param n: int = 3\n {body} }}").run()
    assert caught.value.message == WORDS and str(caught.value).startswith(f"error[{caught.value.code}]: {WORDS}\n")


def test_names_of_functions_are_no_calls_in_c():
    with pytest.raises(wm.Error) as caught:
        wm.loads(TEXT.replace("+ 1 B", "").replace("wave_front_time(n) }", "wave_front_tame(n) }")).run()
    assert "unknown name `wave_front_tame`" in str(caught.value) and "`wave_front_time`?" in caught.value.help[0]
    assert "output total = wave_front_tame(n) }" in str(caught.value)


RENDERED = """error[E0301]: allow more with `--time-limit`
  --> -D net.L:1:1
   |
 1 | `--time-limit`, `-D n`
   | ---------- ^ begin elsewhere with `-D`
   | |
   | `--skip-missing`
  ::: --minimize:2:3
   |
 2 | wave_model_run() `--vary n`
   |                  ^
   = note: in row 3
   = help: say `-D n=...`
     wave_model_run() is no call here

error[E0601]: wave_model_run() evaluates a model once
   = help: set it with wave_model_set() before the batch is made
"""
WORDED = """error[E0301]: allow more with `seconds`
  --> net.L:1:1
   |
 1 | `--time-limit`, `-D n`
   | ---------- ^ begin elsewhere, with a value by name
   | |
   | `skip_missing=True`
  ::: goals:2:3
   |
 2 | wave_model_run() `--vary n`
   |                  ^
   = note: in row 3
   = help: say `n=...`
     wave_model_run() is no call here

error[E0601]: `run` evaluates a model once
   = help: it takes expressions, as str, or one value by its name
"""


def test_messages_labels_notes_helps_and_places_are_put_into_words():
    assert in_words_of_python(RENDERED) == WORDED
    blue, off = "\x1b[1;34m", "\x1b[0m"
    coloured = f"\x1b[1;31merror[E0301]{off}\x1b[1m: `--time-limit`{off}\n{blue}  -->{off} -D n:1:1\n"
    coloured += f"{blue} 1 |{off} `-D n`\n{blue}   |{off} {blue}^ `-D n`{off}\n"
    worded = coloured.replace("`--time-limit`", "`seconds`").replace("-D n:1:1", "n:1:1").replace("^ `-D n`", "^ `n`")
    assert in_words_of_python(coloured) == worded


def test_diagnostics_are_put_into_words_by_their_kind():
    label = {"file": "-D n", "line": 1, "text": "`-D n`", "primary": True}
    one = {"message": "`-D n`: wave_model_run()", "notes": ["`--show`"], "help": [], "file": "--vary"}
    one["labels"] = [label]
    for kind, message in (
        ("misuse", "`n`: `run`"),
        ("bare_number", "`n`: wave_model_run()"),
        ("error_called", one["message"]),
        ("require_failed", one["message"]),
    ):
        (found,) = json.loads(in_words_of_python(json.dumps([{"kind": kind, **one}])))
        assert found["message"] == message and found["notes"] == ["`show`"] and found["file"] == "axes"
        assert found["labels"] == [{**label, "file": "n", "text": "`n`"}]
    assert in_words_of_python("[data] has `--show`") == "[data] has `show`"
