"""Charts: what Wave draws of results, as specifications, drawings and pages."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from wavemodel import _wave
from wavemodel._errors import Error
from wavemodel._files import replace_file
from wavemodel._frozen import Frozen
from wavemodel._results import BREAKDOWN

if TYPE_CHECKING:
    from wavemodel._results import Result
    from wavemodel._sweeps import Sweep

VEGA_LITE, SVG, PNG, HTML, WORDS, PDF = range(6)
_FORMS = {".json": VEGA_LITE, ".svg": SVG, ".png": PNG, ".pdf": PDF, ".html": HTML}
_SCALES = {"linear": 1, "log": 2}
_MIME = "application/vnd.vegalite.v5+json"


class Chart(Frozen):
    """A chart of results, in the colours and with the axes of Wave's reports. Notebooks show it: with tooltips where they
    know Vega-Lite, else as a drawing.

    >>> import wavemodel as wm
    >>> m = wm.loads("wave 1\\nmodel M { param n: int; param L: time = 3 us; output total = n * L in us }")
    >>> chart = m.sweep(n=[1, 2, 4]).plot("total")
    >>> chart.spec["encoding"]["y"]["axis"]["title"]
    'total [us]'
    """

    def __init__(self, handle: _wave.Plot, *made_by: Any) -> None:
        self._handle = handle
        self._made_by = made_by  # a function of this file, and what it takes

    def __reduce__(self) -> tuple[Any, ...]:
        return self._made_by[0], self._made_by[1:]

    @property
    def spec(self) -> dict[str, Any]:
        """The specification of Vega-Lite 5, with its data. A new dict each time, to be changed at will."""
        import json

        spec: dict[str, Any] = json.loads(self._handle.draw(VEGA_LITE))
        # What Wave draws with is a later version, which means the same by all that these specifications use.
        spec["$schema"] = "https://vega.github.io/schema/vega-lite/v5.json"
        return spec

    def to_dict(self) -> dict[str, Any]:
        """The same as `spec`."""
        return self.spec

    def to_svg(self) -> str:
        """A drawing. Needs the drawing module, Debian's package wave-pictures."""
        return self._handle.draw(SVG).decode()

    def to_html(self) -> str:
        """A page, which needs no network: the chart with tooltips, and its numbers as a table."""
        return self._handle.draw(HTML).decode()

    def save(self, file: str | os.PathLike[str]) -> None:
        """Writes it in the form that the name ends with: ``.json``, ``.svg``, ``.png``, ``.pdf`` or ``.html``. The file
        is written whole or not at all: what it held before stays until the new one is on the disk."""
        end = os.path.splitext(os.fspath(file))[1].lower()
        if end not in _FORMS:
            raise ValueError(f"the name of a chart ends with {', '.join(_FORMS)}, and not with `{end}`")
        if end == ".json":
            import json

            written = (json.dumps(self.spec, ensure_ascii=False, indent=1) + "\n").encode()
        else:
            written = self._handle.draw(_FORMS[end])
        replace_file(os.fspath(file), written)

    def __repr__(self) -> str:
        return " ".join(self._handle.draw(WORDS).decode().split())

    def _repr_mimebundle_(self, include: Iterable[str] | None = None, exclude: Iterable[str] | None = None) -> Any:
        """For notebooks. The drawing is no HTML, which JupyterLab would take before Vega-Lite, and no SVG, from which
        nbconvert takes away all but the words."""
        import base64

        data: dict[str, Any] = {"text/plain": repr(self), _MIME: self.spec}
        metadata: dict[str, Any] = {}
        try:
            png = self._handle.draw(PNG)
            data["image/png"] = base64.b64encode(png).decode()
            metadata["image/png"] = _size_on_page(png)
        except Error as error:
            data["text/plain"] += f"\n({error.diagnostics[0]['message']})"
        wanted = {kind for kind in data if (not include or kind in include) and kind not in (exclude or ())}
        return tuple({kind: one[kind] for kind in one if kind in wanted} for one in (data, metadata))


def chart_of_lines(sweep: Sweep, y: str, x: str | None, by: str | None, on: str | None) -> Chart:
    x_scale, y_scale = _scales(on)
    drawn = _wave.Plot(sweep._whole, y, x, by, x_scale, y_scale)
    return Chart(drawn, chart_of_lines, sweep, y, x, by, on)


def chart_of_parts(result: Result, output: str | None) -> Chart:
    parts = result._bound_model()._asked().explain(BREAKDOWN, [] if output is None else [output])
    return Chart(_wave.Plot(parts, None, None, None, 0, 0), chart_of_parts, result, output)


def chart_of_timeline(result: Result, process: str | None) -> Chart:
    drawn = _wave.Plot.timeline(result._bound_model()._asked(), process)
    return Chart(drawn, chart_of_timeline, result, process)


def _scales(on: str | None) -> tuple[int, int]:
    words = [word.strip() for word in on.split(",")] if on is not None else []
    if len(words) > 2 or any(word not in _SCALES for word in words):
        raise ValueError(f"`on` does not take {on!r}, but \"log\", \"linear\", or one for each axis: \"log, linear\"")
    return (_SCALES[words[0]], _SCALES[words[-1]]) if words else (0, 0)


def _size_on_page(png: bytes) -> dict[str, int]:
    """Images have two pixels for each unit, which pages must be told. Both numbers stand in the first part of the file."""
    return {"width": int.from_bytes(png[16:20], "big") // 2, "height": int.from_bytes(png[20:24], "big") // 2}
