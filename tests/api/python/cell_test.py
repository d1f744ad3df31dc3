"""Models in cells of notebooks, and how errors are shown there."""

import re

import conftest
import pytest
from IPython.core.interactiveshell import InteractiveShell

import wavemodel as wm

RING = "wave 1\nmodel Ring {\n  param n: int = 4\n  output total = n * 1 us\n}\n"


@pytest.fixture
def shell(capsys):
    """Runs cells, and gives what they print and the exception that ended them."""
    InteractiveShell.clear_instance()
    one = InteractiveShell.instance(colors="NoColor")
    one.run_cell("%load_ext wavemodel\nimport wavemodel as wm")
    capsys.readouterr()

    def run(cell):
        result = one.run_cell(cell, store_history=True)
        return capsys.readouterr().out, result.error_in_exec

    run.names = one.user_ns
    yield run
    InteractiveShell.clear_instance()


def test_a_cell_defines_its_model(shell):
    assert shell("%%wave ring\n" + RING) == ("", None)
    assert isinstance(shell.names["ring"], wm.Model) and shell.names["ring"].run(n=8).total == 8e-6
    shell("%%wave ring\n" + RING.replace("1 us", "2 us"))
    assert shell.names["ring"].run(n=8).total == 16e-6


def test_errors_are_those_of_the_terminal_with_colours_and_lines_of_the_cell(shell):
    printed, error = shell("%%wave ring\n" + RING.replace("1 us", "K"))
    assert type(error) is wm.Error and "ring" not in shell.names
    assert "Traceback" not in printed and "\x1b[1;31merror[E0201]" in printed
    plain = re.sub(r"\x1b\[[0-9;]*m", "", printed)
    assert plain.rstrip("\n") == str(error) and re.search(r"--> In\[\d+\]:5:22\n", plain)


def test_errors_of_calls_say_the_lines_that_led_there_and_nothing_of_ours(shell):
    shell("%%wave ring\n" + RING)
    printed, error = shell("def ask(k):\n    return ring.run(k=k)\n\nask(3)")
    assert isinstance(error, wm.Error) and isinstance(error, KeyError)
    lines = printed.splitlines()
    assert lines[:2] == ["line 4: ask(3)", "line 2, in ask: return ring.run(k=k)"] and "E0406" in lines[2]
    assert "Traceback" not in printed and "_models.py" not in printed


def test_later_cells_import_earlier_ones_and_programs_without_one_model_are_programs(shell):
    shell("%%wave times\nwave 1\nlet a: time = 3 us\n")
    assert isinstance(shell.names["times"], wm.Program)
    assert shell("%%wave using\nwave 1\nimport times { a }\nmodel M { output t = 2 * a }") == ("", None)
    assert shell.names["using"].run().t == 6e-6
    shell("%%wave two --model B\nwave 1\nmodel A { output t = 1 s }\nmodel B { output t = 2 s }")
    assert shell.names["two"].name == "B"


def test_cells_find_modules_in_folders(shell):
    folder = conftest.SOURCE / "examples/sweep3d"
    assert shell(f"%%wave s3 -I '{folder}'\nwave 1\nimport sweep3d\nmodel M {{ output t = 1 s }}") == ("", None)


def test_warnings_are_shown_and_the_model_is_there(shell):
    printed, error = shell("%%wave w\n" + RING.replace("n * 1 us", "1 us * n //2"))
    assert error is None and shell.names["w"].run().total == 4e-6
    assert "warning" in printed and ":5:27" in printed and "nothing is divided" in printed


@pytest.mark.parametrize("line, words", [("", "required: name"), ("3x", "`3x` is no name"), ("a --models", "usage:"),
                                         ("'", "No closing quotation")])
def test_a_wrong_line_is_shown_without_a_traceback(shell, line, words):
    printed, error = shell(f"%%wave {line}\n" + RING)
    assert error is not None and words in printed and "Traceback" not in printed and "usage: %%wave NAME" in printed


def test_a_cell_that_imports_a_changed_cell_refuses_until_it_runs_again(shell):
    using = "%%wave using\nwave 1\nimport times { a }\nmodel M { output t = 2 * a }"
    further = "%%wave further\nwave 1\nimport using { M }\nmodel N { output t = 1 s }"
    shell("%%wave times\nwave 1\nlet a: time = 3 us\n")
    shell(using)
    shell(further)
    shell("%%wave apart\n" + RING)
    assert shell("%%wave times\nwave 1\nlet a: time = 3 us\n") == ("", None)  # the same text
    assert shell.names["using"].run().t == 6e-6
    result = shell.names["using"].run()
    printed, error = shell("%%wave times\nwave 1\nlet a: time = 4 us\n")
    assert error is None and "the cell `using` imports `times`, which has changed" in printed and "`further`" in printed
    for name in ("using", "further"):
        for ask in ("run()", "sweep(n=[1])", "params", "batch({'n': [1]})", "bind()"):
            printed, error = shell(f"{name}.{ask}")
            assert isinstance(error, wm.Error) and f"run the cell `{name}` again" in printed, (name, ask)
    assert result.t == 6e-6 and shell.names["apart"].run().total == 4e-6
    assert shell(using)[1] is None and shell.names["using"].run().t == 8e-6
    assert shell.names["further"]._program._outdated


@pytest.mark.parametrize("name", ["print", "len", "list", "None", "class", "In", "Out", "get_ipython", "exit", "wm", "_"])
def test_a_cell_hides_no_name_of_pythons(shell, name):
    before = shell.names.get(name)
    printed, error = shell(f"%%wave {name}\n" + RING)
    assert error is not None and f"`{name}`" in printed and "Traceback" not in printed
    assert shell.names.get(name) is before
    assert shell("print(len([1]))") == ("1\n", None)


def test_a_cell_may_replace_a_variable_and_itself(shell):
    shell("ring = 3")
    assert shell("%%wave ring\n" + RING) == ("", None) and shell("%%wave ring\n" + RING) == ("", None)
    assert isinstance(shell.names["ring"], wm.Model)


def test_shells_in_terminals_colour_cells():
    from types import SimpleNamespace

    from IPython.terminal.ptutils import IPythonPTLexer
    from prompt_toolkit.document import Document

    from wavemodel._notebook import _colour

    shell = SimpleNamespace(pt_app=SimpleNamespace(lexer=IPythonPTLexer()))
    _colour(shell)
    lines = shell.pt_app.lexer.lex_document(Document("%%wave ring\nwave 1\nmodel Ring { param n: int = 4 }\n"))
    kinds = {text: style for style, text in lines(2)}
    assert "keyword" in kinds["model"].lower() and "keyword" in kinds["param"].lower()
