"""Options, as verbs of ``wave`` and settings take them: names and texts."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping
from typing import Any, cast

from wavemodel._errors import WrongValue, said
from wavemodel._units import as_expression, quantity_of

Options = list[tuple[str, str]]


def options_of(**given: object) -> Options:
    """Options by the names of arguments: `True` gives a flag, a list gives it several times, None and False not at
    all."""
    options: Options = []
    for name, value in given.items():
        name = name.rstrip("_")
        if not name.isidentifier():  # not even as an option
            raise said(WrongValue, f"{name!a} is no name of an option")
        if value is None or value is False:
            continue
        if value is True:
            options.append((name, "true"))
        elif isinstance(value, Mapping):
            options.extend((name, f"{key}={option_text(str(key), one)}") for key, one in value.items())
        elif isinstance(value, Iterable) and not isinstance(value, (str, bytes, os.PathLike)) and not is_single(value):
            options.extend((name, option_text(name, one)) for one in value)
        else:
            options.append((name, option_text(name, value)))
    return options


def of_a_sweep(given: Mapping[str, object]) -> Options:
    """Further options of a sweep."""
    if "journal" in given:
        raise TypeError("`journal` is an argument of its own")
    return options_of(**given)


def texts(argument: str, given: str | Iterable[str]) -> list[str]:
    if not isinstance(given, Iterable):
        raise TypeError(f"`{argument}` is of type {type(given).__name__}, and takes a str or a list of str")
    all_texts = [given] if isinstance(given, str) else list(given)
    for text in all_texts:
        if not isinstance(text, str):
            raise TypeError(f"`{argument}` holds a {type(text).__name__}, and takes str")
    return all_texts


def several(**given: str | Iterable[str]) -> Options:
    """Options that take a text each time they are given."""
    return [(name, text) for name, one in given.items() for text in texts(name, one)]


def is_single(value: object) -> bool:
    """Of an array, whether it holds one number and has no length."""
    return getattr(value, "ndim", 1) == 0


def option_text(name: str, value: Any) -> str:
    if isinstance(value, os.PathLike):
        return os.fsdecode(value)
    found = quantity_of(value)
    if found is None and is_single(value) and hasattr(value, "item"):
        value = value.item()  # of numpy
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    is_number = found is not None or isinstance(value, (int, float))
    if not is_number and hasattr(value, "__index__"):
        value, is_number = value.__index__(), True
    if not is_number and hasattr(value, "__float__"):
        value, is_number = float(value), True
    if not is_number:
        raise TypeError(
            f"`{name}` is of type {type(value).__name__}: an option is a str, a path, a number, a truth value "
            "or a quantity"
        )
    if not math.isfinite(value if found is None else found):
        raise said(WrongValue, f"`{name}` holds {float(value if found is None else found)}, which is no finite number")
    return as_expression(found) if found is not None else repr(value)


def encoded(options: Options) -> Options:
    """For the extension, which takes bytes for str."""
    made = [(encoded_text("an option", name), encoded_text(f"`{name}`", value)) for name, value in options]
    return cast(Options, made)


def encoded_text(argument: str, text: str) -> bytes:
    """As names of files are, of which some are no UTF-8."""
    try:
        made = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise said(WrongValue, f"{argument} holds {text[error.start]!a}, which is no character") from None
    if b"\0" in made:
        raise said(WrongValue, f"{argument} holds a zero character")
    return made
