#!/usr/bin/env python3
"""What calls of the Python package cost: runs, runs with other names in turns, reads.

usage: python_calls.py

Finds `wavemodel` as Python does: PYTHONPATH=build/release/python. Of each call the least of many short measurements, in us.
"""
import timeit

import wavemodel as wm

TEXT = "wave 1\nmodel M { param n: int = 4; param L: time = 1 us; param m: int = 2; output t = n * L * m in us }"
SHORT, TURNS = 20, 2000


def least(call):
    call()
    return min(timeit.repeat(call, number=SHORT, repeat=TURNS)) / SHORT * 1e6


def main():
    model = wm.loads(TEXT)
    result = model.run()

    def others():
        model.run(n=8)
        model.run(L=2e-6)

    run = least(lambda: model.run(n=8))
    in_turns = least(others) / 2
    first = least(lambda: model.run(n=8).t) - run
    rows = [
        ("a run", run),
        ("a run, with other names in turns", in_turns),
        ("a run with a quantity of another unit", least(lambda: model.run(L=wm.Quantity(2.0, "us")))),
        ("the first read of `r.t`", first),
        ("a further read of `r.t`", least(lambda: result.t)),
        ("a read of `r[\"t\"]`", least(lambda: result["t"])),
        ("a read of `r.asked.t`", least(lambda: result.asked.t)),
    ]
    for what, cost in rows:
        print(f"{what:40} {cost:8.2f} us")
    print(f"other names in turns, beside one: {in_turns / run:.2f}")


if __name__ == "__main__":
    main()
