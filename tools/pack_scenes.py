#!/usr/bin/env python3
"""Packs every scene that ships with firn at its smallest size, for checks on a machine with a GPU.

  tools/pack_scenes.py build/firn [FOLDER] [SCENE]...     default: out/packs, all scenes

The grid is made as coarse as the scene allows: its spacing times the first of some factors with
which firn accepts it. All packs together take some megabytes; tools/gpu.sh checks those that it
finds in out/packs.
"""
import json
import pathlib
import subprocess
import sys

FACTORS = (2, 1.5, 1)


def pack(firn, scene, folder):
    """Size of the smallest pack of the scene in bytes and the factor that gave it, or the error."""
    spacing = json.loads(scene.read_text()).get("grid", {}).get("spacing", 0.02)
    file = folder / (scene.stem + ".firnpack")
    for factor in FACTORS:
        done = subprocess.run(
            [firn, "pack", str(scene), "-o", str(file), "--set", f"/grid/spacing={spacing * factor:.9g}"],
            capture_output=True, text=True)
        if done.returncode == 0:
            return file.stat().st_size, factor, done.stdout.split(": ", 1)[1].strip()
    return 0, 0, done.stderr.strip()


def main():
    if len(sys.argv) < 2 or not pathlib.Path(sys.argv[1]).is_file():
        sys.exit(__doc__)
    root = pathlib.Path(__file__).resolve().parent.parent
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "out/packs")
    folder.mkdir(parents=True, exist_ok=True)
    wanted = sys.argv[3:]
    total, failed = 0, 0
    for scene in sorted((root / "scenes").glob("*.json")):
        if scene.name == "schema.json" or (wanted and scene.stem not in wanted):
            continue
        size, factor, words = pack(sys.argv[1], scene, folder)
        total += size
        failed += factor == 0
        print(f"{scene.stem:28} " + (f"spacing x {factor:<4g} {words}" if factor else words), flush=True)
    print(f"{total / 2**20:.1f} MiB in {folder}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
