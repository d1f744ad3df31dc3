"""The lists of times in a test: `[0 us, 5.5 us]` is (0.0, 5.5)."""
import re
import sys


def in_file(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    lists = re.findall(r"\[([\d. us,\n]+)\]", text)
    return {tuple(float(number) for number in re.findall(r"([\d.]+) us", each)) for each in lists}


def missing(paths, computed):
    """Names the computed lists, a name for each, that the tests do not have; they agree to a picosecond."""
    known = {each for path in paths for each in in_file(path)}
    return [name for name, times in computed.items()
            if not any(len(each) == len(times) and all(abs(a - b) < 1e-6 for a, b in zip(each, times)) for each in known)]


def report(counts, computed):
    """Prints the lists as a table; with `--check FILE ...` ends with an error that names those that the tests lack."""
    if sys.argv[1:2] == ["--check"]:
        lacking = missing(sys.argv[2:], computed)
        sys.exit(f"{' and '.join(sys.argv[2:])} expect other times: {', '.join(lacking)}" if lacking else 0)
    width = 1 + max(len(name) for name in computed)
    print("p".ljust(width), *(str(p).rjust(10) for p in counts))
    for name, times in computed.items():
        print(name.ljust(width), *(f"{time:10.3f}" for time in times))
