#!/usr/bin/env bash
# run_tests.sh BUILD: runs every test, and says at the end how many were skipped and why.
set -u
ctest --test-dir "$1" --output-on-failure -j 2
status=$?
log=$1/Testing/Temporary/LastTest.log
if [ -e "$log" ]; then
  # GoogleTest writes "FILE:LINE: Skipped" and then the reason.
  awk '
    /: Skipped$/ { getline reason; count[reason]++; total++ }
    /^OpenGL: with / { shim++ }
    END {
      if (shim) printf "%d tests drew with a preloaded shim, since OpenGL alone dies on this machine\n", shim
      for (reason in count) printf "skipped %d: %s\n", count[reason], reason
      printf "%d tests skipped\n", total
    }' "$log"
fi
exit $status
