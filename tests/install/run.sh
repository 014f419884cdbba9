#!/usr/bin/env bash
# run.sh BUILD: installs a build to a new folder, then builds and runs the program of docs/library.md
# against it.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix
fail() { echo "$*" >&2; exit 1; }

cmake --install "$1" --prefix "$prefix" >/dev/null
test -x "$prefix/bin/firn"
"$prefix/bin/firn" scenes >"$work/scenes"
grep -q demo "$work/scenes"

# All under firn/, and no include that would be looked for elsewhere.
[ "$(ls "$prefix/include")" = firn ] || fail "headers outside of include/firn"
! grep -rn '^#include "' "$prefix/include" | grep -v '"firn/' || fail "includes that do not name firn/"
# Every header of the page's table is there, and they get along.
grep -oE '<firn/[a-z_/]*\.h>' "$here/../../docs/library.md" | sort -u | sed 's/^/#include /' >"$work/all.cpp"
[ "$(wc -l <"$work/all.cpp")" -ge 8 ] || fail "docs/library.md names no headers"
c++ -std=c++20 -Wall -Wextra -Werror -fsyntax-only -I"$prefix/include" "$work/all.cpp"
# Nothing of how we compile our own files.
! grep -rnE -- '-march|-mcpu|-W[a-z]|-fno-' "$prefix/lib/cmake/firn" || fail "flags of ours reach the users"

# The first program of the page.
awk '/^```cpp$/ { inside = 1; next } /^```$/ && inside { exit } inside' "$here/../../docs/library.md" >"$work/drop.cpp"
lines=$(wc -l <"$work/drop.cpp")
[ "$lines" -gt 10 ] && [ "$lines" -lt 30 ] || fail "docs/library.md: a program of $lines lines"
cmake -S "$here" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$prefix" \
  -DDROP="$work/drop.cpp" >/dev/null
cmake --build "$work/build"
! grep -E -- '-march|-mcpu' "$work/build/compile_commands.json" || fail "flags of ours reach the users"
# Packs have no business in a program that uses the face alone.
! find "$work/build" -name 'drop.cpp.o' -exec nm -C {} + | grep 'Pack<' ||
  fail "packs of lanes in a program that uses the face alone"

"$work/build/drop" | tee "$work/drop.txt"
# A disc of 0.785 m2 at 1000 kg/m3 that flew 0.4 m to the right.
awk '/particles/ { mass = $3; next } { x += $1; n++ }
     END { if (!(mass > 770 && mass < 800 && n > 3 && x / n > 0.2 && x / n < 0.6)) { print "wrong: " mass " kg, mean x " x / n; exit 1 } }' "$work/drop.txt"
