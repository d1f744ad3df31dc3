"""A sweep whose parts an executor computes, and whose results this process checks and keeps."""

from __future__ import annotations

import contextlib
import json
import operator
import os
import time
import warnings
from concurrent.futures import BrokenExecutor, Executor, Future
from queue import Empty, SimpleQueue
from typing import Any, Callable, NoReturn, Union

from wavemodel import _wave
from wavemodel._division import Division, MOST_POINTS, Part
from wavemodel._errors import Error
from wavemodel._parts import Found, Recipe, Refused, begin_here, compute, end_here, whole

_Future = Future[Union[Found, Refused]]
# The time after which parts that are late are looked for again.
_LOOK_SECONDS = 0.5
# A part that did not come back is submitted once more.
_MOST_TRIES = 2


def gather(
    executor: Executor,
    workers: int | None,
    recipe: Recipe,
    journal: str | None,
    progress: Callable[[int, int], object] | None,
) -> tuple[_wave.Result, int]:
    """The result of the study of a recipe, and how many points it has. Once it returns or raises, no part runs in this
    process any more."""
    if not callable(getattr(executor, "submit", None)):
        found = type(executor).__name__
        raise TypeError(f"`executor` is of type {found}, and has no `submit` as those of concurrent.futures")
    workers = None if workers is None else _number_of(workers)
    with contextlib.closing(recipe.study(journal)) as study:
        gathering = _Gathering(executor, workers, recipe, study, journal, progress)
        return gathering.run(), gathering.points


def _number_of(workers: object) -> int:
    if isinstance(workers, bool) or not hasattr(workers, "__index__"):
        found = type(workers).__name__
        raise TypeError(f"`workers` is of type {found}, and takes a whole number, or None where it is not known")
    number = operator.index(workers)
    if number < 1:
        raise ValueError(f"`workers` is {number}, and takes 1 or more, or None where it is not known")
    return number


class _Gathering:
    def __init__(
        self,
        executor: Executor,
        workers: int | None,
        recipe: Recipe,
        study: _wave.Question,
        journal: str | None,
        progress: Callable[[int, int], object] | None,
    ) -> None:
        self._executor, self._recipe, self._study = executor, recipe, study
        self._journal, self._progress = journal, progress
        self._key = os.urandom(16).hex()
        study.add(0, 0, study.compute(0, 0, b""))  # what cannot be kept is said before anything is computed
        about = study.points()
        self._recipe.id = about["id"]
        self.points: int = about["count"]
        # What reductions make of a part does not grow with its points.
        self._division = Division([], workers, self.points if recipe.is_reduced else MOST_POINTS)
        self._begin_pass(about)
        self._out: dict[_Future, tuple[Part, float]] = {}  # parts, and when they were submitted
        self._ended: SimpleQueue[_Future] = SimpleQueue()

    def _begin_pass(self, about: dict[str, Any]) -> None:
        """Over the points that are open."""
        self._plan: bytes = about["plan"]
        self._done = self.points - sum(end - begin for begin, end in about["open"])
        self._division.begin(about["open"])
        self._named: set[Part] = set()

    def run(self) -> _wave.Result:
        begin_here(self._key)
        try:
            self._gather()
            while (about := self._study.points())["open"]:
                self._begin_pass(about)
                self._gather()
            return whole(self._study)
        finally:
            for future in self._out:
                future.cancel()
            end_here(self._key)

    def _gather(self) -> None:
        self._report()
        while self._done < self.points:
            self._submit()
            try:
                self._take(self._ended.get(timeout=_LOOK_SECONDS))
            except Empty:
                pass
            self._name_late()

    def _submit(self) -> None:
        while len(self._out) < self._division.room:
            part = self._division.next()
            if part is None:
                return
            try:
                future = self._executor.submit(compute, self._recipe, self._key, part.begin, part.end, self._plan)
            except Exception as error:
                self._division.lost(part)
                self._give_up("the executor takes no more parts", error)
            self._out[future] = (part, time.monotonic())
            future.add_done_callback(self._ended.put)

    def _take(self, future: _Future) -> None:
        part, _ = self._out.pop(future)
        try:
            found = future.result()
        except BrokenExecutor as error:
            self._give_up("the executor is broken", error)
        except Exception as error:  # of the executor: what `compute` meets is no exception
            if part.tries >= _MOST_TRIES:
                self._give_up(f"{part} came back from no worker, twice", error)
            self._division.lost(part)
            return
        if isinstance(found, Refused):
            raise found.error from RuntimeError(f"{found.worker} could not compute {part}")
        self._keep(part, found)
        self._division.done(part, found.end, found.seconds, found.worker)

    def _keep(self, part: Part, found: Found) -> None:
        at = part.begin
        for begin, end, piece in found.pieces:
            if begin != at or not begin < end <= part.end:
                raise _error(f"a worker returned the points {begin + 1} to {end}, and was asked for {part}", "")
            self._study.add(begin, end, piece)
            self._done += end - begin
            at = end
        if at != found.end or at == part.begin:
            raise _error(f"a worker returned other points than it says, of {part}", "")
        self._report()

    def _give_up(self, message: str, cause: Exception) -> NoReturn:
        """Ends the sweep with what there is."""
        for future, (part, _) in self._out.items():
            if future.done() and not future.cancelled() and future.exception() is None:
                found = future.result()
                if isinstance(found, Found):
                    self._keep(part, found)
        missing = f"{self.points - self._done} of {self.points} points are missing"
        if self._journal is None:
            help = "`journal=\"points.journal\"` keeps what is found, so that the same sweep goes on"
        else:
            kept = f"{self._done} points are in `{self._journal}`"
            help = f"{kept}: the same sweep with `journal={self._journal!r}` goes on, on another executor or on none"
        raise _error(f"{message}, and {missing}", help, f"{type(cause).__name__}: {cause}") from cause

    def _name_late(self) -> None:
        now = time.monotonic()
        for part, submitted in self._out.values():
            waited = now - submitted
            if part in self._named or waited < self._division.late_after(part):
                continue
            self._named.add(part)
            expected = self._division.expected(part)
            than = f", and should have taken {expected:.2g} s" if expected else ""
            was = "was" if part.points == 1 else "were"
            message = f"{part} {was} submitted {waited:.0f} s ago{than}: a worker may have ended, or none may be left"
            warnings.warn(message, RuntimeWarning, stacklevel=7)  # the line that called `Model.sweep`

    def _report(self) -> None:
        if self._progress is not None:
            self._progress(self._done, self.points)


def _error(message: str, help: str, note: str = "") -> Error:
    lines = [f"error[E0706]: {message}"]
    lines += [f"   = note: {note}"] if note else []
    lines += [f"   = help: {help}"] if help else []
    shown = {"code": "E0706", "kind": "parts_do_not_fit", "severity": "error", "message": message}
    notes, helps = [note] if note else [], [help] if help else []
    return Error(1, "\n".join(lines) + "\n", json.dumps([{**shown, "notes": notes, "help": helps, "places": []}]))
