"""Why the extension module cannot be loaded. Runs on every version of Python 3, so that it can say so."""

import os
import re
import sys


def trouble_of(error: ImportError, folder: str = os.path.dirname(__file__)) -> str:
    """What an ImportError of the extension module means, in words."""
    own = "cpython-%d%d" % sys.version_info[:2]
    names = [name for name in os.listdir(folder) if name.startswith("_wave.")]
    built = [found for found in (re.search(r"cpython-3(\d+)-", name) for name in names) if found]
    versions = sorted(set("3.%s" % found.group(1) for found in built), key=lambda one: int(one[2:]))
    if sys.implementation.name == "cpython" and any(own + "-" in name for name in names):
        return "wavemodel cannot load libwave: %s" % error
    if not versions:
        return "wavemodel has no extension module in %s: install it as a package, or build it" % folder
    this = "%s %d.%d" % (sys.implementation.name.replace("cpython", "CPython"), sys.version_info[0], sys.version_info[1])
    return "this wavemodel is built for CPython %s, and this is %s: install one for it, or run that version" % (
        " and ".join(versions), this)
