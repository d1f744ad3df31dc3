"""The names of parameters where IPython completes: ``m.run(n=…)``, ``m.run({"net.L": …})``."""

from __future__ import annotations

import re
import sys
from typing import Any

_CALL = re.compile(r"\b([A-Za-z_]\w*)\.(?:run|bind|batch|sweep|optimize|validate|fit)\(((?:[^()]|\([^()]*\))*)$")
_QUOTED = re.compile(r"""["'][\w.]*$""")
_done: set[int] = set()  # the shells that know


def install() -> None:
    """Has the shell that runs, if there is one, ask here."""
    module = sys.modules.get("IPython")
    shell: Any = module.get_ipython() if module is not None and hasattr(module, "get_ipython") else None
    if shell is None or id(shell) in _done or not hasattr(shell, "set_custom_completer"):
        return
    _done.add(id(shell))
    shell.set_custom_completer(_matches)


def _matches(completer: Any, text: str) -> list[str]:
    """What IPython asks for: the completions of the word before the cursor."""
    before = str(completer.text_until_cursor)
    found = _CALL.search(before)
    return [] if found is None else completions(completer.namespace.get(found[1]), found[2], text)


def completions(model: object, arguments: str, text: str) -> list[str]:
    """Those of a word `text` at the end of the arguments of a call."""
    from wavemodel._models import Model

    if not isinstance(model, Model):
        return []
    quotes = arguments.count('"') + arguments.count("'")
    if quotes % 2 and _QUOTED.search(arguments):
        return [name for name in model.params if name.startswith(text)]
    if arguments.rstrip().endswith(("=", "[", "{", ":")) or re.search(r"=\s*[^,\s]*$", arguments):
        return []
    return [f"{name}=" for name in model.params if name.isidentifier() and name.startswith(text)]
