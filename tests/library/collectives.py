#!/usr/bin/env python3
"""Expected values of the algorithms of std.comm, computed without Wave.

Every process is a list of steps ("send", to, tag, size) and ("recv", from, tag); a message takes o at the sender, then
L + (s - 1) G on its way, then o at the receiver, and the interface at either end is busy with it for g + (s - 1) G from
when it comes, or is free. Prints, in
microseconds, what each algorithm takes with the default parameters of LogGOPSim as LogGP has them, or with those given:

    collectives.py [L o g G]
    collectives.py --check stdlib/tests/comm.wave      that the test expects these numbers
"""
import heapq
import sys

import lists_of_times


def rounds(p):
    k = 0
    while 2 ** k < p:
        k += 1
    return k


def dissemination(p, s):
    for r in range(p):
        yield [step for k in range(rounds(p)) for step in
               (("send", (r + 2 ** k) % p, k, 0), ("recv", (r - 2 ** k) % p, k))]


def members_below(root, k, p):
    """The processes that get their data through `root`, which joins a binomial tree in round k."""
    group = [root]
    for j in range(k + 1, rounds(p)):
        group += [q + 2 ** j for q in group if q + 2 ** j < p]
    return len(group)


def tree(p, size, to_root):
    """A binomial tree of messages; `size(process, k)` is that of the one between a process and its parent."""
    programs = [[] for _ in range(p)]
    for k in (reversed(range(rounds(p))) if to_root else range(rounds(p))):
        for parent in range(2 ** k):
            child = parent + 2 ** k
            if child >= p:
                continue
            sender, receiver = (child, parent) if to_root else (parent, child)
            programs[sender].append(("send", receiver, k, size(child, k)))
            programs[receiver].append(("recv", sender, k))
    return programs


def total_exchange(p, s):
    for r in range(p):
        yield [step for k in range(1, p) for step in (("send", (r + k) % p, k, s), ("recv", (r - k) % p, k))]


def circular_shift(p, s):
    for r in range(p):
        yield [("send", (r + 1) % p, 0, s), ("recv", (r - 1) % p, 0)] if p > 1 else []


def recursive_doubling(p, s):
    q = 1
    while 2 * q <= p:
        q *= 2
    for r in range(p):
        program = []
        if r >= q:
            program.append(("send", r - q, "fold", s))
        elif r + q < p:
            program.append(("recv", r + q, "fold"))
        bit = 1
        while r < q and bit < q:
            program += [("send", r ^ bit, bit, s), ("recv", r ^ bit, bit)]
            bit *= 2
        if r + q < p and r < q:
            program.append(("send", r + q, "result", s))
        elif r >= q:
            program.append(("recv", r - q, "result"))
        yield program


def scan(p, s):
    for r in range(p):
        program = []
        for k in range(rounds(p)):
            if r + 2 ** k < p:
                program.append(("send", r + 2 ** k, k, s))
            if r - 2 ** k >= 0:
                program.append(("recv", r - 2 ** k, k))
        yield program


def run(programs, L, o, g, G):
    programs = [list(program) for program in programs]
    clock, at = [0.0] * len(programs), [0] * len(programs)
    tx, rx, passed = [0.0] * len(programs), [0.0] * len(programs), {}
    coming = []  # messages by time of arrival, then by sender: the order in which the receiver takes them in
    while True:
        for r, program in enumerate(programs):
            while at[r] < len(program):
                kind, other, tag = program[at[r]][:3]
                if kind == "send":
                    stream = max(program[at[r]][3] - 1, 0) * G
                    clock[r] += o
                    leaves = max(clock[r], tx[r])
                    tx[r] = leaves + g + stream
                    heapq.heappush(coming, (leaves + L + stream, r, other, tag, g + stream))
                elif (other, r, tag) in passed:
                    clock[r] = max(clock[r], passed[other, r, tag]) + o
                else:
                    break
                at[r] += 1
        if not coming:
            break
        arrival, sender, receiver, tag, busy = heapq.heappop(coming)
        passed[sender, receiver, tag] = max(arrival, rx[receiver])
        rx[receiver] = passed[sender, receiver, tag] + busy
    assert all(at[r] == len(program) for r, program in enumerate(programs))
    return max(clock)


ALGORITHMS = {
    "barrier": dissemination,
    "broadcast": lambda p, s: tree(p, lambda child, k: s, False),
    "reduce": lambda p, s: tree(p, lambda child, k: s, True),
    "gather": lambda p, s: tree(p, lambda child, k: s * members_below(child, k, p), True),
    "scatter": lambda p, s: tree(p, lambda child, k: s * members_below(child, k, p), False),
    "total_exchange": total_exchange,
    "circular_shift": circular_shift,
    "allreduce": recursive_doubling,
    "scan": scan,
}
SIZE = 1001
COUNTS = [1, 2, 3, 5, 8, 11, 16]


def main():
    L, o, g, G = map(float, sys.argv[1:5]) if len(sys.argv) == 5 else (2.5, 1.5, 1.0, 0.006)
    computed = {name: [run(algorithm(p, SIZE), L, o, g, G) for p in COUNTS] for name, algorithm in ALGORITHMS.items()}
    lists_of_times.report(COUNTS, computed)


if __name__ == "__main__":
    main()
