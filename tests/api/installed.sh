#!/usr/bin/env bash
# The installed library from other people's builds: examples in C by pkg-config and by find_package(Wave), in Fortran by
# pkg-config; and the Python package. They print what `wave run` prints. The programs of docs/c-api.md print what they say.
# usage: installed.sh BUILD SOURCE WAVE
set -euo pipefail
build=$1 source=$2 wave=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for component in library development; do
  cmake --install "$build" --prefix "$folder/usr" --component $component >/dev/null
done
libraries=$(dirname "$(find "$folder/usr" -name libwave.so)")
export PKG_CONFIG_PATH=$libraries/pkgconfig LD_LIBRARY_PATH=$libraries
model=$source/examples/sweep3d/sweep3d.wave

wanted() {
  "$wave" run "$model" --format json "${@:2}" |
    python3 -c "import json, sys; print(repr(float(json.load(sys.stdin)['tables']['$1']['value'])))"
}
{
  echo "total $(wanted total)"
  echo "iteration $(wanted iteration -D n=8 -D 'net.L=10 us')"
  for n in 2 4 8 16; do echo "batch $n $(wanted total -D n=$n -D m=$n -D 'net.L=10 us')"; done
} > "$folder/wanted"

# Numbers as Python reads and writes them, against what stands in a file.
compare() {
  python3 -c "
import sys
for line in sys.stdin:
    words = line.split()
    print(*words[:-1], repr(float(words[-1])))" | diff "$folder/${2:-wanted}" - ||
    { echo "$1 prints something else"; exit 1; }
}

cc=${CC:-cc}
# shellcheck disable=SC2046
$cc -std=c99 -pedantic -Wall -Wextra -Werror "$source/examples/api/sweep3d.c" \
  $(pkg-config --cflags --libs wave) -o "$folder/by_pkg_config"
"$folder/by_pkg_config" "$model" | compare "the example in C"

# The programs on the page about the library.
awk -v folder="$folder" '/^```c$/ { inside = 1; ++number; next } /^```/ { inside = 0 }
                         inside { print > (folder "/page" number ".c") }' "$source/docs/c-api.md"
sed -n '/^      "/{s/^ *"//; s/\\n".*$//; p}' "$folder/page1.c" > "$folder/ping.wave"
expected=("4e-05 s" "2 of 64 points")
for number in 1 2; do
  # shellcheck disable=SC2046
  $cc -std=c99 -pedantic -Wall -Wextra -Werror "$folder/page$number.c" $(pkg-config --cflags --libs wave) -o "$folder/page"
  printed=$(cd "$folder" && ./page)
  [[ $printed == "${expected[number - 1]}" ]] ||
    { echo "program $number of docs/c-api.md prints \`$printed\`"; exit 1; }
done

mkdir "$folder/project"
cat > "$folder/project/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.20)
project(example C)
find_package(Wave 0.1 REQUIRED)
add_executable(sweep3d $source/examples/api/sweep3d.c)
target_link_libraries(sweep3d PRIVATE Wave::wave)
END
cmake -S "$folder/project" -B "$folder/project/build" -DCMAKE_PREFIX_PATH="$folder/usr" >/dev/null
cmake --build "$folder/project/build" >/dev/null
"$folder/project/build/sweep3d" "$model" | compare "the example by find_package"

if [[ -d $build/python/wavemodel ]]; then
  cmake --install "$build" --prefix "$folder/usr" --component python >/dev/null
  python=$(find "$folder/usr" -name dist-packages)
  env -u LD_LIBRARY_PATH PYTHONPATH="$python" /usr/bin/python3 - "$model" <<'END' | compare "the Python package"
import sys, wavemodel
model = wavemodel.load(sys.argv[1])
sizes = [2, 4, 8, 16]
print("total", float(model.run().total))
print("iteration", float(model.run(n=8, **{"net.L": "10 us"}).iteration))
for n, total in zip(sizes, model.batch({"n": sizes, "m": sizes}, ["total"], **{"net.L": "10 us"})["total"]):
    print("batch", n, total)
END
fi

if command -v gfortran >/dev/null; then
  (cd "$folder" && gfortran -Wall $(pkg-config --variable=fortran wave) "$source/examples/api/sweep3d.f90" \
    $(pkg-config --libs wave) -o by_fortran)
  "$folder/by_fortran" "$model" | compare "the example in Fortran"
  (cd "$folder" && gfortran -Wall $(pkg-config --variable=fortran wave) "$source/tests/api/study.f90" \
    $(pkg-config --libs wave) -o study_by_fortran)
  point=0
  for n in 2 4 8 16; do echo "total $((point += 1)) $(wanted total -D n=$n)"; done > "$folder/wanted_of_study"
  "$folder/study_by_fortran" "$model" | compare "the study in Fortran" wanted_of_study
else
  echo "no gfortran: the example in Fortran is not tried"
fi
