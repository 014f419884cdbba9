#!/usr/bin/env bash
# run.sh BUILD: installs a build to a new folder, then builds and runs a program against it.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$1" --prefix "$work/prefix" >/dev/null
test -x "$work/prefix/bin/firn"
"$work/prefix/bin/firn" scenes >"$work/scenes"
grep -q demo "$work/scenes"
cmake -S "$here" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
cmake --build "$work/build"
"$work/build/uses_firn"
