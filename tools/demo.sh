#!/usr/bin/env bash
# demo.sh FIRN OUT [OPTIONS]...: runs the default scene and leaves a film and a still beside its
# frames. Options are those of `firn run`.
set -eu
firn=$1
out=$2
shift 2
"$firn" run scenes/demo.json --out "$out" --overwrite "$@"
"$firn" render "$out" -o "$out/demo.mp4" --size 1280x720
still=15 # everything meets
[ -e "$out/frames/frame_0015.ply" ] || still=0
"$firn" render "$out" -o "$out/demo.png" --size 1280x720 --frame $still
echo "film: $out/demo.mp4"
echo "still: $out/demo.png"
