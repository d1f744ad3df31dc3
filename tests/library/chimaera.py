"""Eqs (1) to (8) and (11) to (13) of Mudalige 2009, and the sweeps followed message by message, written a second time.

`chimaera.py` prints the values that the tests of the library quote. `chimaera.py ROOT WAVE` compares the library's
Chimaera with them at more points. Times in microseconds, sizes in bytes.
"""

import csv
import io
import itertools
import math
import subprocess
import sys

NW, NE, SW, SE = (1, 1), (-1, 1), (1, -1), (-1, -1)
CHIMAERA = [NE, NE, SE, NW, SE, NW, SW, SW]
SWEEP3D = [NE, NE, SE, SE, NW, NW, SW, SW]
LU = [NW, SE]


class SP2:
    """PPoPP'99, eqs (1) to (4), with the values of Table 1 for Fortran; the allreduce of CENG 95-15, Table 6."""

    L = 23.0

    def o(self, s):
        return 23.0 if s <= 1024 else 47.0

    def G(self, s):
        return 0.07 if s <= 1024 else 0.03

    def waits(self, s):
        return s >= 4096

    def send(self, s):
        return 23.0 + self.L + 23.0 + 23.0 + self.L + 47.0 if self.waits(s) else self.o(s)

    def recv(self, s):
        # The acknowledgement travels, the sender starts, the data travel.
        return 23.0 + self.L + 47.0 + s * 0.03 + self.L + 47.0 if self.waits(s) else self.o(s)

    def total(self, s):
        if self.waits(s):
            return 23.0 + self.L + 23.0 + self.recv(s)
        return self.o(s) + self.L + s * self.G(s) + self.o(s)

    def allreduce(self, p):
        return 50.0 * math.log2(p) + 16.0 if p > 1 else 0.0


class Free:
    """Messages cost nothing."""

    def waits(self, s):
        return False

    def send(self, s):
        return 0.0

    recv = total = send

    def allreduce(self, p):
        return 0.0


def fills(order):
    """n_full, n_diag along i and along j: how far each sweep keeps the next one waiting, and the drain."""
    full, along_i, along_j = 1, 0, 0
    for before, after in zip(order, order[1:]):
        differs = (before[0] != after[0], before[1] != after[1])
        full += differs == (True, True)
        along_i += differs == (True, False)
        along_j += differs == (False, True)
    return full, along_i, along_j


def plug_and_play(net, order, n, m, tiles, W, W_pre, EW, NS, rest):
    """Eqs (3) to (8), of equal processors."""
    start = {}
    for i, j in itertools.product(range(1, n + 1), range(1, m + 1)):
        ways = []
        if i > 1:
            ways.append(start[i - 1, j] + W + net.total(EW) + net.recv(NS))
        if j > 1:
            ways.append(start[i, j - 1] + W + net.send(EW) + net.total(NS))
        start[i, j] = max(ways, default=W_pre)
    stack = (net.recv(EW) + net.recv(NS) + W + net.send(EW) + net.send(NS) + W_pre) * tiles - W_pre
    full, along_i, along_j = fills(order)
    return along_j * start[1, m] + along_i * start[n, 1] + full * start[n, m] + len(order) * stack + rest


def eta(n, m, i, j):
    if i + j >= (m + n) / 2:
        return 8
    if m / 2 < i + j or n / 2 < i + j:
        return 4
    return 2


def all_at_once(net, n, m, tiles, W, W_pre, EW, NS, rest):
    """Table 3: eqs (11) to (13), with messages of double length."""
    EW, NS = 2 * EW, 2 * NS
    start = {}
    for i, j in itertools.product(range(1, n + 1), range(1, m + 1)):
        ways = []
        if i > 1:
            ways.append(start[i - 1, j] + eta(n, m, i - 1, j) * (W + 0.5 * (net.total(EW) + net.recv(NS))))
        if j > 1:
            ways.append(start[i, j - 1] + eta(n, m, i, j - 1) * (W + 0.5 * (net.send(EW) + net.total(NS))))
        start[i, j] = max(ways, default=W_pre)
    steady = tiles - (m + n - 1)
    stack = 0.0
    if steady > 0:
        stack = 8 * (0.5 * (net.recv(EW) + net.recv(NS)) + W + 0.5 * (net.send(EW) + net.send(NS)) + W_pre) * steady
        stack -= W_pre
    return 2 * start[n, m] + stack + rest


class Message:
    """One message, and what its two ends know about it."""

    def __init__(self, size):
        self.size = size
        self.leaves = None  # when the request, or the data, reach the other end
        self.called = None  # from when the sender can answer an acknowledgement
        self.answered = None  # when the acknowledgement reaches the sender


def followed(net, n, m, work, W, W_pre, EW, NS, background):
    """When the last processor is done. Each runs `work(i, j)`, a list of corners: a tile for each, as in Listing 1.

    With `background`, a send that must wait for its receiver does so without the processor."""
    places = list(itertools.product(range(1, n + 1), range(1, m + 1)))
    channels = {}

    def message(sender, corner, axis, k, size):
        return channels.setdefault((sender, corner, axis, k), Message(size))

    def send(clock, msg):
        """Steps of a send; yields while its receiver has not come."""
        if not net.waits(msg.size):
            clock += net.send(msg.size)
            msg.leaves = clock + (net.total(msg.size) - net.send(msg.size) - net.recv(msg.size))
            return clock
        clock += 23.0
        msg.called = clock
        msg.leaves = clock + net.L + 23.0
        if background:
            return clock
        while msg.answered is None:
            yield clock
        return max(clock, msg.answered) + 47.0

    def receive(clock, msg):
        while msg.leaves is None:
            yield clock
        if not net.waits(msg.size):
            return max(clock, msg.leaves) + net.recv(msg.size)
        clock = max(clock, msg.leaves) + 23.0
        msg.answered = clock + net.L
        data = max(msg.called, msg.answered) + 47.0 + msg.size * 0.03 + net.L
        return max(clock, data) + 47.0

    def program(i, j):
        clock, served = 0.0, {}
        for corner in work(i, j):
            k = served[corner] = served.get(corner, 0) + 1
            a, b = corner
            clock += W_pre
            for axis, (x, y), size in ((0, (i - a, j), EW), (1, (i, j - b), NS)):
                if 1 <= x <= n and 1 <= y <= m:
                    clock = yield from receive(clock, message((x, y), corner, axis, k, size))
            clock += W
            for axis, (x, y), size in ((0, (i + a, j), EW), (1, (i, j + b), NS)):
                if 1 <= x <= n and 1 <= y <= m:
                    clock = yield from send(clock, message((i, j), corner, axis, k, size))
        return clock

    running = {place: program(*place) for place in places}
    finish = {}
    while running:
        for place in list(running):
            try:
                next(running[place])
            except StopIteration as done:
                finish[place] = done.value
                del running[place]
    return max(finish.values())


def in_turn(net, order, n, m, tiles, W, W_pre, EW, NS, rest):
    return followed(net, n, m, lambda i, j: [corner for corner in order for _ in range(tiles)],
                    W, W_pre, EW, NS, background=False) + rest


def at_once(net, n, m, tiles, W, W_pre, EW, NS, rest):
    """The tiles of all corners by hops from the corner plus tile; two sweeps of a corner go together."""

    def work(i, j):
        def hops(corner):
            a, b = corner
            return (i - 1 if a > 0 else n - i) + (j - 1 if b > 0 else m - j)

        steps = [(hops(corner) + tile, place, corner)
                 for place, corner in enumerate([NW, NE, SW, SE]) for tile in range(tiles)]
        return [corner for _, _, corner in sorted(steps)]

    return followed(net, n, m, work, 2 * W, 2 * W_pre, 2 * EW, 2 * NS, background=True) + rest


def chimaera(way, exact, n, m, N=240, planes=240, Wg=1.4, shift=0.0, net=SP2()):
    """Chimaera on a volume of N x N x planes cells, as its parameters in the library have it."""
    all_work = Wg * N / n * N / m
    EW, NS = 80.0 * N / m, 80.0 * N / n
    arguments = dict(n=n, m=m, tiles=planes, W=(1 - shift) * all_work, W_pre=shift * all_work, EW=EW, NS=NS,
                     rest=net.allreduce(n * m))
    if way == "all_cores":
        return (at_once if exact else all_at_once)(net, **arguments)
    if way == "separate_cores":
        for name in ("W", "W_pre", "EW", "NS"):
            arguments[name] *= 2
        return (in_turn if exact else plug_and_play)(net, [NW], **arguments)
    return (in_turn if exact else plug_and_play)(net, CHIMAERA, **arguments)


def quoted():
    """What the tests of the library quote."""
    print("plug_and_play.wave")
    print("  Chimaera, 16 x 16, 5 us:", chimaera("none", False, 16, 16, Wg=5.0), chimaera("none", True, 16, 16, Wg=5.0))
    for n, m in ((8, 8), (16, 16), (4, 8)):
        cells = 162 / n * 162 / m
        arguments = dict(n=n, m=m, tiles=160, W=cells, W_pre=0.4 * cells, EW=40 * 162 / m, NS=40 * 162 / n,
                         rest=SP2().allreduce(n * m))
        print(f"  LU, {n} x {m}:", plug_and_play(SP2(), LU, **arguments), in_turn(SP2(), LU, **arguments))
    for order in (SWEEP3D, CHIMAERA):
        print("  plain:", plug_and_play(SP2(), order, 4, 6, 40, 50.0, 10.0, 480.0, 320.0, 0.0))
    print("simultaneous.wave")
    for n, m, planes, shift in ((4, 4, 20, 0.0), (4, 6, 20, 0.25), (6, 3, 4, 0.0), (3, 3, 12, 1.0)):
        values = [chimaera(way, exact, n, m, N=24, planes=planes, Wg=5.0, shift=shift)
                  for way in ("all_cores", "separate_cores") for exact in (False, True)]
        print(f"  {n} x {m}, 24 x 24 x {planes}, 5 us, shift {shift}:", *values)
    print("  2 x 2, 240 x 240 x 6, 5 us:",
          *(chimaera("all_cores", exact, 2, 2, N=240, planes=6, Wg=5.0) for exact in (False, True)))
    print("chimaera.wave, without messages, in tiles of one sweep at 64 x 64 processors and 240 planes")
    for shift in (0.0, 1.0):
        print(f"  shift {shift}:", plug_and_play(Free(), CHIMAERA, 64, 64, 240, 1 - shift, shift, 0, 0, 0))
    print("  all cores, and at 128 x 128:", *(all_at_once(Free(), side, side, 240, 1, 0, 0, 0, 0) for side in (64, 128)))


def library(root, wave, **given):
    """The library's iteration and exact at the same point."""
    words = [wave, "run", f"{root}/stdlib/std/applications/chimaera.wave", "--format", "csv", "-D", "net=SP2()"]
    for name, value in given.items():
        words += ["-D", f"{name}={value}"]
    rows = csv.DictReader(io.StringIO(subprocess.run(words, check=True, capture_output=True, text=True).stdout))
    seconds = {row["output"]: float(row["value"]) for row in rows if row["unit"] == "s"}
    return 1e6 * seconds["iteration"], 1e6 * seconds["exact"]


def compared(root, wave):
    points = [("all_cores", 1, 1, 24, 5, 0.0), ("all_cores", 5, 4, 24, 12, 0.5), ("all_cores", 7, 7, 24, 3, 0.0),
              ("all_cores", 2, 3, 240, 8, 0.25), ("separate_cores", 4, 5, 24, 12, 0.0),
              ("separate_cores", 3, 2, 24, 12, 0.75), ("none", 4, 5, 24, 12, 0.25), ("none", 3, 2, 240, 8, 1.0)]
    wrong = 0
    for way, n, m, N, planes, shift in points:
        found = library(root, wave, simultaneous=way, n=n, m=m, Nx=N, Ny=N, Nz=planes, shift=shift, Wg="1.4 us")
        due = [chimaera(way, exact, n, m, N=N, planes=planes, shift=shift) for exact in (False, True)]
        good = all(math.isclose(a, b, rel_tol=1e-9) for a, b in zip(found, due))
        wrong += not good
        print("ok  " if good else "WRONG", way, f"{n} x {m}, {N} x {N} x {planes}, shift {shift}:", *found)
        if not good:
            print("due:", *due)
    return wrong


if __name__ == "__main__":
    if len(sys.argv) == 3:
        sys.exit(1 if compared(sys.argv[1], sys.argv[2]) else 0)
    quoted()
