#!/usr/bin/env python3
"""Makes a wheel of the Python package that carries what it needs: libwave, the JIT, the program, and the libraries that
are not on every Linux.

wheel.py BUILD VERSION FOLDER [PYTHON]...
    writes FOLDER/wavemodel-VERSION-….whl from the installation of BUILD. `patchelf` makes each library find those beside
    it, and `wheel` packs; the same build gives the same bytes, with the date of SOURCE_DATE_EPOCH. For each further PYTHON,
    an interpreter of another version with its headers, the extension module is compiled once more, and the one wheel is
    for all of them.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile

# What every Linux with this C library has (PEP 600), and libstdc++, without which there is no Python package in C++.
COMMON = re.compile(r"(ld-linux.*|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+|z)\.so\.\d+|linux-vdso\.so\.1)$")
HERE = pathlib.Path(__file__).resolve().parent


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def needed(library):
    return run("patchelf", "--print-needed", str(library)).split()


def found_at(library):
    """Where the loader finds what a library needs, and what that needs."""
    return dict(re.findall(r"^\s*(\S+) => (/\S+)", run("ldd", str(library)), re.MULTILINE))


def carry(libraries, folder):
    """Copies what these need into the folder, under names that no other package's copies have."""
    carried = {}
    for library in libraries:
        for name, path in found_at(library).items():
            if not COMMON.match(name) and not name.startswith("libwave"):
                carried[name] = path
    renamed = {name: name.replace(".so", "-wavemodel.so", 1) for name in carried}
    copies = []
    for name, path in sorted(carried.items()):
        copy = folder / renamed[name]
        shutil.copy(path, copy)
        copy.chmod(0o755)
        run("patchelf", "--set-soname", copy.name, str(copy))
        copies.append(copy)
    for library in [*libraries, *copies]:
        for name in needed(library):
            if name in renamed:
                run("patchelf", "--replace-needed", name, renamed[name], str(library))
    return copies


def oldest_c_library(libraries):
    """The least version of the C library that has all that these ask of it."""
    versions = [tuple(map(int, version.split(".")))
                for library in libraries for version in re.findall(r"GLIBC_(\d+\.\d+)", run("objdump", "-T", str(library)))]
    return max(versions)


ASKED = """import json, sys, sysconfig
print(json.dumps([sysconfig.get_paths()["include"], sysconfig.get_config_var("EXT_SUFFIX"),
                  f"cp{sys.version_info.major}{sys.version_info.minor}"]))"""


def compile_module(python, package, library):
    """The extension module for another version of Python, beside that of this one; gives its tag."""
    headers, suffix, tag = json.loads(run(python, "-c", ASKED))
    sources = sorted(str(one) for one in (HERE.parent / "api/python/extension").glob("*.cpp"))
    run("c++", "-std=c++20", "-O1", "-fPIC", "-shared", "-fvisibility=hidden", f"-I{HERE.parent}", f"-I{headers}",
        f"-ffile-prefix-map={HERE.parent}=.", *sources, str(library), "-Wl,--build-id=none", "-s",
        "-o", str(package / f"_wave{suffix}"))
    return tag


def tags_of(pythons, platform):
    """For each version by itself, so that none is said to fit the interface of another."""
    return "".join(f"Tag: {tag}-{tag}-{platform}\n" for tag in pythons)


def main():
    build, version, made = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], pathlib.Path(sys.argv[3]).resolve()
    others = sys.argv[4:]
    with tempfile.TemporaryDirectory() as temporary:
        installed, root = pathlib.Path(temporary, "installed"), pathlib.Path(temporary, "root")
        for component in ("library", "python", "program"):
            run("cmake", "--install", str(build), "--prefix", str(installed), "--component", component, "--strip")
        package = root / "wavemodel"
        shutil.copytree(next(installed.glob("lib/python3*/dist-packages/wavemodel")), package)
        libraries = package / "lib"
        (libraries / "wave").mkdir(parents=True)
        library = libraries / "libwave.so.0"
        shutil.copy(next(installed.glob("lib/**/libwave.so.0")), library)
        jit, program = libraries / "wave/libwave-jit.so", package / "bin/wave"
        shutil.copy(installed / "lib/wave/libwave-jit.so", jit)
        program.parent.mkdir()
        shutil.copy(installed / "bin/wave", program)
        pythons = [f"cp{sys.version_info.major}{sys.version_info.minor}"]
        pythons += [compile_module(python, package, library) for python in others]
        modules = sorted(package.glob("_wave.*.so"))

        copies = carry([library, jit, program], libraries)
        paths = {**dict.fromkeys(modules, "$ORIGIN/lib"), jit: "$ORIGIN/..", program: "$ORIGIN/../lib",
                 **dict.fromkeys([library, *copies], "$ORIGIN")}
        for one, path in paths.items():
            run("patchelf", "--set-rpath", path, str(one))

        major, minor = oldest_c_library(paths)
        machine = sysconfig.get_platform().rpartition("-")[2]
        about = root / f"wavemodel-{version}.dist-info"
        shutil.copytree(next(installed.glob(f"lib/python3*/dist-packages/{about.name}")), about)
        with open(about / "entry_points.txt", "a") as entries:
            entries.write("\n[console_scripts]\nwave = wavemodel._program:main\n")
        platform = f"manylinux_{major}_{minor}_{machine}"
        (about / "WHEEL").write_text(
            "Wheel-Version: 1.0\nGenerator: Wave\nRoot-Is-Purelib: false\n" + tags_of(pythons, platform))
        for name in ("copyright", "sbom.spdx.json"):
            shutil.copy(build / "packaging" / name, about)
        shutil.copy(HERE.parent / "LICENSE", about)
        # Who copied a library passes on its licence, too.
        (about / "licences-of-libraries.txt").write_text("\n\n".join(licences(copies)))
        made.mkdir(parents=True, exist_ok=True)
        run(sys.executable, "-m", "wheel", "pack", str(root), "--dest-dir", str(made))


def licences(copies):
    """Debian's notes on the packages that the copies are from."""
    for copy in copies:
        name = copy.name.replace("-wavemodel", "")
        owner = run("dpkg", "-S", f"*/{name}").split(":", 1)[0]
        yield f"==== {name}, from Debian's package {owner}\n\n" + pathlib.Path("/usr/share/doc", owner, "copyright").read_text()


if __name__ == "__main__":
    main()
