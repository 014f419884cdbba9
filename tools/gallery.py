#!/usr/bin/env python3
"""Runs example scenes and draws the pictures of docs/gallery.md from them, with the time each took.

  tools/gallery.py build/firn                 every scene
  tools/gallery.py build/firn splash castle   some of them
  tools/gallery.py build/firn --keep ...      draws again what is in out/gallery, running nothing twice

Which frames are shown, how large, and whether they stand in a row or a column is in
docs/images/gallery.json. Needs ffmpeg.
"""
import json
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
RUNS = ROOT / "out" / "gallery"
PAGE = ROOT / "docs" / "gallery.md"


def run_scene(firn, name):
    """Processor seconds of the run on one thread."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([firn, "run", ROOT / "scenes" / f"{name}.json", "--out", RUNS / name, "--overwrite",
                    "--threads", "1", "--quiet"], check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def draw(firn, name, picture):
    with tempfile.TemporaryDirectory() as folder:
        tiles = []
        for frame in picture["frames"]:
            tile = pathlib.Path(folder) / f"{frame}.png"
            subprocess.run([firn, "render", RUNS / name, "--frame", str(frame), "-o", tile, "--size",
                            picture["size"], "--no-legend"], check=True, stdout=subprocess.DEVNULL)
            tiles += ["-i", tile]
        count = len(picture["frames"])
        joined = "null" if count == 1 else f"{'h' if picture['row'] else 'v'}stack=inputs={count}"
        palette = "split[a][b];[a]palettegen=stats_mode=full[p];[b][p]paletteuse=dither=sierra2_4a"
        subprocess.run(["ffmpeg", "-v", "error", "-y", *tiles, "-filter_complex", f"{joined},{palette}",
                        ROOT / "docs" / "images" / f"{name}.png"], check=True)


def write_time(name, seconds):
    text = f"{seconds:.0f}" if seconds >= 2 else f"{seconds:.1f}"
    line = f"`firn run {name}`: {text} s"
    page = PAGE.read_text()
    page = re.sub(rf"^`firn run {name}`.*$", lambda _: line, page, flags=re.M)
    PAGE.write_text(page)


def main():
    firn, *rest = sys.argv[1:] or sys.exit(__doc__)
    keep = "--keep" in rest
    names = [name for name in rest if name != "--keep"]
    pictures = json.loads((ROOT / "docs" / "images" / "gallery.json").read_text())
    for name in names or pictures:
        frames = [RUNS / name / "frames" / f"frame_{n:04}.ply" for n in pictures[name]["frames"]]
        if not (keep and all(frame.exists() for frame in frames)):
            write_time(name, run_scene(firn, name))
        draw(firn, name, pictures[name])
        print(name, flush=True)


if __name__ == "__main__":
    main()
