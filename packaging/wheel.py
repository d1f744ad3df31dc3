#!/usr/bin/env python3
"""Makes a wheel of the Python package that carries what it needs: libwave, the JIT, and the libraries that are not on
every Linux.

wheel.py BUILD VERSION FOLDER
    writes FOLDER/wavemodel-VERSION-….whl from the installation of BUILD. `patchelf` makes each library find those beside
    it, and `wheel` packs; the same build gives the same bytes, with the date of SOURCE_DATE_EPOCH.
"""
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


def main():
    build, version, made = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], pathlib.Path(sys.argv[3]).resolve()
    with tempfile.TemporaryDirectory() as temporary:
        installed, root = pathlib.Path(temporary, "installed"), pathlib.Path(temporary, "root")
        for component in ("library", "python"):
            run("cmake", "--install", str(build), "--prefix", str(installed), "--component", component, "--strip")
        package = root / "wavemodel"
        shutil.copytree(next(installed.glob("lib/python3*/dist-packages/wavemodel")), package)
        libraries = package / "lib"
        (libraries / "wave").mkdir(parents=True)
        library = libraries / "libwave.so.0"
        shutil.copy(next(installed.glob("lib/**/libwave.so.0")), library)
        module, jit = next(package.glob("_wave.*.so")), libraries / "wave/libwave-jit.so"
        shutil.copy(installed / "lib/wave/libwave-jit.so", jit)

        copies = carry([library, jit], libraries)
        for one, path in {module: "$ORIGIN/lib", jit: "$ORIGIN/..", **dict.fromkeys([library, *copies], "$ORIGIN")}.items():
            run("patchelf", "--set-rpath", path, str(one))

        major, minor = oldest_c_library([module, library, jit, *copies])
        tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
        machine = sysconfig.get_platform().rpartition("-")[2]
        about = root / f"wavemodel-{version}.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: wavemodel\nVersion: {version}\n"
            "Summary: Predicts how long a parallel program will take\nLicense: Apache-2.0\n"
            f"Requires-Python: =={sys.version_info.major}.{sys.version_info.minor}.*\n"
            "Provides-Extra: tables\nRequires-Dist: numpy; extra == 'tables'\nRequires-Dist: pandas; extra == 'tables'\n")
        (about / "WHEEL").write_text(
            f"Wheel-Version: 1.0\nGenerator: Wave\nRoot-Is-Purelib: false\n"
            f"Tag: {tag}-{tag}-manylinux_{major}_{minor}_{machine}\n")
        for name in ("copyright", "sbom.spdx.json"):
            shutil.copy(build / "packaging" / name, about)
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
