"""How the points of a sweep are divided into parts: by time alone. No clock, no executor: times are arguments."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

#: How long a part should take: hundreds of times what its submission costs.
WANTED_SECONDS = 0.25
#: A part is at most this many times as large as the largest that came back.
GROWTH = 8
#: The most points of a part of which each has a row, since its rows are one message.
MOST_POINTS = 1 << 18
#: The most parts that are out at once where the number of workers is not known.
MOST_OUT = 1024
#: Towards the end, a worker gets its share divided by this. The rest evens out parts that take longer than others.
PART_OF_SHARE = 2
#: But no part is made to take less than this part of its time.
LEAST_PART = 1 / 16
#: A part that is out this many times as long as it should be is late.
LATE = 10
#: No part should be back sooner than this.
LEAST_EXPECTED_SECONDS = 1.0
#: The same before the first part is back, when it is not known how long a point takes.
LATE_AT_FIRST_SECONDS = 60.0


class Part(NamedTuple):
    begin: int
    end: int
    tries: int = 1

    @property
    def points(self) -> int:
        return self.end - self.begin

    def __str__(self) -> str:
        if self.points == 1:
            return f"point {self.begin + 1}"
        return f"the points {self.begin + 1} to {self.end}"


class Division:
    """Ranges of points from the first to the last. The first part is a single point, each may be eight times
    as large as the largest that came back, and towards the end they shrink, so that workers end together."""

    def __init__(self, ranges: list[tuple[int, int]], workers: int | None, most_points: int = MOST_POINTS) -> None:
        self.begin(ranges)
        self._most_points = most_points
        self._is_known = workers is not None
        self._seen: set[str] = set()
        self._largest = 0
        self._seconds_each = 0.0
        #: How many parts may be out.
        self.room = workers or 1

    def begin(self, ranges: list[tuple[int, int]]) -> None:
        """Another pass, in which points take as long as in the one before."""
        self._open = deque(Part(begin, end) for begin, end in ranges)
        self._left = sum(part.points for part in self._open)  # in no part that is out

    def next(self) -> Part | None:
        """None: all that is left is out."""
        if not self._open:
            return None
        first = self._open.popleft()
        # A part that did not come back is submitted as it was: a larger one could end the next worker, too.
        end = first.end if first.tries > 1 else min(first.end, first.begin + self._size())
        if end < first.end:
            self._open.appendleft(Part(end, first.end))
        self._left -= end - first.begin
        return Part(first.begin, end, first.tries)

    def done(self, part: Part, end: int, seconds: float, worker: str) -> None:
        """The part came back with the points before `end`, which took a worker that time."""
        if end < part.end:
            self._put_back(Part(end, part.end))
        self._largest = max(self._largest, end - part.begin)
        self._seconds_each = seconds / (end - part.begin)
        if not self._is_known:
            self._seen.add(worker)
            self.room = min(2 * len(self._seen), MOST_OUT)  # the second half is for those of which no part came back

    def lost(self, part: Part) -> None:
        """It did not come back, and is submitted once more, before all else."""
        self._put_back(Part(part.begin, part.end, part.tries + 1))

    def late_after(self, part: Part) -> float:
        """The seconds after which something is wrong with a part that is out."""
        if self._largest == 0:
            return LATE_AT_FIRST_SECONDS
        return LATE * max(self.expected(part), LEAST_EXPECTED_SECONDS)

    def expected(self, part: Part) -> float:
        """How many seconds it should be out; 0 where that is not known."""
        return self._seconds_each * part.points

    def _put_back(self, part: Part) -> None:
        self._open.appendleft(part)
        self._left += part.points

    def _size(self) -> int:
        if self._largest == 0:
            return 1
        share = self._left // (self.room * PART_OF_SHARE) + 1
        wanted = max(min(self._points_in(WANTED_SECONDS), share), self._points_in(WANTED_SECONDS * LEAST_PART))
        return max(1, min(wanted, self._largest * GROWTH, self._most_points))

    def _points_in(self, seconds: float) -> int:
        return int(min(max(seconds / max(self._seconds_each, 1e-12), 1), self._most_points))
