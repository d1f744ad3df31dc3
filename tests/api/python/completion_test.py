"""IPython completes the parameters of a model, and the names of what it gives."""

import pytest
from IPython.core.completer import provisionalcompleter
from IPython.core.interactiveshell import InteractiveShell

TEXT = "wave 1\nimport std.machines.ibm_sp2 { SP2 }\nmodel M { param number: int = 4; param nodes: int = 2; param net: SP2 = SP2(); output total = number * 1 us }"


@pytest.fixture(params=[False, True], ids=["plain", "jedi"])
def complete(request):
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance(colors="NoColor")
    shell.Completer.use_jedi = request.param
    shell.run_cell(f"import wavemodel as wm\nm = wm.loads({TEXT!r})\nr = m.run()")

    def completed(line):
        with provisionalcompleter():
            found = list(shell.Completer.completions(line, len(line)))
        return {line[: one.start] + one.text for one in found}

    yield completed
    InteractiveShell.clear_instance()


@pytest.mark.parametrize("call", ["run", "bind", "batch", "sweep", "optimize", "validate", "fit"])
def test_parameters_are_arguments(complete, call):
    assert {f"m.{call}(number=", f"m.{call}(nodes=", f"m.{call}(net="} <= complete(f"m.{call}(n")
    assert f"m.{call}(nodes=2, number=" in complete(f"m.{call}(nodes=2, nu")


def test_names_in_quotes_may_have_dots(complete):
    assert any("net.L" in one for one in complete('m.run({"net.'))
    assert any("number" in one for one in complete('m.fit(data, ["nu'))


def test_values_are_not_completed_with_parameters(complete):
    assert not any(one.endswith("number=") for one in complete("m.run(nodes=nu"))
    assert not any("number=" in one for one in complete("other.run(nu"))


def test_outputs_are_keys_and_attributes(complete):
    assert any("total" in one for one in complete('r["to'))
    assert any(one.startswith("r.total") for one in complete("r.to"))
    assert any("number" in one for one in complete('m.params["nu'))
