#!/usr/bin/env python3
"""What schedules take by the rules of LogGOPSim, computed without Wave and without LogGOPSim.

The rules are those of its published source: a send starts when its processor and its interface are free, keeps the one
for o and the other for g + (s - 1) G; its first byte arrives o + L after it started. A message is taken in when it has
arrived and processor and interface are free; it keeps the processor for o + (s - 1) G and the interface for
g + (s - 1) G. Above S the sender is done when the message has met its receive, otherwise after o. A program is a list
of steps, a step a list of operations that begin together. Prints microseconds, for the default parameters:

    loggopsim.py
    loggopsim.py --check stdlib/tests/machines/loggp.wave      that the test expects these numbers
"""
import heapq

import lists_of_times

L, o, g, G, S = 2.5, 1.5, 1.0, 0.006, 65535


def rounds(p):
    k = 0
    while 2 ** k < p:
        k += 1
    return k


def dissemination(p, s):
    return [[[("send", (r + 2 ** k) % p, k, s), ("recv", (r - 2 ** k) % p, k)] for k in range(rounds(p))] for r in range(p)]


def total_exchange(p, s):
    return [[[("send", (r + k) % p, k, s), ("recv", (r - k) % p, k)] for k in range(1, p)] for r in range(p)]


def broadcast(p, s):
    programs = [[] for _ in range(p)]
    for k in range(rounds(p)):
        for parent in range(2 ** k):
            if parent + 2 ** k < p:
                programs[parent].append([("send", parent + 2 ** k, k, s)])
                programs[parent + 2 ** k].append([("recv", parent, k)])
    return programs


def run(programs):
    p = len(programs)
    cpu, tx, rx, step, left = [0.0] * p, [0.0] * p, [0.0] * p, [-1] * p, [0] * p
    posted, unexpected, queue, number = set(), {}, [], 0

    def push(time, *event):
        nonlocal number
        number += 1
        heapq.heappush(queue, (time, number, event))

    def begin_next(r):
        step[r] += 1
        if step[r] < len(programs[r]):
            left[r] = len(programs[r][step[r]])
            for operation in programs[r][step[r]]:
                push(max(cpu[r], tx[r]) if operation[0] == "send" else cpu[r], operation[0], r, *operation[1:])

    def done(r):
        left[r] -= 1
        if left[r] == 0:
            begin_next(r)

    for r in range(p):
        begin_next(r)
    while queue:
        now, _, event = heapq.heappop(queue)
        kind, r, other, tag = event[:4]
        stream = max(event[4] - 1, 0) * G if len(event) > 4 else 0.0
        if kind == "send":
            if max(cpu[r], tx[r]) > now:
                push(max(cpu[r], tx[r]), *event)
                continue
            cpu[r], tx[r] = now + o, now + g + stream
            push(now + o + L, "message", other, r, tag, event[4])
            if event[4] <= S:
                done(r)
        elif kind == "recv":
            if (r, other, tag) in unexpected:
                if unexpected[r, other, tag] > S:
                    cpu[other], tx[other] = max(cpu[other], now), max(tx[other], now)
                    done(other)
                done(r)
            else:
                posted.add((r, other, tag))
        elif max(cpu[r], rx[r]) > now:
            push(max(cpu[r], rx[r]), *event)
        else:
            cpu[r], rx[r] = now + o + stream, now + g + stream
            if (r, other, tag) in posted:
                if event[4] > S:
                    cpu[other], tx[other] = max(cpu[other], now), max(tx[other], now)
                    done(other)
                done(r)
            else:
                unexpected[r, other, tag] = event[4]
    assert all(step[r] == len(programs[r]) for r in range(p))
    return max(cpu)


def main():
    counts, sizes = [2, 3, 5, 8, 11, 16], [1, 1001, 100001]
    computed = {f"{schedule.__name__} of {s} B": [run(schedule(p, s)) for p in counts]
                for schedule in (dissemination, broadcast, total_exchange) for s in sizes}
    lists_of_times.report(counts, computed)


if __name__ == "__main__":
    main()
