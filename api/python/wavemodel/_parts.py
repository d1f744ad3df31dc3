"""Parts of a sweep, as they are computed in a thread of this process or in a process that makes the model again."""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import platform
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from concurrent.futures import CancelledError
from typing import TYPE_CHECKING, Callable, NamedTuple

from wavemodel import _wave
from wavemodel._division import WANTED_SECONDS
from wavemodel._errors import Error, said
from wavemodel._options import Options, encoded

if TYPE_CHECKING:
    from wavemodel._programs import Program

# A range that takes this many times as long as it should is left unfinished, so that all workers share the rest.
_PATIENCE = 4
# The first piece of a part is this part of it, and each may be eight times as large as the one before.
_FIRST_PIECE = 64
_GROWTH = 8
# The most programs that stay in a process that computes parts.
_MOST_PROGRAMS = 4


class Recipe:
    """What makes a study, in whatever thread or process: the options of ``wave sweep``, of a model with these values, or,
    without one, of the program, which declares it."""

    def __init__(self, program: Program, model: str | None, given: Mapping[str, object], options: Options) -> None:
        self.id = ""  #: of the study, which must be the same wherever it is made; empty: that is not checked
        self.is_sent = False  #: to another process
        self.is_reduced = any(option == "reduce" for option, _ in options)
        self._options = options
        self._program: _wave.Program | None = program._handle
        self._origin = program._origin
        self._model = model
        self._given = dict(given)

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "is_sent": True, "_program": None}  # a handle is of its process

    def digest(self) -> str:
        """The same for what makes the same study of the same texts."""
        return hashlib.sha256(pickle.dumps(self.__getstate__())).hexdigest()

    def study(self, journal: str | None = None) -> _wave.Question:
        """Makes the study; in another process, of a program that is loaded once."""
        if self._program is not None:
            return self._study_of(self._program, journal)
        with _lock:
            program = _programs.pop(self.digest(), None) or self._load()
            study = self._study_of(program, journal)
            if not self.id or id_of(study) == self.id:
                _programs[self.digest()] = program
            while len(_programs) > _MOST_PROGRAMS:
                _programs.popitem(last=False)
            return study

    def _load(self) -> _wave.Program:
        # One of several processes, each of which has a processor.
        threads = self._origin.settings.get("threads", 0) or 1
        if not self._origin.is_elsewhere():
            return self._origin.load(threads=threads)
        with _in_folder(self._origin.folder):
            return self._origin.load(threads=threads)

    def _study_of(self, program: _wave.Program, journal: str | None) -> _wave.Question:
        options = self._options if journal is None else [*self._options, ("journal", journal)]
        if self._model is None:
            return _wave.Question(program, "sweep", encoded(options))
        model = _wave.Model(program, self._model)
        for name, value in self._given.items():
            model.set(name, value)
        return _wave.Question(model, "sweep", encoded(options))


def id_of(study: _wave.Question) -> str:
    return str(study.points()["id"])


def whole(study: _wave.Question, progress: Callable[[int, int], object] | None = None) -> _wave.Result:
    """All points, or what is made of them."""
    result, _, error = study.run(progress)
    if result is None or error is not None:
        raise error or said(Error, "the study has no answer")
    return result


class Found(NamedTuple):
    """What was found at the points of a part, or at the first of them."""

    begin: int
    end: int
    pieces: list[tuple[int, int, bytes]]  #: ranges, and what `_wave.Question.add` takes of them
    seconds: float
    worker: str


class Refused(NamedTuple):
    """Why no points can be computed here."""

    error: Error
    worker: str


_lock = threading.RLock()
_programs: OrderedDict[str, _wave.Program] = OrderedDict()  # by the digests of recipes that were sent here
_running: dict[str, list[_wave.Question]] = {}  # of the sweeps of this process, by their keys
_made = threading.local()  # the study of this thread's last part and its id: others of it follow


@contextlib.contextmanager
def _in_folder(folder: str) -> Iterator[None]:
    """The current folder is this one meanwhile. The id of a study holds the name of its file as it was given: an
    absolute one in place of a relative one would make another study of it."""
    here = os.open(".", os.O_RDONLY)  # which may have been removed
    try:
        os.chdir(folder)
        try:
            yield
        finally:
            os.fchdir(here)
    finally:
        os.close(here)


def compute(recipe: Recipe, key: str, begin: int, end: int, plan: bytes) -> Found | Refused:
    """The points begin <= i < end of the sweep with this key, or what its reductions make of them, in the pass of a plan
    that `_wave.Question.points` has given. What an executor runs."""
    try:
        study = _study_of_thread(recipe)
        if _made.id != recipe.id:
            head = study.compute(0, 0, b"")  # which the client refuses, and says why
            return Found(begin, end, [(begin, end, head)], 0.0, _worker())
        with contextlib.nullcontext() if recipe.is_sent else _noted(key, study):
            return _in_pieces(lambda begin, end: study.compute(begin, end, plan), begin, end)
    except Error as error:
        return Refused(error, _worker())


def _worker() -> str:
    return f"{platform.node()}, process {os.getpid()}, thread {threading.get_ident()}"


def _study_of_thread(recipe: Recipe) -> _wave.Question:
    digest = recipe.digest()
    if getattr(_made, "digest", None) != digest:
        _made.digest = None
        _made.study = recipe.study()
        _made.id = id_of(_made.study)
        _made.digest = digest if _made.id == recipe.id else None  # else the files may be put right
    study: _wave.Question = _made.study
    return study


def _in_pieces(piece: Callable[[int, int], bytes], begin: int, end: int) -> Found:
    began = time.monotonic()
    pieces = []
    at, count, seconds = begin, max(1, (end - begin) // _FIRST_PIECE), 0.0
    while at < end:
        upto = min(end, at + count)
        pieces.append((at, upto, piece(at, upto)))
        at = upto
        seconds = time.monotonic() - began
        each = max(seconds / (at - begin), 1e-12)
        room = WANTED_SECONDS * _PATIENCE - seconds
        if room < each:
            break
        count = max(1, min(int(room / each), count * _GROWTH))
    return Found(begin, at, pieces, seconds, _worker())


@contextlib.contextmanager
def _noted(key: str, study: _wave.Question) -> Iterator[None]:
    """So that `end_here` ends it."""
    with _lock:
        running = _running.get(key)
        if running is None:
            raise CancelledError
        running.append(study)
    try:
        yield
    finally:
        with _lock:
            running.remove(study)


def begin_here(key: str) -> None:
    with _lock:
        _running[key] = []


def end_here(key: str) -> None:
    """Sees to it that no part of a sweep begins any more in this process, and ends those that have begun."""
    with _lock:
        running = _running.pop(key)
    while running:
        for study in list(running):
            study.stop()
        time.sleep(0.01)
