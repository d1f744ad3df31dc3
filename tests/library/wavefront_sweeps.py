#!/usr/bin/env python3
"""Sweeps over a grid of processors, evaluated from first principles: the numbers that std.wavefront is tested by.

Every processor runs its program against a clock of its own, message by message (Listing 1 of Mudalige 2009, the
protocols of PPoPP'99); beside it stand eqs (1) to (8), written out for cells that are dealt whole. Nothing here knows
the language.

usage: wavefront_sweeps.py FILE [accept]
The lines between `// wavefront_sweeps.py` and `// end` in FILE are what this prints; with `accept` they become it.
"""
import math
import random
import sys

CORNERS = {"NW": (1, 1), "NE": (-1, 1), "SW": (1, -1), "SE": (-1, -1)}
SWEEP3D = ["NE", "NE", "SE", "SE", "NW", "NW", "SW", "SW"]
CHIMAERA = ["NE", "NE", "SE", "NW", "SE", "NW", "SW", "SW"]
LU = ["NW", "SE"]


class SP2:
    """Table 1 of PPoPP'99, in microseconds and bytes."""
    G_s, G_l, L_remote = 0.07, 0.03, 23.0

    def __init__(self, o_s=23.0, o_l=47.0, L_local=23.0):
        self.o_s, self.o_l, self.L_local = o_s, o_l, L_local

    def o(self, s):
        return self.o_s if s <= 1024 else self.o_l

    def wire(self, s):
        return s * (self.G_s if s <= 1024 else self.G_l)

    def L(self, local):
        return self.L_local if local else self.L_remote

    def waits(self, s):
        return s >= 4096

    # Eqs (1) to (4b).
    def total(self, s, local):
        if not self.waits(s):
            return self.o(s) + self.wire(s) + self.L(local) + self.o(s)
        return 3 * self.o_s + 3 * self.L(local) + 2 * self.o_l + self.wire(s)

    def send(self, s, local):
        return 3 * self.o_s + 2 * self.L(local) + self.o_l if self.waits(s) else self.o(s)

    def recv(self, s, local):
        return self.o_s + 2 * self.L(local) + 2 * self.o_l + self.wire(s) if self.waits(s) else self.o(s)


def whole_cells(cells, parts):
    return [cells // parts + (1 if k < cells % parts else 0) for k in range(parts)]


def even_cells(cells, parts):
    return [cells / parts] * parts


class Case:
    def __init__(self, order, n, m, Nx, Ny, tiles, Wg, Wg_pre, EW, NS, machine, side=1, whole=True, shift=0.0):
        vars(self).update(locals())
        deal = whole_cells if whole else even_cells
        self.x, self.y = deal(Nx, n), deal(Ny, m)

    def work(self, i, j):
        return self.Wg * self.x[i] * self.y[j]

    def W(self, i, j):
        return (1 - self.shift) * self.work(i, j)

    def W_pre(self, i, j):
        return self.Wg_pre * self.x[i] * self.y[j] + self.shift * self.work(i, j)

    def local(self, a, b):
        return all(p // self.side == q // self.side for p, q in zip(a, b))

    # The program of one processor: ("work", time), ("send", to, size) and ("recv", from, size).
    def program(self, i, j):
        ops = []
        for corner in self.order:
            di, dj = CORNERS[corner]
            for _ in range(self.tiles):
                ops.append(("work", self.W_pre(i, j)))
                for step, size in (((di, 0), self.EW * self.y[j]), ((0, dj), self.NS * self.x[i])):
                    upwind = (i - step[0], j - step[1])
                    if self.inside(upwind):
                        ops.append(("recv", upwind, size))
                ops.append(("work", self.W(i, j)))
                for step, size in (((di, 0), self.EW * self.y[j]), ((0, dj), self.NS * self.x[i])):
                    downwind = (i + step[0], j + step[1])
                    if self.inside(downwind):
                        ops.append(("send", downwind, size))
        return ops

    def inside(self, place):
        return 0 <= place[0] < self.n and 0 <= place[1] < self.m

    # When the last processor finishes. Messages between two processors are matched in order.
    def exact(self):
        machine = self.machine
        places = [(i, j) for i in range(self.n) for j in range(self.m)]
        program = {p: self.program(*p) for p in places}
        at = {p: 0 for p in places}
        clock = {p: 0.0 for p in places}
        arrived = {}    # (from, to) -> arrival times of eager messages
        waiting = {}    # (from, to) -> when the request arrives of a sender that waits for its receiver
        moved = True
        while moved:
            moved = False
            for p in places:
                while at[p] < len(program[p]):
                    op = program[p][at[p]]
                    if op[0] == "work":
                        clock[p] += op[1]
                    elif op[0] == "send":
                        L = machine.L(self.local(p, op[1]))
                        if machine.waits(op[2]):
                            if (p, op[1]) not in waiting:
                                clock[p] += machine.o_s
                                waiting[p, op[1]] = clock[p] + L + machine.o_s
                                moved = True
                            break    # the receiver continues the sender
                        clock[p] += machine.o(op[2])
                        arrived.setdefault((p, op[1]), []).append(clock[p] + L + machine.wire(op[2]))
                    else:
                        channel = (op[1], p)
                        if machine.waits(op[2]):
                            if channel not in waiting:
                                break
                            L = machine.L(self.local(*channel))
                            ready = max(clock[p], waiting.pop(channel)) + machine.o_s
                            clock[op[1]] = max(clock[op[1]], ready + L) + machine.o_l
                            clock[p] = max(ready, clock[op[1]] + machine.wire(op[2]) + L) + machine.o_l
                            at[op[1]] += 1
                        else:
                            if not arrived.get(channel):
                                break
                            clock[p] = max(clock[p], arrived[channel].pop(0)) + machine.o(op[2])
                    at[p] += 1
                    moved = True
        assert all(at[p] == len(program[p]) for p in places), "a deadlock"
        return max(clock.values())

    # Eqs (1) to (8), with the costs of Table 3 of PPoPP'99 on nodes.
    def iteration(self):
        machine, start = self.machine, {}
        for i in range(self.n):
            for j in range(self.m):
                EW, NS, ways = self.EW * self.y[j], self.NS * self.x[i], []
                if i > 0:
                    west = self.local((i - 1, j), (i, j))
                    ways.append(start[i - 1, j] + self.W(i - 1, j) + machine.total(EW, west) + machine.recv(NS, west))
                if j > 0:
                    north = self.local((i, j - 1), (i, j))
                    sent = self.EW * self.y[j - 1]
                    ways.append(start[i, j - 1] + self.W(i, j - 1) + machine.send(sent, north) + machine.total(NS, north))
                start[i, j] = max(ways) if ways else self.W_pre(0, 0)
        fills = {"i": 0, "j": 0, "full": 1}
        for before, after in zip(self.order, self.order[1:]):
            turns = (CORNERS[before][0] != CORNERS[after][0], CORNERS[before][1] != CORNERS[after][1])
            kind = {(True, True): "full", (True, False): "i", (False, True): "j"}.get(turns)
            if kind:
                fills[kind] += 1
        per_tile = self.W(0, 0) + self.W_pre(0, 0)
        for size in (self.EW * self.y[0], self.NS * self.x[0]):
            if self.side == 1 or machine.waits(size):
                per_tile += machine.recv(size, False) + machine.send(size, False)
            else:
                per_tile += max(machine.recv(size, False) + machine.send(size, True),
                                machine.recv(size, True) + machine.send(size, False))
        return (fills["j"] * start[0, self.m - 1] + fills["i"] * start[self.n - 1, 0]
                + fills["full"] * start[self.n - 1, self.m - 1]
                + len(self.order) * (per_tile * self.tiles - self.W_pre(0, 0)))

    def call(self):
        machine = {23.0: "SP2()", 16.0: "SP2_C()"}[self.machine.o_s]
        if self.side > 1:
            machine = f"SP2_SMP(L_local = {self.machine.L_local:g} us)"
        words = [f"net = {machine}", "corners = [" + ", ".join(self.order) + "]", f"n = {self.n}", f"m = {self.m}",
                 f"Nx = {self.Nx}", f"Ny = {self.Ny}", f"Nz = {self.tiles}", f"Wg = {self.Wg:g} us",
                 f"Wg_pre = {self.Wg_pre:g} us", f"EW_cell = {self.EW:g} B", f"NS_cell = {self.NS:g} B"]
        if self.side > 1:
            words += [f"node_i = {self.side}", f"node_j = {self.side}"]
        if self.shift:
            words.append(f"shift = {self.shift:g}")
        if self.whole:
            words.append("split = by_whole_cells")
        lines = ["  let w = Wavefront("]
        for number, word in enumerate(words):
            word += ")" if number + 1 == len(words) else ","
            if len(lines[-1]) + 1 + len(word) > 120:
                lines.append(" " * 20 + word)
            else:
                lines[-1] += word if number == 0 else " " + word
        return lines


def cases():
    fortran, c = SP2(), SP2(16.0, 36.0)
    yield "eager messages", Case(SWEEP3D, 4, 4, 18, 23, 5, 0.7, 0, 48, 40, fortran)
    yield "messages that wait", Case(SWEEP3D, 4, 4, 18, 23, 5, 0.7, 0, 1200, 1000, fortran)
    yield "messages of both kinds", Case(CHIMAERA, 5, 3, 23, 16, 4, 1.5, 0, 800, 1000, fortran)
    yield "work before the receives", Case(LU, 3, 6, 13, 33, 7, 1, 0.4, 40, 40, c)
    yield "one column of processors", Case(SWEEP3D, 1, 5, 9, 23, 6, 2, 0.1, 480, 480, c)
    yield "one row of processors", Case(SWEEP3D, 5, 1, 23, 9, 6, 2, 0.1, 1200, 480, c)
    yield "a grid without inner processors", Case(SWEEP3D, 2, 2, 9, 11, 6, 0.5, 0, 120, 1000, fortran)
    yield "nodes, eager messages", Case(SWEEP3D, 4, 4, 18, 23, 5, 0.7, 0, 48, 40, SP2(L_local=5.0), side=2)
    yield "nodes, messages that wait", Case(CHIMAERA, 4, 6, 18, 33, 4, 0.7, 0.2, 1200, 1000, SP2(L_local=5.0), side=2)
    yield "nodes that are not full", Case(LU, 5, 3, 23, 13, 6, 1, 0.4, 400, 1200, SP2(L_local=8.0), side=2)
    yield "work moved before the receives", Case(CHIMAERA, 4, 4, 18, 23, 5, 0.7, 0, 480, 400, c, shift=0.25)
    yield "equal parts", Case(SWEEP3D, 4, 5, 18, 24, 5, 0.7, 0.1, 480, 400, fortran, whole=False)
    one_more = (SWEEP3D, 8, 8, 161, 161, 50, 10, 0)
    yield "one row and one column with one cell more", Case(*one_more, 240, 240, fortran)
    yield "one row and one column with one cell more, small messages", Case(*one_more, 10, 10, fortran)
    choose = random.Random(1999)
    for number in range(1, 13):
        n, m = choose.randint(1, 6), choose.randint(1, 6)
        order = [choose.choice(list(CORNERS)) for _ in range(choose.randint(1, 6))]
        yield f"point {number}", Case(order, n, m, n * choose.randint(2, 6) + choose.randint(0, n - 1),
                                      m * choose.randint(2, 6) + choose.randint(0, m - 1), choose.randint(1, 8),
                                      choose.randint(1, 60) / 8, choose.randint(0, 4) / 8,
                                      8 * choose.randint(1, 200), 8 * choose.randint(1, 200), choose.choice([fortran, c]))


def main():
    lines = []
    for title, case in cases():
        iteration, exact = case.iteration(), case.exact()
        lines += [f'test "whole cells: {title}" {{' if case.whole else f'test "equal parts of cells" {{',
                  *case.call(),
                  f"  expect w.iteration == {iteration:.4f} us within 0.001 us",
                  f"  expect w.exact == {exact:.4f} us within 0.001 us", "}"]
    with open(sys.argv[1]) as file:
        text = file.read()
    head, rest = text.split("// wavefront_sweeps.py\n")
    tail = rest.split("// end\n")[1]
    wanted = head + "// wavefront_sweeps.py\n" + "\n".join(lines) + "\n// end\n" + tail
    if sys.argv[2:] == ["accept"]:
        with open(sys.argv[1], "w") as file:
            file.write(wanted)
    elif wanted != text:
        for line in lines:
            if line not in text:
                print("not in", sys.argv[1] + ":", line)
        sys.exit(1)


if __name__ == "__main__":
    main()
