#!/usr/bin/env bash
# run.sh FIRN: a small run in every format, opened in the programs that the formats are for.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
firn=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# A step that prints its name, and what it said only when it fails.
check() {
  local name=$1
  shift
  if "$@" >"$work/said" 2>&1 && ! grep -q '^FAILED' "$work/said"; then
    echo "ok      $name"
  else
    echo "FAILED  $name"
    cat "$work/said"
    exit 1
  fi
}

check "firn run: ply, vtu, bgeo, vdb" "$firn" run "$here/../cli/scenes/mixed_3d.json" --out run --frames 2 \
  --format ply,vtu,bgeo,vdb
check "firn mesh" "$firn" mesh run
check "ParaView opens run.pvd" pvpython "$here/paraview_opens.py" run
check "Blender imports particles and surfaces" blender -b --factory-startup --python-exit-code 1 \
  --python "$here/blender_opens.py" -- run
check "OpenVDB opens the volumes" /usr/bin/python3 "$here/openvdb_opens.py" run
check "bgeo as Houdini's classic reader has it" /usr/bin/python3 "$here/bgeo_opens.py" run

# Meshed solids: surfaces and cells.
check "firn run of a meshed solid" "$firn" run fem_stretch --out solid --frames 3 --format ply,vtu \
  --set /objects/0/mesh/edge=0.25
check "ParaView opens its cells" pvpython "$here/paraview_opens_solids.py" solid
check "Blender imports its surface" blender -b --factory-startup --python-exit-code 1 \
  --python "$here/blender_opens_solids.py" -- solid
