#!/usr/bin/env python3
"""The recipe for Spack says what the build asks for: the version, the options and the libraries. Spack itself is not needed."""
import importlib.util
import pathlib
import re
import sys
import types

root = pathlib.Path(__file__).resolve().parents[2]
recipe = root / "packaging/spack/packages/wave/package.py"
# What CMake looks for, and the package of Spack that brings it. `None` comes with every system or compiler.
packages = {"CLI11": "cli11", "Eigen3": "eigen", "LLVM": "llvm", "Python": "python", "Python3": "python",
            "Threads": None, "fmt": "fmt", "nlohmann_json": "nlohmann-json", "pybind11": "py-pybind11",
            "otf2": "otf2", "open-trace-format2": "otf2", "nlopt.hpp": "nlopt",
            "nlopt_cxx": "nlopt", "antlr4": "antlr4-complete", "antlr4-runtime.h": "antlr4-cpp-runtime",
            "antlr4-runtime": "antlr4-cpp-runtime", "zstd": None, "z": None, "mold": None}
headers = {"CLI/CLI.hpp": "cli11", "toml++/toml.h": "tomlplusplus", "boost/": "boost"}
left_out = ("tests/", "bench/", "build/", "analysis/pictures/drawing/")


def sources(*patterns):
    for pattern in patterns:
        for path in sorted(root.rglob(pattern)):
            name = path.relative_to(root).as_posix()
            if not name.startswith(left_out) and "/node_modules/" not in name:
                yield name, path.read_text()


class Recorded:
    """What the directives of a recipe were called with."""
    def __init__(self):
        self.versions, self.needs, self.variants = [], {}, set()

    def stub(self):
        module = types.ModuleType("spack.package")

        class CMakePackage:
            def define(self, name, value):
                return name, value

            def define_from_variant(self, name, variant):
                assert variant in recorded.variants, f"there is no variant {variant}"
                return name, variant

        class when:
            def __init__(self, _):
                pass

            def __enter__(self):
                return self

            def __exit__(self, *_):
                return False

        def depends_on(spec, **_):
            self.needs[re.match(r"[\w-]+", spec).group()] = spec

        recorded = self
        module.CMakePackage, module.when = CMakePackage, when
        module.version = lambda number: self.versions.append(number)
        module.variant = lambda name, **_: self.variants.add(name)
        module.depends_on = module.extends = depends_on
        module.license = module.generator = lambda *_: None
        return module


class Prefix:
    def __getattr__(self, name):
        return self if name == "bin" else "/somewhere/bin/" + name

    def __fspath__(self):
        return "/somewhere/bin"


def main():
    recorded = Recorded()
    sys.modules["spack"], sys.modules["spack.package"] = types.ModuleType("spack"), recorded.stub()
    loaded = importlib.util.module_from_spec(importlib.util.spec_from_file_location("recipe", recipe))
    loaded.__spec__.loader.exec_module(loaded)
    package = loaded.Wave()
    package.spec = dict.fromkeys(recorded.needs, types.SimpleNamespace(prefix=Prefix()))
    given = dict(package.cmake_args())

    lists = list(sources("CMakeLists.txt", "*.cmake"))
    wrong = []
    version = re.search(r"^project\(wave VERSION ([\d.]+)", (root / "CMakeLists.txt").read_text(), re.M).group(1)
    if recorded.versions != [version]:
        wrong.append(f"the recipe is of {recorded.versions}, the build of {version}")
    known = {name for _, text in lists for name in re.findall(r"(?:option|find_program)\((\w+)", text)}
    wrong += [f"the build has no option {name}" for name in given if name not in known]
    for name, text in lists:
        asked = re.findall(r"find_package\((\w+)", text)
        asked += re.findall(r"find_(?:path|library|program)\(\w+ (?:NAMES )?([\w.-]+)", text)
        for what in asked:
            if what == "npm" and given["WAVE_PICTURES"] is False:
                continue
            if what not in packages:
                wrong.append(f"{name}: which package of Spack brings {what}? tests/house/spack.py does not know it")
            elif packages[what] is not None and packages[what] not in recorded.needs:
                wrong.append(f"{name}: {what} comes with {packages[what]}, which the recipe does not name")
    included = "\n".join(text for _, text in sources("*.cpp", "*.h"))
    wrong += [f"<{header}...> comes with {name}, which the recipe does not name" for header, name in headers.items()
              if f"#include <{header}" in included and name not in recorded.needs]
    wrong += [f"nothing asks for {name} any more" for name in set(headers.values())
              if not any(f"#include <{header}" in included for header, one in headers.items() if one == name)]
    for line in wrong:
        print(line)
    return bool(wrong)


sys.exit(main())
