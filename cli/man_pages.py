#!/usr/bin/env python3
"""Writes the manual pages of the program from what it says of itself.

usage: man_pages.py WAVE FOLDER [--compressed]    FOLDER/wave.1, and FOLDER/wave-VERB.1 for every verb, or .1.gz
"""
import gzip
import os
import re
import subprocess
import sys


def output_of(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


# Characters that the formatter would take for something else, or show as another one: a quote ends an argument of a
# macro, and an apostrophe becomes a closing quotation mark, with which no shell can do anything.
NAMES = str.maketrans({"\\": r"\e", "-": r"\-", '"': r"\(dq", "'": r"\(aq", "`": r"\(ga", "^": r"\(ha", "~": r"\(ti"})


def roff(text):
    """Text as it is: no line may begin with a command."""
    return re.sub(r"(?m)^(?=\.)", r"\\&", text.translate(NAMES))


def bold(text):
    return rf"\fB{roff(text)}\fR"


def command(text):
    """A line that can be copied: however narrow the page is, it is not broken."""
    return f".RS 4\n.nf\n{bold(text)}\n.fi\n.RE\n"


def parts_of(help_text):
    """The text before the first heading, and the lines below each heading."""
    parts, name = {"": []}, ""
    for line in help_text.splitlines():
        heading = re.fullmatch(r"([A-Z][a-z]+):", line)
        if heading or line.startswith("Exit codes:"):
            name = heading[1] if heading else "Exit"
            parts[name] = []
        if not heading:
            parts[name].append(line)
    return parts


def entries(lines):
    """What stands in the left column of a list, and what is said of it."""
    found = []
    for line in lines:
        if re.match(r"  \S", line):
            words = re.match(r"  (\S.*?)(?:\s{2,}(.*))?$", line)
            name = words[1].removesuffix(" REQUIRED").replace(",-", ", -")
            found.append([name, words[2] or ""])
        elif line.strip() and found:
            found[-1][1] += (" " if found[-1][1] else "") + line.strip()
    return found


def list_of(lines):
    return "".join(f".TP\n{bold(name)}\n{roff(text)}\n" for name, text in entries(lines))


def page(name, help_text, version, others):
    parts = parts_of(help_text)
    summary, usage = parts[""][0].rstrip("."), next(line for line in parts[""] if line.startswith("Usage: "))
    text = f'.TH {name.upper()} 1 "" "{roff(version)}" "Wave"\n.SH NAME\n{roff(name)} \\- {roff(summary)}\n'
    text += f".SH SYNOPSIS\n{bold(usage.removeprefix('Usage: '))}\n"
    for heading, title in (("Positionals", "ARGUMENTS"), ("Subcommands", "VERBS"), ("Options", "OPTIONS")):
        if heading in parts:
            text += f".SH {title}\n{list_of(parts[heading])}"
    if "Examples" in parts:
        text += ".SH EXAMPLES\n"
        for line in filter(str.strip, parts["Examples"]):
            text += command(line.strip()) if line.startswith("    ") else f".PP\n{roff(line.strip())}\n"
    exits = " ".join(parts.get("Exit", [])).split("`")[0].removeprefix("Exit codes: ").strip()
    text += f".SH EXIT STATUS\n{roff(exits)}\n"
    also = "\n".join(f".BR {roff(other)} (1){',' * (other != others[-1])}" for other in others)
    return text + f".SH SEE ALSO\n{also}\n.PP\nThe guide and the reference of the language are installed with the program, in share/doc/wave.\n"


def main():
    wave, folder, compressed = sys.argv[1], sys.argv[2], "--compressed" in sys.argv[3:]
    os.makedirs(folder, exist_ok=True)
    version, whole = output_of(wave, "--version").strip(), output_of(wave, "--help")
    verbs = [name for name, _ in entries(parts_of(whole)["Subcommands"])]
    pages = {"wave": page("wave", whole, version, [f"wave-{verb}" for verb in verbs])}
    for verb in verbs:
        pages[f"wave-{verb}"] = page(f"wave-{verb}", output_of(wave, verb, "--help"), version, ["wave"])
    for name, text in pages.items():
        data = gzip.compress(text.encode(), mtime=0) if compressed else text.encode()
        with open(os.path.join(folder, name + (".1.gz" if compressed else ".1")), "wb") as file:
            file.write(data)


if __name__ == "__main__":
    main()
