"""What mypy must understand of the package's types: it is checked, and never run."""

from concurrent.futures import ThreadPoolExecutor
from typing import Mapping, Optional

import numpy

import wavemodel as wm


def uses(model: wm.Model) -> float:
    result: wm.Result = model.run({"net.L": "5 us"}, n=8)
    columns: Mapping[str, object] = model.batch({"n": numpy.arange(3)}, ["total"])
    lower, upper = model.params["n"].range
    points: int = model.sweep(n=[1, 2], machine=["SP2()"]).points
    with ThreadPoolExecutor() as pool:
        points += model.sweep(n=[1, 2], executor=pool, workers=2, journal="points.journal").points
    points += model.program.study("grids", where="n > 1").points
    best: wm.Reduced = model.sweep(n=[1, 2], reduce="best 1 of total", options={"where": ["n > 1", "n < 9"]})
    points += best.points
    chart: wm.Chart = model.sweep(n=[1, 2]).plot("total", x="n", on="log, linear")
    title: object = chart.spec["title"]
    result.timeline("p").save("timeline.html")
    found: wm.Optimum = model.optimize(["total", "share"], {"n": range(4)}, maximize=[True, False], subject_to="n > 1")
    bound: Optional[wm.Quantity] = found.bound if found.proved else None
    model.run(**found.best)
    wm.interact(model, ["total"], n=3)
    fit: wm.Fit = model.fit({"n": [1, 2], "total": [1.0, 2.0]}, ["Wg"], bounds={"Wg": (None, 1e-6), "net.L": "..1us"})
    errors: wm.Validation = fit.model.validate("measured.csv", where=["n > 1"])
    model.run(**fit.values)
    machine: wm.MachineFit = wm.fit_machine("osu", ["latency.txt"], assume={"o": "1us"}, seconds=10)
    predicted: object = fit.predict({"n": [3]})
    kinds: tuple[type[Exception], ...] = (wm.UnknownName, wm.WrongDimension, wm.OutOfTime)
    in_si: object = model.sweep(n=[wm.Quantity(3.0)]).si.df, model.batch({"net": ["SP2()"]}, codes=True)
    worst: object = errors.df["error"][errors.worst] + fit.standard_errors["Wg"]
    total = result["total"]
    assert isinstance(total, wm.Quantity) and len(columns) > 0 and title and worst and machine.text and kinds and predicted and in_si
    return total + points + (bound or 0) + (lower or 0) + (upper or 0)
