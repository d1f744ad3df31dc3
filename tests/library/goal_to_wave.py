"""Writes a GOAL schedule as a Wave model, for schedules in which each rank is one program: every operation begins after
the one before it, and requires of earlier ones that they are done.

An operation that `irequires` the one before begins when that has started. Sends and receives are written as isend and
irecv, with a wait where an operation requires them; a rank ends when everything is done.
"""

import re

OPERATION = re.compile(r"(\w+): (?:(calc) (\d+)|(send|recv) (\d+)b (?:to|from) (\d+)(?: tag (\d+))?)$")
DEPENDENCE = re.compile(r"(\w+) (i?)requires (\w+)$")


def read(path):
    """The operations of each rank: (kind, time or size, peer, tag, numbers of the operations that it requires)."""
    ranks, labels = {}, {}
    for line in path.read_text().splitlines():
        line = line.strip()
        if match := re.match(r"rank (\d+) \{", line):
            operations = ranks[int(match[1])] = []
            labels = {}
        elif match := OPERATION.match(line):
            labels[match[1]] = len(operations)
            kind = match[2] or match[4]
            operations.append((kind, int(match[3] or match[5]), int(match[6] or 0), int(match[7] or 0), []))
        elif match := DEPENDENCE.match(line):
            after, before = labels[match[1]], labels[match[3]]
            if match[2]:
                assert before == after - 1, "not one program"
            else:
                operations[after][4].append(before)
        elif line not in ("", "}") and not line.startswith("num_ranks"):
            raise ValueError(line)
    return [ranks[rank] for rank in sorted(ranks)]


def program(operations):
    waited, lines = set(), []

    def wait(numbers):
        for number in sorted(set(numbers)):
            if operations[number][0] != "calc" and number not in waited:
                waited.add(number)
                lines.append(f"wait o{number}")

    for number, (kind, amount, peer, tag, required) in enumerate(operations):
        wait(required)
        if kind == "calc":
            lines.append(f"compute({amount} ns)")
        else:
            verb, to = ("isend", "to") if kind == "send" else ("irecv", "from")
            lines.append(f"{verb} {amount} B {to} P[{peer + 1}] tag {tag} as o{number}")
    wait(range(len(operations)))
    return lines


def model(ranks, machine):
    """`machine`: its name and arguments. The output `finish` lists when each rank finishes, in ns."""
    lines = ["wave 1", "import std.machines.loggp { LogGOPSim }", "model Schedule {", f"  grid P[r: {len(ranks)}]",
             f"  process run on P using {machine} {{"]
    for rank, operations in enumerate(ranks):
        lines += [f"    if r == {rank + 1} {{"] + [f"      {line}" for line in program(operations)] + ["    }"]
    lines += ["  }", f"  output finish = [run.finish[r] for r in 1..{len(ranks)}] in ns", "}"]
    return "\n".join(lines) + "\n"
