#!/usr/bin/env python3
"""Expected values of the algorithms of std.comm, computed without Wave. Sizes are real numbers: a third of 1001 B.

Every process is a list of steps ("send", to, tag, size) and ("recv", from, tag); a message takes o at the sender, then
L for its first byte and (s - 1) G for the others, then o at the receiver. The interface at either end is busy with it
for g + (s - 1) G from when its first byte comes there, or from when the interface is free. Prints, in microseconds, what
each algorithm takes with the default parameters of LogGOPSim as LogGP has them, or with those given:

    collectives.py [L o g G]
    collectives.py --check stdlib/tests/comm.wave stdlib/tests/collectives.wave      that the tests expect these numbers
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


def bruck_exchange(p, s):
    for r in range(p):
        yield [step for k in range(rounds(p)) for step in
               (("send", (r + 2 ** k) % p, k, s * sum(part >> k & 1 for part in range(p))), ("recv", (r - 2 ** k) % p, k))]


def scattered(p, size):
    """Batches of 32, of which each process sends all and then takes all in; `size(a, b)` is what a has for b."""
    for r in range(p):
        program = []
        for first in range(0, p, 32):
            others = [k for k in range(first, min(first + 32, p)) if k > 0]
            program += [("send", (r - k) % p, k, size(r, (r - k) % p)) for k in others]
            program += [("recv", (r + k) % p, k) for k in others]
        yield program


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


def exchange(other, tag, sent):
    return [("send", other, tag, sent), ("recv", other, tag)]


def ring_rounds(p, size, number):
    for r in range(p):
        yield [step for k in range(number) for step in (("send", (r + 1) % p, k, size), ("recv", (r - 1) % p, k))]


def pairwise(p, size):
    for r in range(p):
        yield [step for k in range(1, p) for step in (("send", (r + k) % p, k, size), ("recv", (r - k) % p, k))]


def bruck(p, s):
    for r in range(p):
        program, have = [], 1
        while have < p:
            count = min(have, p - have)
            program += [("send", (r - have) % p, have, s * count), ("recv", (r + have) % p, have)]
            have += count
        yield program


def in_blocks(p, first, last, middle):
    """What the first of each pair and all that have no pair do among themselves, as `middle(members, me)` says: a member
    is a list of the ranks that it stands for. The second of a pair sends `first` before, and is sent `last` after."""
    q = 1
    while 2 * q <= p:
        q *= 2
    pairs = p - q
    members = [[2 * i, 2 * i + 1] for i in range(pairs)] + [[r] for r in range(2 * pairs, p)]
    programs = [[] for _ in range(p)]
    for i, member in enumerate(members):
        program = middle(members, i)
        if len(member) == 2:
            a, b = member
            programs[b] = [("send", a, "fold", first), ("recv", a, "result")]
            program = [("recv", b, "fold"), *program, ("send", b, "result", last)]
        programs[member[0]] = program
    return programs


def doubling_allgather(p, s):
    def middle(members, i):
        held, program, bit = {i}, [], 1
        while bit < len(members):
            program += exchange(members[i ^ bit][0], bit, s * sum(len(members[j]) for j in held))
            held |= {j ^ bit for j in held}
            bit *= 2
        return program
    return in_blocks(p, s, s * p, middle)


def halving_reduce_scatter(p, s):
    def middle(members, i):
        kept, program, bit = set(range(len(members))), [], len(members) // 2
        while bit:
            given = {j for j in kept if (j ^ i) & bit}
            program += exchange(members[i ^ bit][0], bit, s / p * sum(len(members[j]) for j in given))
            kept -= given
            bit //= 2
        return program
    return in_blocks(p, s, s / p, middle)


def rabenseifner(p, s):
    def middle(members, i):
        rounds_of = []
        size, bit = s / 2, 1
        while bit < len(members):
            rounds_of.append((members[i ^ bit][0], bit, size))
            size, bit = size / 2, 2 * bit
        return [step for other, bit, size in rounds_of for step in exchange(other, ("down", bit), size)] + \
            [step for other, bit, size in reversed(rounds_of) for step in exchange(other, ("up", bit), size)]
    programs = in_blocks(p, s / 2, s, middle)
    for program in programs:  # before the fold, the two of a pair exchange halves
        for step in program:
            if step[2] == "fold":
                program[:0] = exchange(step[1], "half", s / 2)
                break
    return programs


def one_after_the_other(parts):
    """Several algorithms, with tags of their own."""
    joined = None
    for n, programs in enumerate(parts):
        tagged = [[(kind, other, (n, tag), *size) for kind, other, tag, *size in program] for program in programs]
        joined = [a + b for a, b in zip(joined, tagged)] if joined else tagged
    return joined


def rabenseifner_reduce(p, s):
    def middle(members, i):
        program, size, bit = [], s / 2, 1
        while bit < len(members):
            program += exchange(members[i ^ bit][0], ("down", bit), size)
            size, bit = size / 2, 2 * bit
        while bit > 1:  # parts are gathered at the first member, whoever has none of the bits above
            size, bit = size * 2, bit // 2
            if i < bit:
                program.append(("recv", members[i + bit][0], ("up", bit)))
            elif i < 2 * bit:
                program.append(("send", members[i - bit][0], ("up", bit), size))
        return program
    programs = in_blocks(p, s, 0, middle)
    return [[step for step in program if step[2] != "result"] for program in programs]


def scatter_then(p, s, allgather):
    scattered = tree(p, lambda child, k: s / p * members_below(child, k, p), False)
    return one_after_the_other([scattered, allgather])


def in_segments(p, s, to_root):
    sizes = []
    while s > 0:
        sizes.append(min(s, SEGMENT))
        s -= SEGMENT
    return one_after_the_other([tree(p, lambda child, k, size=size: size, to_root) for size in sizes])


def uneven(a, b):
    return 1000 * (a + 1) + 10 * (b + 1)


def run(programs, L, o, g, G):
    programs = [list(program) for program in programs]
    clock, at = [0.0] * len(programs), [0] * len(programs)
    tx, rx, passed = [0.0] * len(programs), [0.0] * len(programs), {}
    coming = []  # messages by arrival of the first byte, then by sender: the order in which the receiver takes them in
    while True:
        for r, program in enumerate(programs):
            while at[r] < len(program):
                kind, other, tag = program[at[r]][:3]
                if kind == "send":
                    stream = max(program[at[r]][3] - 1, 0) * G
                    clock[r] += o
                    leaves = max(clock[r], tx[r])
                    tx[r] = leaves + g + stream
                    heapq.heappush(coming, (leaves + L, r, other, tag, stream))
                elif (other, r, tag) in passed:
                    clock[r] = max(clock[r], passed[other, r, tag]) + o
                else:
                    break
                at[r] += 1
        if not coming:
            break
        arrival, sender, receiver, tag, stream = heapq.heappop(coming)
        begins = max(arrival, rx[receiver])
        passed[sender, receiver, tag] = begins + stream
        rx[receiver] = begins + g + stream
    assert all(at[r] == len(program) for r, program in enumerate(programs))
    return max(clock)


ALGORITHMS = {
    "barrier": dissemination,
    "broadcast": lambda p, s: tree(p, lambda child, k: s, False),
    "reduce": lambda p, s: tree(p, lambda child, k: s, True),
    "gather": lambda p, s: tree(p, lambda child, k: s * members_below(child, k, p), True),
    "scatter": lambda p, s: tree(p, lambda child, k: s * members_below(child, k, p), False),
    "pairwise_total_exchange": total_exchange,
    "scattered_total_exchange": lambda p, s: scattered(p, lambda a, b: s),
    "bruck_total_exchange": bruck_exchange,
    "circular_shift": circular_shift,
    "allreduce": recursive_doubling,
    "scan": scan,
    "ring_allgather": lambda p, s: ring_rounds(p, s, p - 1),
    "bruck_allgather": bruck,
    "recursive_doubling_allgather": doubling_allgather,
    "ring_reduce_scatter": lambda p, s: ring_rounds(p, s / p, p - 1),
    "pairwise_reduce_scatter": lambda p, s: pairwise(p, s / p),
    "recursive_halving_reduce_scatter": halving_reduce_scatter,
    "ring_allreduce": lambda p, s: ring_rounds(p, s / p, 2 * (p - 1)),
    "rabenseifner_allreduce": rabenseifner,
    "scatter_doubling_broadcast": lambda p, s: scatter_then(p, s, doubling_allgather(p, s / p)),
    "scatter_ring_broadcast": lambda p, s: scatter_then(p, s, ring_rounds(p, s / p, p - 1)),
    "segmented_broadcast": lambda p, s: in_segments(p, s, False),
    "rabenseifner_reduce": rabenseifner_reduce,
    "segmented_reduce": lambda p, s: in_segments(p, s, True),
    "alltoallv": lambda p, s: scattered(p, uneven),
}
SIZE = 1001
SEGMENT = 300
COUNTS = [1, 2, 3, 5, 8, 11, 16]
MANY = [33, 64, 65, 100]  # of a scattered exchange: more than a batch


def main():
    L, o, g, G = map(float, sys.argv[1:5]) if len(sys.argv) == 5 else (2.5, 1.5, 1.0, 0.006)
    computed = {name: [run(algorithm(p, SIZE), L, o, g, G) for p in COUNTS] for name, algorithm in ALGORITHMS.items()}
    computed["scattered, many"] = [run(scattered(p, lambda a, b: SIZE), L, o, g, G) for p in MANY]
    lists_of_times.report(COUNTS, computed)


if __name__ == "__main__":
    main()
