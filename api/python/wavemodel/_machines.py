"""Machines that are fitted to what benchmarks printed."""

from __future__ import annotations

import operator
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Union

from wavemodel._errors import Error, WrongValue, said
from wavemodel._fits import checked_confidence, checked_decimal, errors_kind
from wavemodel._frozen import Frozen
from wavemodel._html import preformatted
from wavemodel._options import options_of
from wavemodel._quantities import Quantity
from wavemodel._questions import asked
from wavemodel._results import tables_frame
from wavemodel._tables import ASKED, SI, Handle, sendable
from wavemodel._units import as_expression, quantity_of

if TYPE_CHECKING:
    import pandas

    Name = Union[str, os.PathLike[str]]


class MachineFit(Frozen):
    """A machine that was fitted to benchmarks. `fit_machine` makes one.

    Attributes:
        text: the machine as a module, which is what ``wave fit -o`` writes, byte for byte. Models import it from a file, or
            from ``modules={"cluster": fit.text}`` of `loads`.
    """

    def __init__(self, handle: Handle, warnings: Error | None) -> None:
        self._handle = handle
        self._warnings = warnings

    def __reduce__(self) -> tuple[Any, ...]:
        return MachineFit, (sendable(self._handle), self._warnings)

    @property
    def text(self) -> str:
        return str(self._handle.cell(self._handle.find("machine"), 1, SI))

    @property
    def warnings(self) -> list[dict[str, Any]]:
        """What is to be said of it, as diagnostics of `Error`; empty if there is nothing."""
        return self._warnings.diagnostics if self._warnings else []

    @property
    def parameters(self) -> pandas.DataFrame:
        """A row for each parameter, in the unit that its row names. Of times of several pairs, a row for each class of
        sizes, in SI units."""
        return self._table("parameters" if self._has("parameters") else "classes")

    @property
    def collectives(self) -> pandas.DataFrame:
        """A row for each collective operation, with its formula, and how far off that is: 0.05 is 5 %."""
        return self._table("collectives")

    @property
    def replayed(self) -> pandas.DataFrame:
        """What the benchmarks print on this machine, beside what was measured; `off` marks more than three deviations."""
        return self._table("replayed")

    @property
    def set_aside(self) -> pandas.DataFrame:
        """The times that were left out, too far from the rest to be noise: where they are, and what was expected."""
        return self._table("set_aside")

    @property
    def notes(self) -> list[str]:
        """What was decided, skipped, and odd."""
        return self._handle.texts(self._handle.find("notes"), 0)

    def _has(self, name: str) -> bool:
        return any(self._handle.output(i)["name"] == name for i in range(self._handle.output_count()))

    def _table(self, name: str) -> pandas.DataFrame:
        frame = tables_frame(self._handle, "table", lambda one: one if one == name else None, ASKED)
        return frame.drop(columns="table")

    def __repr__(self) -> str:
        name = next((line.split()[1] for line in self.text.splitlines() if line.startswith("machine ")), "machine")
        values = ", ".join(f"{row[0]} = {row[1]:.6g} {row[2]}".rstrip() for row in self._values())
        return f"<{name}: {values}>" if values else f"<{name}>"

    def __str__(self) -> str:
        return self.text

    def _values(self) -> list[tuple[str, float, str]]:
        """Name, value and unit of the parameters; none of times of several pairs."""
        if not self._has("parameters"):
            return []
        frame: Any = self.parameters
        return [(str(name), float(value), str(unit)) for name, value, unit in zip(frame["name"], frame["value"], frame["unit"])]

    def _repr_html_(self) -> str:
        said = preformatted(str(self._warnings)) if self._warnings else ""
        frame: Any = self.parameters
        notes = preformatted("\n".join(self.notes)) if self.notes else ""
        return str(frame._repr_html_()) + notes + said + preformatted(self.text)


def fit_machine(
    tool: str,
    files: Name | Iterable[Name],
    *,
    output: Name = "machine.wave",
    name: str = "",
    protocols: str = "",
    segments: int = 0,
    assume: Mapping[str, str | Quantity] | None = None,
    processes: Iterable[int] = (),
    within: Iterable[str] = (),
    pairs: Iterable[int] = (),
    tables: Iterable[int] = (),
    keep_outliers: bool = False,
    operation: str = "",
    sizes: str = "",
    decimal: str = ".",
    skip_missing: bool = False,
    errors: str = "relative",
    confidence: float = 0.95,
    **settings: Any,
) -> MachineFit:
    """Fits a machine to what a benchmark printed, as ``wave fit osu FILE -o machine.wave``. No file is written.

    Args:
        tool: ``"osu"``, ``"imb"``, ``"netgauge"``, ``"nccl"`` or ``"csv"``; ``"auto"`` finds out what each file is.
        files: a plain file, or several, of at most 64 MiB each.
        output: what the machine's file will be called, which stands in its text and names the machine unless `name` does.
        protocols: what the segments are, by size, ``"eager,eager,rendezvous"``; empty: they are found.
        segments: how many protocols there are, by size; 0: as many as a criterion finds.
        assume: parameters that the data do not tell from others, ``{"o": "1.2us"}``, as str or
            quantities.
        processes: of collective operations, for each file, or for each table that does not say.
        within: for each file what both ends of its messages share, ``["node", ""]``; with commas, for each of its tables.
        pairs: how many pairs exchanged at once, of tables that do not say; otherwise only times of so many are taken.
        tables: only these tables, as ``wave fit --explain`` numbers them.
        keep_outliers: leave no measurement out.
        operation: which collective operation a table with commas is of.
        sizes: only messages of these sizes, ``"1 KiB..64 KiB"``.
        decimal: what decimals begin with in a table with commas, ``"."`` or ``","``.
        skip_missing: whether rows of such a table that lack a number (an empty cell, NA, nan) are passed over.
        errors: ``"relative"`` or ``"absolute"``.
        confidence: how probably an interval holds the true value, 0.5 to 0.9999.
        settings: those of `open_program`; `seconds` is how long it may take.

    Raises `Error` if a file cannot be read, with its line, or holds too little. KeyboardInterrupt ends it.
    """
    named = [files] if isinstance(files, (str, os.PathLike)) else list(files)
    if not named:
        raise said(WrongValue, "`files` is empty: name a file")
    sides = list(within)
    if sides and len(sides) != len(named):
        raise said(WrongValue, f"`within` has {len(sides)} levels for {len(named)} files")
    options = options_of(
        output=os.fspath(output),
        name=name or None,
        protocol=protocols or None,
        segments=segments or None,
        assume=[f"{parameter}={_text(value)}" for parameter, value in (assume or {}).items()],
        processes=_listed(processes),
        pairs=_listed(pairs),
        tables=_listed(tables),
        keep_outliers=bool(keep_outliers),
        operation=operation or None,
        sizes=sizes or None,
        decimal=checked_decimal(decimal),
        skip_missing=bool(skip_missing),
        errors=errors_kind(errors),
        confidence=checked_confidence(confidence),
    )
    options.append(("FILE", tool))
    for at, file in enumerate(named):
        if sides:
            options.append(("within", sides[at]))
        options.append(("FILE", os.fspath(file)))
    handle, warnings, error = asked("fit", options, settings=settings)
    if error is not None:
        raise error
    return MachineFit(handle, warnings)


def _listed(numbers: Iterable[int]) -> str | None:
    return ",".join(str(operator.index(one)) for one in numbers) or None


def _text(value: object) -> str:
    found = quantity_of(value)
    return str(value) if found is None else as_expression(found)
