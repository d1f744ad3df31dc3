"""What libwave says, in the words of this package: arguments in place of options, methods in place of calls in C.

Only what Wave says is put into these words: messages, labels, notes, helps, and the names of places. Lines of a source,
and what a model says by its own `error` or `require`, are the user's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_COLOUR = r"(?:\x1b\[[0-9;]*m)*"
_FLAGS = {"skip-missing", "keep-outliers", "robust"}
_LISTS = {"ignore", "where", "params", "within", "processes", "pairs", "tables"}
_OF_THE_PROGRAM = {"explain", "column"}  # no argument is the same
_PAIRS = {"bounds": "bounds", "assume": "assume"}
_NAMES = {
    "time-limit": "seconds",
    "memory-limit": "memory",
    "protocol": "protocols",
    "minimize": "goals",
    "minimise": "goals",
    "maximize": "goals",
    "maximise": "goals",
}
_MISUSE = "E0601"
_OF_THE_MODEL = {"E0512", "E0513", "require_failed", "error_called"}  # codes and kinds whose message the model words

# The names of options that were given by these, and so are not renamed.
_given: ContextVar[frozenset[str]] = ContextVar("_given", default=frozenset())

_Words = tuple[tuple[str, str], ...]
_OF_A_MODEL = (r"ask a model: wave_model_open\(\)", "ask a model: `program.model().sweep`")
_CALLS: _Words = (
    (r"give an expression: wave_model_set\(\)", "give an expression, as a str"),
    (
        r"set it with wave_model_set\(\) before the batch is made",
        "it takes expressions, as str, or one value by its name",
    ),
    (
        r"(column `[^`]*`): a parameter of type (.*?) cannot vary",
        r"\1 holds other cells than the parameter, which is of type \2",
    ),
    (r'set "vary": "(\w+)=([^"]*)"', r'say what does: `\1="\2"`'),
    (r"wave_model_run\(\) evaluates a model once", "`run` evaluates a model once"),
    (r"wave_model_explain\(\) gives such results", "`breakdown` gives such results"),
    (r"wave_batch_create\(\)", "`batch`"),
    _OF_A_MODEL,
    (r"`?wave_(?:(?:program|model|result|question)_)?(\w+)\(\)`?", r"`\1`"),
    (r"ask it of a context, and what it is asked of as an option", "`wm.ask` asks it, of what its options name"),
    (r"`of` is a context", "`ask` makes no sweep"),
    (r"a sweep is asked of a model or a program", "`Model.sweep` and `Program.study` do"),
    (r"`([^` ]*) s` is no time limit", r"`seconds` is \1, which is no time limit"),
    (r'"20 s", "500 ms" and "none" are some', "positive numbers, quantities and timedeltas are some"),
    (r"`([^` ]*) B` is no memory limit", r"`memory` is \1, which is no memory limit"),
    (r'"2 GiB" and "500 MB" are some', "numbers of bytes and quantities are some"),
    (r"the folder of `I` is empty", "`folders` has an empty name"),
    (r"WAVE_SI or WAVE_ASKED may be", "it is 0 or 1"),
    (r"`targets\.name` is (`[^`]*`), but there is no such value", r"there is no output \1 that is a single value"),
    (r"`targets\.name` is (`[^`]*`), which is no single value", r"output \1 is no single value"),
    (r"target (`[^`]*`)", r"output \1"),
    (r"there are no targets: nothing is asked for", "`outputs` is empty: nothing is asked for"),
    (r"`name` is (`[^`]*`), but there is no such output", r"there is no output \1"),
    (r"`count` is 0: name a parameter", "no parameter is named"),
    (r"is a null pointer", "is missing"),
    (r"are a null pointer", "are missing"),
    # Options of one letter are asked by it.
    (r"has no option `-(\w)`", r"has no option `\1`"),
    (r"did you mean `-(\w)`\?", r"did you mean `\1`?"),
)
_VALUES: _Words = (
    _OF_A_MODEL,
    (r"`-D ([^`]*?)`", r"`\1`"),
    (r"begin elsewhere with `-D`", "begin elsewhere, with a value by name"),
    (r"fix one of them with `-D`", "fix one of them by name"),
    (r"`-D`", "a value by name"),
    (r"`--vary ([^`]*?)`", r"`\1`"),
)
_OPTIONS = re.compile(r"`(--[a-z][^`]*)`")
_OPTION = re.compile(r'--([a-z][a-z-]*)(?:[ =](")?(.*?)"?)?$')
_NEEDED = re.compile(r"(?<= needs `)[A-Z]+(?=`)")
_HEADING = re.compile(rf"{_COLOUR}(?:error|warning)\[([A-Z]\d+)\]")
_SOURCE = re.compile(rf"{_COLOUR} +\d+ \|")
_MARKS = re.compile(rf"{_COLOUR} +\|")
_ATTACHED = re.compile(rf" *{_COLOUR}= *{_COLOUR} *{_COLOUR}(?:note|help)")
_PLACE = re.compile(rf"(?P<arrow>{_COLOUR} *(?:-->|:::){_COLOUR} {_COLOUR})(?P<name>.*?)(?P<at>:\d+:\d+{_COLOUR})")


def _name_of(option: str) -> str:
    name = option.replace("-", "_")
    return name if name in _given.get() else _NAMES.get(option, name)


def _argument(option: str, value: str | None) -> str:
    if option in _OF_THE_PROGRAM:
        return f"wave fit --{option}"
    name = _name_of(option)
    if option in _FLAGS:
        return f"{name}=True"
    if value is None:
        return name
    if option in _PAIRS and "=" in value:
        parameter, _, what = value.partition("=")
        return f'{name}={{"{parameter}": "{what}"}}'
    if option in _LISTS:
        items = value.split(",") if option not in ("ignore", "where") else [value]
        is_number = all(item.strip().isdigit() for item in items)
        return f"{name}=[{', '.join(item.strip() if is_number else _quoted(item.strip()) for item in items)}]"
    return f"{name}={value if value.replace('.', '').isdigit() else _quoted(value)}"


def _quoted(text: str) -> str:
    return f'"{text}"'


def _arguments(options: str) -> str:
    parts = (_OPTION.match(one) for one in re.split(r"\s+(?=--)", options))
    return ", ".join(_argument(found[1], found[3]) for found in parts if found)


def _place(name: str) -> str:
    """The text of a value is named like its parameter, that of a clause like the argument."""
    option, _, parameter = name.partition(" ")
    if option != "-D" and not re.fullmatch("--[a-z][a-z-]*", option):
        return name
    if parameter:
        return parameter if re.fullmatch(r"[\w.]+", parameter) else name
    if option == "-D":
        return "D" if "D" in _given.get() else "values"
    if option == "--vary":
        return "vary" if "vary" in _given.get() else "axes"
    return _name_of(option[2:])


def _worded(text: str, is_misuse: bool) -> str:
    """What Wave says, without a line of a source. Only calls that are wrong speak of C."""
    if is_misuse:
        text = _NEEDED.sub(lambda found: found[0].lower(), text)
    for pattern, words in (*_CALLS, *_VALUES) if is_misuse else _VALUES:
        text = re.sub(pattern, words, text)
    return _OPTIONS.sub(lambda found: f"`{_arguments(found[1])}`", text)


def _of_lines(text: str) -> Iterator[str]:
    """Of diagnostics as the program prints them, or of a sentence."""
    is_misuse, is_of_the_model = True, False
    for line in text.splitlines(keepends=True):
        heading = _HEADING.match(line)
        if heading:
            is_misuse, is_of_the_model = heading[1] == _MISUSE, heading[1] in _OF_THE_MODEL
        place = _PLACE.match(line)
        if place:
            yield place["arrow"] + _place(place["name"]) + line[place.start("at") :]
        elif _SOURCE.match(line):
            yield line
        elif is_of_the_model and not _ATTACHED.match(line) and not _MARKS.match(line):
            yield line
            continue  # the message may go on
        else:
            yield _worded(line, is_misuse)
        is_of_the_model = False


def _of_diagnostic(one: dict[str, Any]) -> dict[str, Any]:
    is_misuse = one.get("kind", "misuse") == "misuse"

    def all_worded(texts: Iterable[str]) -> list[str]:
        return [_worded(text, is_misuse) for text in texts]

    made = {**one, **{key: all_worded(one[key]) for key in ("notes", "help") if key in one}}
    if "message" in one and one.get("kind") not in _OF_THE_MODEL:
        made["message"] = _worded(one["message"], is_misuse)
    if one.get("file"):
        made["file"] = _place(one["file"])
    if "labels" in one:
        made["labels"] = [
            {**label, "file": _place(label["file"]), "text": _worded(label["text"], is_misuse)}
            for label in one["labels"]
        ]
    return made


def in_words_of_python(text: str) -> str:
    """The same with arguments for options. Of a JSON text, what it makes is a JSON text."""
    if not any(one in text for one in ("-D", "--", "wave_", "`", "null pointer")):
        return text
    if text.startswith("["):
        import json

        try:
            return json.dumps([_of_diagnostic(one) for one in json.loads(text)], ensure_ascii=False)
        except (ValueError, TypeError, AttributeError, KeyError):
            pass  # a sentence that begins like one
    return "".join(_of_lines(text))


@contextmanager
def naming(options: Iterable[str]) -> Iterator[None]:
    """Names options as they are given here, where an argument elsewhere is called otherwise."""
    token = _given.set(frozenset(one.replace("-", "_") for one in options))
    try:
        yield
    finally:
        _given.reset(token)
