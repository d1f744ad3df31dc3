"""What further runs and reads need not make again. `bench/python_calls.py` prints what they cost."""

import pytest

import wavemodel as wm
from wavemodel import _handles, _models, _results

TEXT = "wave 1\nmodel M { param n: int = 4; param L: time = 1 us; param m: int = 2; output t = n * L * m in us }"


@pytest.fixture
def counted(monkeypatch):
    """The calls of a function, by its module and name."""

    def count(module, name):
        calls, function = [], getattr(module, name)
        monkeypatch.setattr(module, name, lambda *given: calls.append(given) or function(*given))
        return calls

    return count


def test_runs_with_other_names_in_turns_make_one_model_for_each_set_of_names(counted):
    made = counted(_handles, "Handle")
    model = wm.loads(TEXT)
    before = len(made)
    for n in range(1, 20):
        assert model.run(n=n).t == pytest.approx(n * 2e-6) and model.run(L=n * 1e-6).t == pytest.approx(n * 8e-6)
    assert len(made) == before + 2


def test_reads_of_all_results_of_a_set_of_names_look_outputs_up_once(counted):
    looked_up = counted(_models, "places_of"), counted(_results, "places_of")
    model = wm.loads(TEXT)
    for n in range(1, 20):
        result = model.run(n=n)
        assert result.t == result["t"] == result.t
    assert [len(calls) for calls in looked_up] == [1, 0]


def test_models_of_many_sets_of_names_are_not_kept():
    names = [f"p{i}" for i in range(40)]
    model = wm.loads("wave 1\nmodel M {\n" + "".join(f"param {name}: int = 1\n" for name in names) + "output t = p0 + p39 }")
    assert [model.run({name: 2}).t for name in names] == [3] + [2] * 38 + [3]
    assert len(model._handles._all) <= 8
    texts = wm.loads('wave 1\nmodel M { param name: string = ""; output t = name }')
    assert [texts.run(name=str(i)).t for i in range(100)] == [str(i) for i in range(100)]
    assert len(texts._handles._all) <= 3
