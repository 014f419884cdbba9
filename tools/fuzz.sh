#!/usr/bin/env bash
# fuzz.sh BUILD MINUTES: runs every fuzz target with a new seed, all of them together for about so
# many minutes. Says of each one that breaks how to see it again; its input is kept in out/fuzz.
set -u
build=$1 minutes=$2
case $minutes in ''|*[!0-9.]*) echo "fuzz: MINUTES=$minutes is no number" >&2; exit 2 ;; esac
cd "$(dirname "$0")/.."
targets=$(for file in "$build"/*_fuzz; do basename "$file" _fuzz; done)
jobs=$(nproc)
seconds=$(awk -v m="$minutes" -v n="$(echo "$targets" | wc -w)" -v j="$jobs" \
  'BEGIN { s = 60 * m * j / n; print (s < 1 ? 1 : s) }')
mkdir -p out/fuzz
export build seconds

run_one() {
  target=$1
  seed=$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')
  binary="--binary 1"
  case $target in scene|folder|checkpoint) binary="" ;; esac
  command="$build/${target}_fuzz tests/fuzz/corpus/$target $binary --seed $seed --seconds $seconds"
  input=out/fuzz/$target-$seed.bin
  log=out/fuzz/$target-$seed.log
  if $command --crash "$input" >"$log" 2>&1; then
    echo "$target: $(tail -n 1 "$log")"
    rm -f "$log"
    return 0
  fi
  echo "$target: BROKEN with seed $seed: $(grep -m 1 -E 'ERROR|error:|fuzz:' "$log")"
  echo "  see it again:    $build/${target}_fuzz --input $input"
  echo "  from the seed:   $command"
  echo "  what it printed: $log"
  return 1
}
export -f run_one

echo "$targets" | xargs -P "$jobs" -I{} bash -c 'run_one {}'
status=$?
[ $status -eq 0 ] && echo "fuzz: every target held" || { echo "fuzz: at least one target broke" >&2; exit 1; }
