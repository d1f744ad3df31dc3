"""Where a program comes from, so that other processes can load it again."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from wavemodel import _wave
from wavemodel._options import Options, encoded, encoded_text
from wavemodel._units import in_unit

_ENGINES = {"auto": "automatic", "interpreter": "interpreter", "jit": "jit"}


class Origin(NamedTuple):
    settings: Mapping[str, Any]  #: those of `open_program`
    name: str  #: of a file or of a module of the library; of a text, its name in diagnostics
    text: str | None  #: None: it is in the file
    modules: Mapping[str, str] | None
    folder: str  #: the current one when it was loaded, which relative names are of; empty: it was removed

    def load(self, **others: Any) -> _wave.Program:
        """With these settings in place of its own."""
        settings = settings_of(**{**self.settings, **others})
        name = os.path.join(self.folder, self.name) if self.is_elsewhere() else self.name
        return _wave.Program(settings, name, self.text, dict(self.modules or {}))

    def is_elsewhere(self) -> bool:
        """Whether its name is relative to another folder than the current one."""
        path = os.path.join(self.folder, self.name)
        is_there = os.path.exists(path if self.text is None else self.folder)
        return is_there and path != self.name and current_folder() != self.folder


def current_folder() -> str:
    """Empty where it was removed."""
    try:
        return os.getcwd()
    except FileNotFoundError:
        return ""


def origin_of(
    settings: Mapping[str, Any], name: str, text: str | None = None, modules: Mapping[str, str] | None = None
) -> Origin:
    kept, here = dict(settings), current_folder()
    if "folders" in kept:
        kept["folders"] = [os.path.normpath(os.path.join(here, folder)) for folder in _folders(kept["folders"])]
    return Origin(kept, name, text, modules, here)


def settings_of(
    folders: Iterable[str | os.PathLike[str]] = (),
    seconds: float = 60,
    memory: int = 8 << 30,
    threads: int = 0,
    engine: str = "auto",
    shortcuts: bool = True,
    environment: bool = True,
) -> Options:
    """As libwave takes them."""
    if engine not in _ENGINES:
        raise ValueError(f"there is no engine `{engine}`, only {', '.join(_ENGINES)}")
    limit = float(_number("seconds", in_unit("seconds", seconds, "s")))
    options = [("environment", "true" if environment else "false")]
    options += [("I", folder) for folder in _folders(folders)]
    options += [
        ("time-limit", "none" if limit == float("inf") else f"{limit!r} s"),
        ("memory-limit", f"{_bytes(_number('memory', in_unit('memory', memory, 'B')))} B"),
        ("threads", str(int(_number("threads", threads, is_whole=True)))),
        ("engine", _ENGINES[engine]),
        ("shortcuts", "true" if shortcuts else "false"),
    ]
    return encoded(options)


def _folders(folders: Iterable[str | os.PathLike[str]]) -> list[str]:
    if isinstance(folders, (str, os.PathLike)):
        raise TypeError("`folders` is a list of folders")
    named = [os.fspath(folder) for folder in folders]
    for folder in named:
        encoded_text("`folders`", folder)
    return named


def _number(name: str, value: Any, is_whole: bool = False) -> Any:
    if isinstance(value, (str, bool)) or not hasattr(value, "__index__" if is_whole else "__float__"):
        raise TypeError(f"`{name}` is of type {type(value).__name__}, and takes a {'whole ' if is_whole else ''}number")
    return value


def _bytes(memory: Any) -> int:
    number = int(memory) if memory == memory and abs(memory) < 2**64 else -1
    if not 0 < number < 2**64:
        raise ValueError(f"`memory` is {number}, and is a number of bytes from 1 on")
    return number
