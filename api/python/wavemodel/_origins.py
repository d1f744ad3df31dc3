"""Where a program comes from, so that other processes can load it again."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from wavemodel import _wave

_ENGINES = {"auto": 0, "interpreter": 1, "jit": 2}


class Origin(NamedTuple):
    settings: Mapping[str, Any]  #: those of `open_program`
    name: str  #: of a file or of a module of the library; of a text, what stands for it
    text: str | None = None  #: None: it is in the file
    modules: Mapping[str, str] | None = None

    def load(self, **others: Any) -> _wave.Program:
        """With these settings in place of its own."""
        settings = settings_of(**{**self.settings, **others})
        if self.text is None:
            return _wave.Program(settings, self.name)
        return _wave.Program(settings, self.name, self.text, dict(self.modules or {}))


def settings_of(
    folders: Iterable[str | os.PathLike[str]] = (),
    seconds: float = 60,
    memory: int = 8 << 30,
    threads: int = 0,
    engine: str = "auto",
    shortcuts: bool = True,
    environment: bool = True,
) -> _wave.Settings:
    settings = _wave.Settings()
    if engine not in _ENGINES:
        raise ValueError(f"there is no engine `{engine}`, only {', '.join(_ENGINES)}")
    if isinstance(folders, (str, os.PathLike)):
        raise TypeError("`folders` is a list of folders")
    settings.folders = [os.fspath(folder) for folder in folders]
    settings.seconds = seconds
    settings.memory = memory
    settings.threads = threads
    settings.engine = _ENGINES[engine]
    settings.shortcuts = shortcuts
    settings.environment = environment
    return settings
