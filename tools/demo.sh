#!/usr/bin/env bash
# Runs the default scene and leaves a film and a still beside its frames.
set -eu
firn=$1
out=$2
"$firn" run scenes/demo.json --out "$out" --overwrite
"$firn" render "$out" -o "$out/demo.mp4" --size 1280x720
"$firn" render "$out" -o "$out/demo.png" --size 1280x720 --frame 15 # everything meets
echo "film: $out/demo.mp4"
echo "still: $out/demo.png"
