#!/usr/bin/env bash
# tidy.sh all|changed: clang-tidy on all sources, or on those that changed since HEAD~1 (with edits that
# are not committed). "changed" takes at most SECONDS_ALLOWED (300): what was not reached is named and
# is no failure. Fails on findings.
set -euo pipefail
cd "$(dirname "$0")/.."
case ${1:-} in
  all)
    files=$(git ls-files 'src/*.cpp' 'apps/*.cpp')
    allowed=1000000
    ;;
  changed)
    if ! git rev-parse -q --verify HEAD~1 >/dev/null; then
      echo "clang-tidy: skipped, there is no commit before this one"
      exit 0
    fi
    files=$(git diff --name-only --diff-filter=d HEAD~1 -- 'src/*.cpp' 'apps/*.cpp' 'tests/*.cpp' | grep -v '^tests/install/' || true)
    allowed=${SECONDS_ALLOWED:-300}
    ;;
  *)
    echo "usage: $0 all|changed" >&2
    exit 2
    ;;
esac
[ -n "$files" ] || { echo "clang-tidy: no sources changed"; exit 0; }
deadline=$(($(date +%s) + allowed))
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if ! timeout "$allowed" cmake --preset tidy >"$work/configure" 2>&1; then
  if [ "$(date +%s)" -ge "$deadline" ]; then
    echo "clang-tidy: skipped, configuring took longer than $allowed s"
    exit 0
  fi
  cat "$work/configure"
  exit 1
fi

# One file: leaves a line in done, found or late. Each worker has a log of its own.
check() {
  left=$((deadline - $(date +%s)))
  status=124
  if [ "$left" -gt 0 ]; then
    status=0
    timeout "$left" clang-tidy -p build-tidy --quiet --warnings-as-errors='*' "$1" >"$work/log.$$" 2>/dev/null || status=$?
  fi
  case $status in
    0) echo "$1" >>"$work/done" ;;
    124) echo "$1" >>"$work/late" ;;
    *)
      echo "$1" >>"$work/found"
      cat "$work/log.$$"
      ;;
  esac
}
export -f check
export deadline work
touch "$work/done" "$work/late" "$work/found"
echo "$files" | xargs -P "$(nproc)" -I{} bash -c 'check {}'
sed 's/^/clang-tidy: not reached within the time: /' "$work/late"
echo "clang-tidy: $(wc -l <"$work/done") files clean, $(wc -l <"$work/found") with findings, $(wc -l <"$work/late") not reached"
[ ! -s "$work/found" ]
