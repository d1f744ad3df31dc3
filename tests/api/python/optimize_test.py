"""The best of many points: what `wave optimize` finds, to the bit, and how a search ends."""

import json
import os
import re
import shlex
import signal
import subprocess
import threading

import conftest
import pandas
import pytest

import wavemodel as wm
from wavemodel._results import array
from wavemodel._tables import ASKED
from wavemodel._wording import in_words_of_python

TEXTS = ["tests/cli/optimize.transcript", "docs/optimize.md", "examples/sweep/README.md"]
GRID = """wave 1
model Grid {
  param n: int = 1 in 1..
  param m: int = 1 in 1..
  param L: time = 2 us
  param mode: fast | slow = fast
  param name: string = "x"
  param twice: bool = false
  output total = 64 s / (n * m) + (n + m) * (if mode == slow or twice then 2 s else 1 s) + L in ms
  output processors = n * m
  output is_square = n == m
}
"""
SLOW = "wave 1\nmodel Slow { param n: int\n output t = sum(i in 1..n: i mod 7) }"


@pytest.fixture
def grid():
    return wm.loads(GRID)


def commands():
    """The uses of `wave optimize` in the texts, as words, but for those whose options the package refuses by itself."""
    found = []
    for text in TEXTS:
        whole = (conftest.SOURCE / text).read_text().replace("\\\n", " ")
        for line in re.findall(r"^(?:\$ )?(wave optimize .*)", whole, re.MULTILINE):
            words = shlex.split(line)
            end = min(words.index(one) if one in words else len(words) for one in ("|", "&&", "-o"))
            is_taken = re.search("--(min|max)imize", line) and not re.search("--over n$|--method best|--budget 10$", line)
            is_quick = "n=2..32" not in line   # that one takes as long as it may on a slow machine
            if is_taken and is_quick:
                found.append(words[2:end])
    return found


def asked(words):
    """What `Model.optimize` takes for such a command."""
    options = {"--minimize": [], "--maximize": [], "--over": [], "--subject-to": [], "--show": [], "-D": []}
    settings = {"--top": "10", "--method": "auto", "--format": "", "--budget": "60"}
    for name, value in zip(words[1::2], words[2::2]):
        if name in options:
            options[name].append(value)
        else:
            assert name in settings, name
            settings[name] = value
    goals = options["--minimize"] + options["--maximize"]
    maximize = [False] * len(options["--minimize"]) + [True] * len(options["--maximize"])
    over = dict(one.split("=", 1) for one in options["--over"])
    values = dict(one.split("=", 1) for one in options["-D"])
    named = {"maximize": maximize, "subject_to": options["--subject-to"], "show": options["--show"],
             "top": int(settings["--top"]), "method": settings["--method"], "budget": float(settings["--budget"])}
    return goals, over, {**named, **values}


def compare(found, printed):
    outcome = {name: one["value"] for name, one in printed["outcome"]["fields"].items()}
    assert (found.proof, found.points) == (outcome["proof"], outcome["points"] or float("inf"))
    assert found.failed == outcome["failed"] and found.as_good_as_the_last == outcome["as_good_as_the_last"]
    names = list(found.df.columns)
    compared = set()
    printed = printed["best"]
    for at, name in enumerate([column["name"] for column in printed["columns"]]):
        cells = [row[at] for row in printed["rows"]]
        own = array(found._handle, 0, names.index(name), ASKED).tolist()
        assert own == (["; ".join(one) for one in cells] if name in ("mostly", "limited by") else cells), name
        compared.add(name)
    assert len(printed["rows"]) == len(found) > 0 and len(compared) > 2


@pytest.mark.parametrize("words", commands(), ids=lambda words: " ".join(words))
def test_it_finds_what_the_program_finds_to_the_bit_and_fails_with_the_same_words(words, monkeypatch):
    monkeypatch.chdir(conftest.SOURCE / "tests/cli" if words[0].startswith("fixtures") else conftest.SOURCE)
    goals, over, named = asked(words)
    run = subprocess.run([conftest.PROGRAM, "optimize", *words, "--format", "json"], capture_output=True, text=True)
    model = wm.load(words[0])
    if run.returncode != 0:
        with pytest.raises(wm.Error) as caught:
            model.optimize(goals, over, **named)
        assert str(caught.value).strip() in in_words_of_python(run.stderr)
        return
    compare(model.optimize(goals, over, **named), json.loads(run.stdout)["tables"])


def test_there_are_commands_to_compare():
    assert len(commands()) > 20


def test_the_best_is_what_a_run_takes(grid):
    over = {"n": range(1, 17), "m": [1, 2, 4], "L": [1.5e-6, "2.5 us"], "mode": ["slow", "fast"], "name": ["a \"b\"", "c"]}
    found = grid.optimize("total", over, subject_to="n * m == 16", top=4, show=["is_square"], twice=False)
    assert found.proved and found.proof == "all points" and len(found) == 4
    assert found.best == {"twice": False, "n": 4, "m": 4, "L": 1.5e-6, "mode": "fast", "name": 'a "b"'}
    assert found.best["L"].unit == "s"
    for row in range(4):
        assert grid.run(found.at(row)).asked.total == found.df["total"][row]
        assert grid.run(**found.at(row)).total == found.si.df["total"][row]
    assert found.bound == found.si.df["total"][0] and found.bound.unit == "s"
    assert found.df["is_square"].tolist() == [True] * 4 and found.df.attrs["units"]["total"] == "ms"
    assert isinstance(found.df, pandas.DataFrame)
    with pytest.raises(IndexError):
        found.at(4)


def test_machines_are_chosen_by_their_expressions(sweep3d):
    found = sweep3d.optimize("total", {"net": ["SP2()", "SP2(L = 5 us)"], "n": [4, 8]}, m=8)
    assert found.best == {"m": 8, "net": "SP2(L = 5 us)", "n": 4}
    assert sweep3d.run(**found.best).total == found.df["total"][0]


def test_several_goals_give_a_front(grid):
    found = grid.optimize(["total", "processors"], {"n": "1..8", "m": "1..8"}, maximize=[False, True])
    frame = found.df
    assert "as good" in frame and "place" not in frame and found.bound is None and len(found) > 3
    assert frame["total"].is_monotonic_increasing and frame["processors"].is_monotonic_increasing
    large = grid.optimize("processors", {"n": "1..8", "m": "1..8"}, maximize=True)
    assert large.best == {"n": 8, "m": 8} and "n is the largest tried" in large.df["limited by"][0]


def test_an_interval_is_proved_within_a_tolerance(grid):
    found = grid.optimize("total", {"L": "1 us..5 us", "n": [1, 4]}, m=4)
    assert found.proved and found.points == float("inf") and found.best["L"] == 1e-6


def test_points_and_seeds_bound_a_search(grid):
    named = {"method": "search", "points": 40, "seed": 7}
    one, other = (grid.optimize("total", {"n": "1..100", "m": "1..100"}, **named) for _ in range(2))
    assert not one.proved and one.proof == "none" and one.evaluated <= 40
    pandas.testing.assert_frame_equal(one.df, other.df, check_exact=True)
    assert any("`points`" in sentence for sentence in one.says)


def test_it_shows_itself(grid):
    found = grid.optimize("total", {"n": "1..64", "m": "1..64"}, subject_to="n <= m", top=30)
    assert repr(found).startswith("<total = 12000 ms at n = 4, m = 4: the best is proved") and "\n" not in repr(found)
    assert str(found).splitlines()[0] == "total = 12000 ms at n = 4, m = 4"
    page = found._repr_html_()
    assert "total [ms]" in page and "The first 20 of 30 points." in page and "the best is proved" in page
    assert "n &lt;= m" in page and "n <= m" not in page


def test_explanations_are_spared_where_nobody_asks_for_them(sweep3d):
    over = {"n": [4, 8], "net": ["SP2()", "SP2_C()"]}
    found = sweep3d.optimize("total", over, subject_to="n < 8")
    assert "Wg " in found.df["mostly"][0] and found.df["limited by"][0] == "n is the smallest tried"
    spared = sweep3d.optimize("total", over, subject_to="n < 8", explain=False)
    assert "mostly" not in spared.df and "limited by" not in spared.df and spared.best == found.best


def test_what_is_shown_and_fails_has_a_code():
    model = wm.loads('wave 1\nmodel M { param n: int\n output t = n * 1 s\n output bad = if n < 3 then error("small") else n }')
    found = model.optimize("t", {"n": "1..4"}, show="bad")
    assert found.df["error"].tolist() == ["E0513", "E0513", "", ""]


def test_it_refuses_what_it_cannot_ask(grid, refuses):
    over = {"n": "1..8"}
    assert "`method` does not take 'best'" in refuses(ValueError, grid.optimize, "total", over, method="best")
    assert "`maximize` has 2 truth values" in refuses(ValueError, grid.optimize, "total", over, maximize=[True, False])
    assert "`goals` holds a int" in refuses(TypeError, grid.optimize, [1], over)
    assert "`points` is 0" in refuses(ValueError, grid.optimize, "total", over, points=0)
    assert "`seed` is -1" in refuses(ValueError, grid.optimize, "total", over, seed=-1)
    assert "1 to 1000" in refuses(wm.Error, grid.optimize, "total", over, top=2000)
    assert "positive amount" in refuses(wm.Error, grid.optimize, "total", over, budget=0)
    assert "`n` is of type int" in refuses(TypeError, grid.optimize, "total", {"n": 3})
    assert "nothing may be chosen" in refuses(wm.Error, grid.optimize, "total", {})
    assert "is to be small or large" in refuses(wm.Error, grid.optimize, [], over)
    assert "`k`" in refuses(wm.Error, grid.optimize, "total", over, k=3)


def test_progress_is_told_and_may_end_it(grid, refuses):
    told = []
    grid.optimize("total", {"n": "1..64"}, method="exhaustive", progress=lambda done, points: told.append((done, points)))
    assert told[0] == (0, 64) and told[-1] == (64, 64) and told == sorted(told)

    def ends(done, points):
        raise RuntimeError("enough")

    assert refuses(RuntimeError, grid.optimize, "total", {"n": "1..64"}, progress=ends) == "enough"


def test_keyboard_interrupts_end_it():
    model = wm.loads(SLOW, shortcuts=False, engine="interpreter", threads=1, seconds=1e9)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        model.optimize("t", {"n": "100000000000..100000000100"})
    assert model.optimize("t", {"n": [1, 2]}).best == {"n": 1}


def test_a_budget_keeps_the_best_so_far_and_a_point_has_the_limit_of_a_call():
    model = wm.loads(SLOW, shortcuts=False, engine="interpreter", threads=1, seconds=2)
    found = model.optimize("t", {"n": [1, 2, 2000000000]}, maximize=True, method="exhaustive")
    assert found.best == {"n": 2} and not found.proved and found.failed == 1
