"""Programs: files and texts that were read and checked, in this process or again in another."""

from __future__ import annotations

import os
import threading
import weakref
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Callable, overload

from wavemodel import _wave
from wavemodel._errors import Error, said
from wavemodel._frozen import Frozen
from wavemodel._options import options_of
from wavemodel._origins import Origin, origin_of

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from wavemodel._models import Model
    from wavemodel._reduced import Reduced
    from wavemodel._sweeps import Sweep


class Program(Frozen):
    """A file or text that was read and checked, with the models that it declares and imports."""

    def __init__(self, origin: Origin, identity: str = "") -> None:
        self._origin = origin
        self._id = identity  # of one that was sent, which is only loaded where it is asked
        self._outdated = ""  # why it may not be used any more
        self._loading = threading.Lock()
        self._loaded: _wave.Program | None = None if identity else origin.load()

    @property
    def _handle(self) -> _wave.Program:
        if self._outdated:
            raise said(Error, self._outdated)
        ready: _wave.Program | None = self._loaded
        if ready is not None:
            return ready
        with self._loading:
            loaded: _wave.Program | None = self._loaded
            if loaded is None:
                loaded = self._origin.load()
                if loaded.id() != self._id:
                    raise changed(f"`{self._origin.name}`, or what it imports,")
                self._loaded = loaded
            return loaded

    def _identity(self) -> str:
        """What its results depend on, as one number."""
        if not self._id:
            self._id = self._handle.id()
        identity: str = self._id
        return identity

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (_sent(self), self._identity())

    @property
    def models(self) -> list[str]:
        """The names of the models that it declares, then of those that it imports."""
        return self._handle.models()

    @property
    def warnings(self) -> list[dict[str, Any]]:
        """The warnings, as diagnostics of `Error`."""
        found = self._handle.warnings()
        return found.diagnostics if found else []

    def model(self, name: str | None = None) -> Model:
        """The model of that name; None: the only one, or ``main``."""
        from wavemodel._models import Model

        return Model(self, name)

    @overload
    def study(
        self,
        name: str | None = None,
        *,
        progress: Callable[[int, int], object] | None = None,
        journal: str | os.PathLike[str] | None = None,
        executor: Executor | None = None,
        workers: int | None = None,
        reduce: None = None,
        **options: object,
    ) -> Sweep: ...

    @overload
    def study(
        self,
        name: str | None = None,
        *,
        progress: Callable[[int, int], object] | None = None,
        journal: str | os.PathLike[str] | None = None,
        executor: Executor | None = None,
        workers: int | None = None,
        reduce: str | Iterable[str],
        **options: object,
    ) -> Reduced: ...

    def study(
        self,
        name: str | None = None,
        *,
        progress: Callable[[int, int], object] | None = None,
        journal: str | os.PathLike[str] | None = None,
        executor: Executor | None = None,
        workers: int | None = None,
        reduce: str | Iterable[str] | None = None,
        **options: object,
    ) -> Sweep | Reduced:
        """Evaluates a study that the program declares; None: the only one. See `Model.sweep`. `options` are those of ``wave
        sweep`` by name, such as ``where=``."""
        from wavemodel._parts import Recipe
        from wavemodel._sweeps import Where, evaluate, reductions

        asked = reductions(reduce) + options_of(study=name, **options)
        return evaluate(Recipe(self, None, {}, asked), progress, Where(journal, executor, workers))

    def __repr__(self) -> str:
        return f"<program of the models {', '.join(self.models) or 'none'}>"


_MOST = 16  # programs that are kept, because more may come for them from other processes
_lock = threading.Lock()
_known: weakref.WeakValueDictionary[object, Program] = weakref.WeakValueDictionary()
_kept: OrderedDict[object, Program] = OrderedDict()


def _sent(program: Program) -> Origin:
    """Its origin, by which this process finds it again."""
    with _lock:
        _known[_key(program._origin, program._identity())] = program
    return program._origin


def _key(origin: Origin, identity: str) -> object:
    settings = tuple(sorted((name, repr(value)) for name, value in origin.settings.items()))
    modules = tuple(sorted((origin.modules or {}).items()))
    return settings, origin.name, origin.text, modules, origin.folder, identity


def _again(origin: Origin, identity: str) -> Program:
    """The program that was sent: the one that this process has, or what its file or text gives. Files that have changed
    are an error where it is asked; what was found before can be read."""
    key = _key(origin, identity)
    with _lock:
        program = _known.get(key)
        if program is None:
            program = Program(origin, identity)
            _known[key] = program
        _kept[key] = program
        _kept.move_to_end(key)
        if len(_kept) > _MOST:
            _kept.popitem(last=False)
        return program


def changed(what: str = "the program, or what it reads,") -> Error:
    return said(
        Error,
        f"{what} has changed since it was loaded",
        "load it again, so that all processes have the same",
        status=1,
        code="E0702",
    )


def program_of(text: str, name: str, modules: Mapping[str, str] | None, **settings: Any) -> Program:
    return Program(origin_of(settings, name, text, modules))


def open_program(file: str | os.PathLike[str], **settings: Any) -> Program:
    """Loads a file or a module of the library, for those with several models or with studies.

    Args:
        folders: further folders where imported modules are looked for, as ``-I``.
        seconds: how long a call may take; 60 unless given. A number, a `Quantity`, or a timedelta.
        memory: how many bytes an evaluation may take for values and rows; 8 GiB unless given.
        threads: how many an evaluation may use; 0: as many as there are processors.
        engine: ``"auto"``, ``"interpreter"`` or ``"jit"``. Engines and shortcuts change no bit of a result.
        shortcuts: whether proofs may take the place of evaluation.
        environment: whether WAVE_PATH, and the folder for compiled code that the program uses, count.
    """
    return Program(origin_of(settings, os.fspath(file)))


def load(file: str | os.PathLike[str], *, model: str | None = None, **settings: Any) -> Model:
    """Loads the model of a file, or of a module of the library by its name, ``"std.applications.sweep3d"``.

    Args:
        model: which of several; None: the only one, or ``main``.
        settings: those of `open_program`.
    """
    return open_program(file, **settings).model(model)


def loads(
    text: str,
    *,
    name: str = "model.wave",
    modules: Mapping[str, str] | None = None,
    model: str | None = None,
    **settings: Any,
) -> Model:
    """Loads the model of a text.

    >>> import wavemodel as wm
    >>> m = wm.loads("wave 1\\nmodel M { param n: int = 2; param L: time = 3 us; output total = n * L }")
    >>> m.run(n=4).total
    1.2e-05 s

    Args:
        name: of the text in diagnostics; its folder is where imports are looked for.
        modules: texts of further modules by name, ``"lattice"``, which are found before any file.
        model: which of several; None: the only one, or ``main``.
        settings: those of `open_program`.
    """
    return program_of(text, name, modules, **settings).model(model)
