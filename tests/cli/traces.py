#!/usr/bin/env python3
"""Checks that `wave trace` writes what viewers and simulators expect.

Of a trace: ids from 1, names, slices inside each other, an arrow for every message that binds to a slice at either end.
Of shared resources: as many services as were counted, on tracks with names, of which no two overlap.
Of a schedule: no message of no bytes, and computations of a rank that add up to its own, rounded once.
usage: traces.py WAVE FOLDER
"""
import collections
import json
import re
import subprocess
import sys

TINY = 1e-9  # microseconds; times are decimal fractions of picoseconds


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True)


def check_trace(text, messages, processes):
    events = json.loads(text)["traceEvents"]
    names = collections.Counter(event["name"] for event in events if event["ph"] == "M")
    assert names["process_name"] == 1 and names["thread_name"] == processes, names
    assert all(event["pid"] == 1 and event.get("tid", 1) >= 1 for event in events)
    slices = collections.defaultdict(list)
    for event in events:
        if event["ph"] == "X":
            slices[event["tid"]].append((event["ts"], event["ts"] + event["dur"]))
    assert set(slices) == set(range(1, processes + 1))
    for one in slices.values():
        around = []
        for begin, end in one:  # in the order of the text, an inner slice follows the outer one
            while around and around[-1] <= begin + TINY:
                around.pop()
            assert not around or end <= around[-1] + TINY, (begin, end, around)
            around.append(end)
    arrows = collections.defaultdict(dict)
    for event in events:
        if event["ph"] not in "sf":
            continue
        assert event["id"] >= 1 and event["ph"] not in arrows[event["id"]], event
        assert event["ph"] == "s" or event["bp"] == "e", event
        arrows[event["id"]][event["ph"]] = event
        at = event["ts"]
        assert any(begin - TINY <= at <= end + TINY for begin, end in slices[event["tid"]]), event
    assert len(arrows) == messages, (len(arrows), messages)
    assert all(set(ends) == {"s", "f"} and ends["s"]["ts"] <= ends["f"]["ts"] for ends in arrows.values())
    return {event["name"] for event in events if event.get("cat") == "phase"}


def check_services(text, services):
    events = [event for event in json.loads(text)["traceEvents"] if event["pid"] == 2]
    tracks = {event["tid"]: event["args"]["name"] for event in events if event["name"] == "thread_name"}
    assert len(set(tracks.values())) == len(tracks) > 0, tracks
    shown = [event for event in events if event["ph"] == "X"]
    assert len(shown) == services, (len(shown), services)
    free = collections.defaultdict(float)
    for event in shown:
        assert event["tid"] in tracks and event["args"]["bytes"] > 0, event
        assert free[event["tid"]] <= event["ts"] + TINY, event
        free[event["tid"]] = event["ts"] + event["dur"]


def check_schedule(text, computed):
    ranks = re.findall(r"rank (\d+) {\n(.*?)}", text, re.DOTALL)
    assert len(ranks) == len(computed)
    for rank, program in ranks:
        assert not re.search(r" 0b ", program), program
        total = sum(int(time) for time in re.findall(r": calc (\d+)", program))
        assert abs(total - computed[int(rank)]) <= 0.5, (rank, total, computed)


def main():
    wave, folder = sys.argv[1:]
    for arguments in ([], ["-D", "s=1 KiB"], ["-D", "net.o=2 us", "-D", "net.L=10 us"],
                      ["-D", "net.L=0.7 ns", "-D", "s=1 KiB"], ["-D", "steps=7", "-D", "net.o=0.4 ns"]):
        command = [wave, "trace", f"{folder}/traced.wave", *arguments]
        counts = json.loads(output_of(wave, "run", f"{folder}/traced.wave", *arguments, "--format", "json").stdout)
        computed = [row[0] for row in counts["tables"]["computed"]["rows"]]
        phases = check_trace(output_of(*command).stdout, counts["tables"]["messages"]["value"], len(computed))
        assert phases == {"halo", "post", "close"}, phases
        check_schedule(output_of(*command, "--goal").stdout, computed)
    shared = f"{folder}/shared.wave"
    counted = json.loads(output_of(wave, "count", shared, "--format", "json").stdout)
    services = sum(row[1] for row in counted["tables"]["across.resources"]["rows"])
    check_services(output_of(wave, "trace", shared).stdout, services)
    print("ok")


if __name__ == "__main__":
    main()
