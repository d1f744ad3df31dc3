"""Wave for Pygments, which colours code in documents, notebooks and terminals: the lexer ``wave``. Its words are those of
the compiler, as those of the grammar for editors are."""

# mypy: no-warn-unused-ignores, allow-untyped-calls

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pygments.lexer import RegexLexer, bygroups  # type: ignore[import]
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text  # type: ignore[import]

from wavemodel._words import AFTER_NAMES, DECLARING, FORMS, KEYWORDS, OPENERS, TYPES, UNITS

_KINDS = {
    "keyword.operator.word.wave": Operator.Word,
    "keyword.control.import.wave": Keyword.Namespace,
    "constant.language.boolean.wave": Keyword.Constant,
    "storage.type.wave": Keyword.Declaration,
}


def _either(words: list[str]) -> str:
    return rf"\b(?:{'|'.join(sorted(words, key=len, reverse=True))})\b"


def _form(lexer: RegexLexer, found: re.Match[str]) -> Iterator[tuple[int, Any, str]]:
    """The groups of a form are its words."""
    at = found.start()
    for group in range(1, (found.lastindex or 0) + 1):
        if found[group] is None:
            continue
        begin, end = found.span(group)
        if begin > at:
            yield at, Text, found.string[at:begin]
        yield begin, Keyword, found[group]
        at = end
    if at < found.end():
        yield at, Text, found.string[at : found.end()]


_POWER = rf"(?:{'|'.join(sorted(UNITS, key=len, reverse=True))})(?:\^-?[0-9])?"
_UNIT = rf"{_POWER}(?:[*/]{_POWER})*(?!\w)"
_NUMBER = r"(?<!\w)[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"
_ALL = [word for words in KEYWORDS.values() for word in words.split()]
_TYPE = _either(TYPES)


class WaveLexer(RegexLexer):  # type: ignore[misc]  # Pygments has no types
    """Colours models."""

    name = "Wave"
    aliases = ["wave"]
    filenames = ["*.wave"]
    mimetypes = ["text/x-wave"]
    flags = re.MULTILINE

    tokens = {
        "root": [
            (r"///(?!/).*$", Comment.Special),
            (r"//.*$", Comment.Single),
            (r'"(?:[^"\\\n]|\\.)*(?:"|$)', String.Double),
            (rf"({_NUMBER})([ \t]*)({_UNIT})", bygroups(Number, Text, Keyword.Type)),
            (_NUMBER, Number),
            (rf"(\.)([ \t]*)([A-Za-z_]\w*)", bygroups(Punctuation, Text, Name.Attribute)),
            (rf"(\bin)([ \t]+)({_UNIT})(?=[ \t]*(?:$|[;,}}]|//))", bygroups(Keyword, Text, Keyword.Type)),
            (rf"(:)([ \t]*)({_TYPE})", bygroups(Punctuation, Text, Keyword.Type)),
            *((form, _form) for form in FORMS),
            (rf"{_either(OPENERS)}(?=[ \t]+(?!{_either(AFTER_NAMES)})[\"\w(\[])", Keyword),
            (rf"({_either(DECLARING)})([ \t]+)(?!{_either(_ALL)})([A-Za-z_]\w*)", bygroups(Keyword.Declaration, Text, Name.Class)),
            *((_either(words.split()), _KINDS.get(name, Keyword)) for name, words in KEYWORDS.items()),
            (r"[A-Za-z_]\w*(?=\()", Name.Function),
            (r"[A-Za-z_]\w*", Name),
            (r"\.\.|\+-|±|[=!<>]=|[=<>+*/^|-]", Operator),
            (r"\s+", Text),
            (r".", Punctuation),
        ]
    }
