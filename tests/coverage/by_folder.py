#!/usr/bin/env python3
"""What the tests execute, folder by folder, from what gcovr has found (`./dev coverage`).

by_folder.py COVERAGE.json              a table of lines and branches by folder
by_folder.py COVERAGE.json --missed F   the lines that nothing executes, in files whose path contains F
"""
import argparse
import json
import os
import re

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
folders = re.compile(r"^(backend/\w+|frontend/\w+|analysis/\w+|cli/\w+|\w+)/")
# Code that says itself that it is never reached has no line to be covered.
never = re.compile(r"__builtin_unreachable|std::abort\(\)|std::terminate\(\)|LCOV_EXCL_LINE")

lambda_head = re.compile(r"\[[&=]?[\w, &]*\]\s*(\(.*\))?.*\{$")


def lines_of(path):
    try:
        with open(os.path.join(root, path)) as text:
            return text.read().splitlines()
    except OSError:
        return []


def is_code(text):
    """GCC counts the end of a function, where it destroys what an exception would leave, as a line of its own."""
    return text.strip(" })];,") != "" and not never.search(text)


def counts_of(lines, texts):
    """How often each line of code was executed. GCC forgets some lines that begin a lambda; if its body ran, so did they."""
    counts = {}
    below = 0
    for line in sorted(lines, key=lambda one: -one["line_number"]):
        number = line["line_number"]
        text = texts[number - 1] if number <= len(texts) else ""
        if line.get("gcovr/noncode") or not is_code(text):
            continue
        begins_lambda = lambda_head.search(text)
        below = counts[number] = line["count"] or (below if begins_lambda else 0)
    return counts


def ranges(numbers):
    """[3, 4, 5, 9] as 3-5, 9."""
    runs = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("coverage")
    parser.add_argument("--missed")
    options = parser.parse_args()
    with open(options.coverage) as found:
        files = json.load(found)["files"]
    totals = {}
    for file in sorted(files, key=lambda one: one["file"]):
        folder = folders.match(file["file"])
        if folder is None:
            continue
        total = totals.setdefault(folder.group(1), [0, 0, 0, 0])
        texts = lines_of(file["file"])
        missed = []
        counts = counts_of(file["lines"], texts)
        for line in file["lines"]:
            number = line["line_number"]
            if number not in counts:
                continue
            total[0] += counts[number] > 0
            total[1] += 1
            if counts[number] == 0:
                missed.append(number)
            branches = [one for one in line["branches"] if not one.get("throw")]
            total[2] += sum(one["count"] > 0 for one in branches)
            total[3] += len(branches)
        if options.missed is not None and options.missed in file["file"] and missed:
            print(f"{file['file']}: {ranges(missed)}")
            for number in missed:
                print(f"  {number:5}  {texts[number - 1].strip()}")
    if options.missed is not None:
        return
    print("| folder | lines | executed | branches | taken |\n|---|---|---|---|---|")
    for folder, (lines, all_lines, branches, all_branches) in sorted(totals.items()):
        part = lambda some, whole: f"{100 * some / whole:.1f} %" if whole else ""
        print(f"| `{folder}/` | {all_lines} | {part(lines, all_lines)} | {all_branches} | {part(branches, all_branches)} |")


if __name__ == "__main__":
    main()
