# Builds a clone of Wave with Spack. docs/releasing.md says how.
import os
import re

from spack.package import *

try:  # from Spack 1.0 on, `spack.package` leaves these out
    from spack_repo.builtin.build_systems.cmake import CMakePackage
except ImportError:
    pass

_root = os.path.realpath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 4))


def _version_of_clone():
    with open(os.path.join(_root, "CMakeLists.txt")) as lists:
        return re.search(r"^project\(wave VERSION ([\d.]+)", lists.read(), re.M).group(1)


class Wave(CMakePackage):
    """Predicts how long parallel programs take, from models in a language of its own."""

    license("Apache-2.0")
    version(_version_of_clone())

    variant("otf2", default=False, description="Read traces in OTF2")
    variant("python", default=True, description="Build the Python package wavemodel")

    # The versions of Debian 12, with which Wave is tested: code of this tool fits this runtime.
    depends_on("antlr4-complete@4.7.2", type="build")
    depends_on("antlr4-cpp-runtime@4.9")
    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("java@8:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3.9:", type="build")
    depends_on("boost@1.74:")
    depends_on("cli11@2.1:")
    depends_on("eigen@3.4:")
    depends_on("fmt@9:")
    depends_on("llvm@19.1:19")
    depends_on("nlohmann-json@3.11:")
    depends_on("nlopt@2.7: +cxx")
    depends_on("tomlplusplus@3.3:")
    depends_on("otf2@3:", when="+otf2")
    with when("+python"):
        extends("python@3.9:")
        depends_on("py-pybind11@2.10:", type="build")
        depends_on("py-numpy", type="run")

    generator("ninja")

    def cmake_args(self):
        tool = os.path.join(self.spec["antlr4-complete"].prefix.bin, "antlr-complete.jar")
        return [
            # A command with its arguments, which CMake takes as a list.
            self.define("WAVE_ANTLR", "{0};-jar;{1}".format(self.spec["java"].prefix.bin.java, tool)),
            self.define_from_variant("WAVE_OTF2", "otf2"),
            self.define_from_variant("WAVE_PYTHON", "python"),
            # Spack has no JavaScriptCore, which draws `--svg` and `--png`. Plots in a terminal do without.
            self.define("WAVE_PICTURES", False),
            self.define("WAVE_TESTS", False),
        ]
