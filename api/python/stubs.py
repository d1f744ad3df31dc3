#!/usr/bin/env python3
"""Writes the stub of the extension module: what type checkers know of it, by the signatures that pybind11 notes in the
docstrings of classes and functions.

stubs.py MODULE STUB
"""

import importlib.util
import inspect
import re
import sys
from types import ModuleType, WrapperDescriptorType
from typing import Iterator

NAME = "wavemodel._wave"
HEAD = """# libwave's handles. Handles close themselves; an `int` that says `unit` is 0 (seconds, bytes, flop) or 1 (what the model
# asks for). Everything may raise wavemodel.Error. Made by stubs.py.
import collections.abc
import typing
from typing import Any, Callable, Dict, List, Optional, Tuple, Union, overload

from wavemodel._errors import Error
"""


def loaded(file: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(NAME, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def signatures(name: str, member: object) -> list[str]:
    """`(self, index: int) -> float`, once for each overload."""
    found = re.findall(rf"^(?:\d+\. )?{name}(\(.*\) -> .*)$", inspect.getdoc(member) or "", re.MULTILINE)
    texts = [re.sub(r"\(self: \w+", "(self", one.replace(f"{NAME}.", "")) for one in found if "*args" not in one]
    if not texts:
        raise ValueError(f"`{name}` has no signature")
    return [re.sub(r": (?:\w+\.)*[Bb]uffer\b", ": Any", one) for one in texts]  # an array of whatever kind


def function(name: str, member: object, is_static: bool = False) -> Iterator[str]:
    all_signatures = signatures(name, member)
    for one in all_signatures:
        yield from ["@overload"] * (len(all_signatures) > 1) + ["@staticmethod"] * is_static
        yield f"def {name}{one}: ..."


def functions(kind: type) -> Iterator[str]:
    """But for what pybind11 gives to all classes, and the constructor of one that has none."""
    for name, member in vars(kind).items():
        is_own = callable(member) and not isinstance(member, WrapperDescriptorType)
        if isinstance(member, staticmethod) or is_own and (name == "__init__" or not name.startswith("_")):
            yield from function(name, getattr(kind, name), isinstance(member, staticmethod))


def stub(module: ModuleType) -> Iterator[str]:
    for name, member in vars(module).items():
        if inspect.isclass(member):
            yield f"\nclass {name}:"
            yield from [f"    {line}" for line in functions(member)] or ["    ..."]
        elif not name.startswith("_"):
            yield from function(name, member) if callable(member) else [f"{name}: {type(member).__name__}"]


if __name__ == "__main__":
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write(HEAD + "\n" + "\n".join(stub(loaded(sys.argv[1]))) + "\n")
