"""Parts of a sweep on an executor: in threads of this process, or in processes that load the program again."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Iterable, Mapping
from concurrent.futures import CancelledError, Executor, Future, as_completed
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Union

from wavemodel import _wave
from wavemodel._errors import Error
from wavemodel._results import REAL, SI, TEXT

if TYPE_CHECKING:
    from wavemodel._models import Program


class Clauses(NamedTuple):
    """What `_wave.Study` takes beside its model."""

    vary: list[str]
    show: list[str]
    where: list[str]


class Recipe:
    """What makes a study, in whatever thread or process."""

    def __init__(self, program: Program, name: str | None, given: Mapping[str, object], clauses: Clauses | None) -> None:
        self.key = os.urandom(16).hex()
        self.id = ""  #: of the study, which must be the same wherever it is made; empty: nobody asks
        self.is_sent = False  #: to another process
        self._program: _wave.Program | None = program._handle
        self._origin = program._origin
        self._name = name
        self._given = dict(given)
        self._clauses = clauses  # None: the program declares the study

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "is_sent": True, "_program": None}  # a handle is of its process

    def study(self) -> _wave.Study:
        if self._program is None:
            # One of several processes, each of which has a processor.
            self._program = self._origin.load(threads=self._origin.settings.get("threads", 0) or 1)
        if self._clauses is None:
            study = _wave.Study(self._program, self._name)
        else:
            model = _wave.Model(self._program, self._name)
            for name, value in self._given.items():
                model.set(name, value)
            study = _wave.Study(model, *self._clauses)
        if self.id and study.id() != self.id:
            message = "the program, or what it reads, has changed since it was loaded"
            shown = {"code": "E0702", "kind": "other_study", "severity": "error", "message": message}
            raise Error(1, f"error[E0702]: {message}\n", json.dumps([{**shown, "notes": [], "help": [], "places": []}]))
        return study


class Sent:
    """The points of another process, with what of `_wave.Result` reads them."""

    def __init__(self, result: _wave.Result) -> None:
        self._output = result.output(0)
        self._columns = [result.column(0, i) for i in range(self._output["columns"])]
        self._cells = [self._read(result, i) for i in range(len(self._columns))]
        codes = result.codes(0)
        self._codes = None if codes is None else _copied(codes)

    def _read(self, result: _wave.Result, column: int) -> Any:
        cell = self._columns[column]["cell"]
        if cell == TEXT:
            return result.texts(0, column)
        return _copied(result.reals(0, column, SI) if cell == REAL else result.integers(0, column))

    def output(self, index: int) -> dict[str, Any]:
        return self._output

    def column(self, output: int, column: int) -> dict[str, Any]:
        return self._columns[column]

    def reals(self, output: int, column: int, unit: int) -> Any:
        return self._cells[column]

    def integers(self, output: int, column: int) -> Any:
        return self._cells[column]

    def texts(self, output: int, column: int) -> list[str]:
        return list(self._cells[column])

    def codes(self, output: int) -> Any:
        return self._codes


def _copied(numbers: _wave.Numbers) -> Any:
    import numpy

    return numpy.array(numbers)


Points = Union[_wave.Result, Sent]

_lock = threading.Lock()
_running: dict[str, list[_wave.Study]] = {}  # of the sweeps of this process, by their keys
_made = threading.local()  # the study of this thread's last part: others of the same sweep follow


def compute(recipe: Recipe, begin: int, end: int) -> Points:
    """The points begin <= i < end, in a thread or process of an executor."""
    if getattr(_made, "key", None) != recipe.key:
        _made.study, _made.key = recipe.study(), recipe.key
    study: _wave.Study = _made.study
    if recipe.is_sent:
        return Sent(study.run_part(begin, end, None))
    with _lock:
        running = _running.get(recipe.key)
        if running is None:
            raise CancelledError
        running.append(study)
    try:
        return study.run_part(begin, end, None)
    finally:
        with _lock:
            running.remove(study)


def run(
    executor: Executor, recipe: Recipe, study: _wave.Study, progress: Callable[[int, int], object] | None
) -> list[Points]:
    """The parts of the study of a recipe, in their order. The first exception of a part is raised, once no part runs in
    this process any more."""
    recipe.id = study.id()
    points = study.point_count()
    count = max(1, min(points, 4 * (os.cpu_count() or 1)))
    bounds = [points * i // count for i in range(count + 1)]
    sizes: dict[Future[Points], int] = {}
    with _lock:
        _running[recipe.key] = []
    try:
        done = 0
        if progress is not None:
            progress(done, points)
        for begin, end in zip(bounds, bounds[1:]):
            sizes[executor.submit(compute, recipe, begin, end)] = end - begin
        for part in as_completed(sizes):
            part.result()
            done += sizes[part]
            if progress is not None:
                progress(done, points)
    finally:
        _end(recipe.key, sizes)
    return [part.result() for part in sizes]


def _end(key: str, parts: Iterable[Future[Points]]) -> None:
    """Sees to it that no part of a sweep begins any more in this process, and ends those that have begun."""
    with _lock:
        running = _running.pop(key)
    for part in parts:
        part.cancel()
    while running:
        for study in list(running):
            study.stop()
        time.sleep(0.01)
