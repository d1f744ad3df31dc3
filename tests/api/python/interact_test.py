"""Sliders for parameters."""

import os
import re
import subprocess
import sys

import ipywidgets
import jupyter_client
import pytest

import wavemodel as wm

MODEL = """wave 1
import std.machines.ibm_sp2 { SP2 }
model Slides {
  param n: int = 4 in 1..9
  param large: int = 8 in 1..4096
  param L: time = 2 us in 1 us..10 us
  param free: time = 4 us
  param way: eager | rendezvous = rendezvous
  param twice: bool = false
  param name: string = "<script>"
  param net: SP2 = SP2()
  output total = n * L * (if twice then 2 else 1)
  output eager = way == eager
  output title = name
  output wrong = if n > 8 then error("too many") else n
  output other = large * free
}
"""


@pytest.fixture
def model():
    return wm.loads(MODEL)


def inputs(box):
    rows = [row.children for row in box.children[:-1]]
    return {re.sub(r" \[.*", "", name.value): made for name, made, _ in rows}


def test_sliders_go_over_declared_ranges(model):
    found = inputs(wm.interact(model))
    assert list(found) == ["n", "large", "L", "free", "way", "twice"]
    assert isinstance(found["n"], ipywidgets.IntSlider) and (found["n"].min, found["n"].max, found["n"].value) == (1, 9, 4)
    assert (found["L"].min, found["L"].max, found["L"].value) == (1e-6, 1e-5, 2e-6)
    assert found["L"].value == 2e-6 and wm.interact(model).children[2].children[0].value == "L [s]"
    values = [value for _, value in found["large"].options]
    assert (values[0], values[-1]) == (1, 4096) and {8, 64} <= set(values) and len(values) < 60
    assert list(found["way"].options) == ["eager", "rendezvous"] and found["way"].value == "rendezvous"


def test_without_a_range_a_slider_reaches_around_the_value(model):
    options = [value for _, value in inputs(wm.interact(model, parameters=["free"]))["free"].options]
    assert options[0] == pytest.approx(0.5e-6) and options[-1] == pytest.approx(32e-6) and 4e-6 in options


def test_what_is_shown_follows_the_sliders(model):
    box = wm.interact(model, ["total", "eager"], name="x")
    found, shown = inputs(box), box.children[-1]
    assert ">8e-06<" in shown.value and ">false<" in shown.value and "title" not in shown.value
    found["n"].value = 8
    found["way"].value = "eager"
    found["twice"].value = True
    assert ">3.2e-05<" in shown.value and ">true<" in shown.value
    assert model.run().total == 8e-6


def test_failures_and_texts_of_the_model_are_shown_as_text(model):
    box = wm.interact(model)
    inputs(box)["n"].value = 9
    assert "failed with E0513" in box.children[-1].value and "too many" in box.children[-1].value
    assert "<script>" not in box.children[-1].value and "&lt;script&gt;" in box.children[-1].value


def test_parameters_of_machines_have_sliders_where_they_are_named(model):
    found = inputs(wm.interact(model, parameters=["net.L", "n"]))
    assert list(found) == ["net.L", "n"] and found["net.L"].value == float(model.params["net.L"].value)


def test_interact_refuses_what_it_does_not_know(model, refuses):
    assert "no parameter `k`" in refuses(ValueError, wm.interact, model, parameters=["k"])
    assert "`name` is of type string" in refuses(ValueError, wm.interact, model, parameters=["name"])
    assert "no output `k`" in refuses(ValueError, wm.interact, model, ["k"])
    refuses(wm.Error, wm.interact, model, k=1)


def test_without_ipywidgets_the_error_says_what_to_install(model, refuses, monkeypatch):
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    assert "python3-ipywidgets" in refuses(ImportError, wm.interact, model)


def test_a_kernel_shows_the_sliders():
    with_package = {**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(wm.__file__))}
    manager, client = jupyter_client.manager.start_new_kernel(kernel_name="python3", env=with_package)
    try:
        client.execute(f"import wavemodel as wm\nwm.interact(wm.loads({MODEL!r}))")
        shown, opened = {}, 0
        while True:
            message = client.get_iopub_msg(timeout=60)
            content = message["content"]
            assert message["msg_type"] != "error", content
            opened += message["msg_type"] == "comm_open"
            shown.update(content.get("data", {}) if message["msg_type"] in ("display_data", "execute_result") else {})
            if message["msg_type"] == "status" and content["execution_state"] == "idle" and opened:
                break
        assert "application/vnd.jupyter.widget-view+json" in shown and opened > 12
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def test_ipywidgets_is_only_imported_where_it_is_asked_for():
    code = "import sys, wavemodel; print([one for one in ('ipywidgets', 'IPython') if one in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
