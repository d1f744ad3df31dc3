"""The lexer for Pygments, on every model of the repository."""

import re

import conftest
import pytest
from pygments.token import Comment, Error, Keyword, Name, Number, Operator, String

from wavemodel import _words
from wavemodel.lexer import WaveLexer

FILES = sorted(file for folder in ("examples", "stdlib", "tests/language") for file in (conftest.SOURCE / folder).rglob("*.wave"))
NEVER_NAMES = {word for words in _words.KEYWORDS.values() for word in words.split()}


def tokens(text):
    return list(WaveLexer().get_tokens(text, ))


def kinds(line):
    return {text: kind for kind, text in tokens(line)}


def test_there_are_files():
    assert len(FILES) > 150


@pytest.mark.parametrize("part", range(8))
def test_all_of_every_file_is_coloured_and_kept(part):
    for file in FILES[part::8]:
        text = file.read_text(errors="replace").replace("\r", "")
        made = list(WaveLexer(stripnl=False, ensurenl=False).get_tokens(text))
        assert "".join(piece for _, piece in made) == text, file
        assert not any(kind is Error for kind, _ in made), file
        before = ""
        for kind, piece in made:
            if piece in NEVER_NAMES and kind not in Comment and kind not in String and before != ".":
                assert kind in Keyword or kind in Operator or kind is Name.Attribute, (file, piece, kind)
            before = piece if piece.strip() else before


def test_words_have_their_kinds():
    line = kinds('  output total = n * 2 us in ms   // note "x"')
    assert line["output"] is Keyword.Declaration and line["total"] is Name.Class and line["2"] is Number
    assert line["us"] is Keyword.Type and line["ms"] is Keyword.Type and line["in"] in Keyword
    assert any(kind in Comment for kind in line.values())
    assert kinds("/// what it is\n")["/// what it is"] is Comment.Special
    assert kinds("sweep from [NW] tiles 480 div planes {")["from"] is Keyword and kinds("let from = 3")["from"] is Name.Class
    assert kinds("recv border from upwind i")["upwind"] is Keyword and kinds("let x = upwind + 1")["upwind"] is Name
    assert kinds('import std.comm { Machine }')["import"] is Keyword.Namespace
    assert kinds("max(a, b)")["max"] is Name.Function and kinds("net.total")["total"] is Name.Attribute
    assert kinds('"a \\" b"')['"a \\" b"'] in String


def words_in_their_place():
    lines = (conftest.SOURCE / "tests/editors/words.txt").read_text().splitlines()
    rows = [[part.strip() for part in line.split("|")] for line in lines if line and line[0] != "#"]
    return [row for row in rows if len(row) == 3]


@pytest.mark.parametrize("row", words_in_their_place(), ids=lambda row: row[0])
def test_a_word_with_a_meaning_in_its_place_is_a_keyword_there(row):
    word, line, _ = row
    found = [kind for kind, text in tokens(line) if text == word]
    assert found and any(kind in Keyword for kind in found), (line, found)


def test_pygments_knows_it_by_its_name_where_the_package_is_installed():
    import importlib.metadata

    entries = importlib.metadata.entry_points()
    chosen = entries.select(group="pygments.lexers") if hasattr(entries, "select") else entries.get("pygments.lexers", [])
    assert [one.load() for one in chosen if one.name == "wave"] == [WaveLexer]
    from pygments.lexers import get_lexer_by_name

    assert isinstance(get_lexer_by_name("wave"), WaveLexer)


def test_nbconvert_colours_cells_in_pages():
    nbformat, exporter = pytest.importorskip("nbformat"), pytest.importorskip("nbconvert").HTMLExporter
    from traitlets.config import Config

    cell = nbformat.v4.new_code_cell("%%wave ring\nwave 1\nmodel Ring { param n: int = 4 }")
    notebook = nbformat.v4.new_notebook(cells=[cell], metadata={"language_info": {"name": "python", "pygments_lexer": "ipython3"}})
    config = Config()
    config.HighlightMagicsPreprocessor.languages = {"%%wave": "wave"}
    page, _ = exporter(config=config).from_notebook_node(notebook)
    assert '<span class="kd">param</span>' in page and '<span class="kd">model</span>' in page


def test_the_words_are_those_of_the_compiler():
    grammar = (conftest.SOURCE / "grammar/WaveLexer.g4").read_text()
    section = grammar[grammar.index("// ---- keywords"):]
    section = section[:section.index("// ----", 8)]
    assert NEVER_NAMES == set(re.findall(r"^[A-Z_]+\s*:\s*'([a-z]+)'\s*;", section, re.MULTILINE))
