"""Models that several tests ask."""

import os
import pathlib
from typing import Callable

import pytest

import wavemodel as wm

SOURCE = pathlib.Path(os.environ["WAVE_SOURCE"])
PROGRAM = os.environ["WAVE_PROGRAM"]

PING = """wave 1
type Costs { total: time, parts: int }

/// A message and back.
model Ping {
  param n: int = 4 in 1..1000000000000           /// messages
  param L: time = 2 us
  param way: eager | rendezvous = eager
  param name: string = "ping"
  param twice: bool = false
  output total = n * L * (if twice then 2 else 1) in ms   /// all of them
  output count = n + 1
  output fast = way == eager
  output title = name
  output costs = Costs(total = n * L, parts = n)
  output each = [i * L for i in 1..n]
  output rows = [Costs(total = i * L, parts = i) for i in 1..n]
}
"""


@pytest.fixture
def ping() -> wm.Model:
    return wm.loads(PING)


@pytest.fixture
def sweep3d() -> wm.Model:
    return wm.load(SOURCE / "examples/sweep3d/sweep3d.wave")


@pytest.fixture
def refuses() -> Callable[..., str]:
    """Makes a call that must raise an exception of a kind, and gives its text."""

    def made(kind: type[Exception], call: Callable[..., object], *arguments: object, **named: object) -> str:
        with pytest.raises(kind) as caught:
            call(*arguments, **named)
        assert isinstance(caught.value, kind)
        return str(caught.value)

    return made
