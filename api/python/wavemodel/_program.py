"""The program `wave`, where a wheel has it beside the package."""

from __future__ import annotations

import os
import sys
from typing import NoReturn


def main() -> NoReturn:
    program = os.path.join(os.path.dirname(__file__), "bin", "wave")
    try:
        os.execv(program, ["wave", *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"wave: {program} cannot be run: {error.strerror}")
