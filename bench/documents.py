#!/usr/bin/env python3
"""Seconds a frame against the documents' own figures: the explicit rows of OPT tables 4.3 and 4.4, and MULTI's ratios.

  bench/documents.py build/firn                     everything (hours on a busy machine)
  bench/documents.py build/firn hourglass table_4_4 multi    some of it
  bench/documents.py build/firn --steps 40 ...      longer measurements

Each row runs the scene of that figure with the spacing, frame rate and number of particles of the table, a few steps of it: the
processor seconds of those steps, over the threads, times the steps of a frame. Processor time, not wall-clock time, so that others on the
machine do not count (they still cost cache and bandwidth). Prints the tables of bench/documents.md.
"""
import copy
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
THREADS = 2
TICK = os.sysconf("SC_CLK_TCK")

# Table 4.3, explicit rows: scene, frames a second, minutes a frame, largest dt, particles, threads, spacing.
TABLE_4_3 = {
    "friction_angle": ("sand_friction_angles", 120, 4.10, 1e-4, 1.20e6, 4, 0.001),
    "hourglass": ("hourglass", 48, 2.00, 1e-4, 4.60e5, 12, 0.0025),
    "butterfly": ("butterfly", 24, 10.31, 2.5e-4, 3.84e6, 10, 0.0045),
    "butterfly_close": ("butterfly_close", 48, 21.23, 1e-4, 4.10e6, 8, 0.0014),
    "raking": ("raking", 24, 9.78, 2.5e-4, 3.84e6, 10, 0.0045),
    "raking_close": ("raking_close", 24, 32.84, 1e-4, 4.30e6, 8, 0.0021),
    "splash": ("splash", 240, 9.27, 5e-5, 6.60e6, 8, 0.0078),
    "shovel": ("shovel", 24, 24.8, 1e-4, 1.96e6, 4, 0.005),
}
# Table 4.4: cells of the room across, seconds a frame, particles. Frames a second are not given: 24.
TABLE_4_4 = [(10, 0.085, 1.5e3), (20, 1.1, 12e3), (50, 33, 188e3), (100, 540, 1.5e6)]


def shrink_hourglass(scene):
    """To the 0.4 x 0.9 x 0.4 m of the table, which is ours, with as little sand as it has."""
    scene["objects"][0]["shape"]["shapes"][1]["point"] = [0, 0.553, 0]


def processor_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return int(fields[11]) / TICK


def measure(firn, scene, skip, frames):
    """Processor seconds and steps of the frames after the first `skip`, and the last line of the statistics."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "scene.json").write_text(json.dumps(scene))
        for name in ("meshes", "images", "points"):
            (folder / name).symlink_to(ROOT / "scenes" / name)
        stats = folder / "out" / "stats.jsonl"
        child = subprocess.Popen([firn, "run", folder / "scene.json", "--out", folder / "out", "--frames", str(skip + frames),
                                  "--threads", str(THREADS), "--quiet"])
        seen, lines = [], []
        while child.poll() is None:
            time.sleep(0.005)
            try:
                now = processor_seconds(child.pid)
                lines = stats.read_text().splitlines() if stats.exists() else []
            except (FileNotFoundError, ProcessLookupError):
                continue
            while len(seen) < len(lines):
                seen.append(now)
        if child.returncode != 0:
            sys.exit(f"{scene['name']}: firn ended with {child.returncode}")
        rows = [json.loads(line) for line in stats.read_text().splitlines()]
        seen += [seen[-1]] * (len(rows) - len(seen))
        steps = sum(row["steps"] for row in rows[skip + 1:])
        return seen[-1] - seen[skip], steps, rows[-1]


def scaled(name, spacing):
    scene = json.loads((ROOT / "scenes" / f"{name}.json").read_text())
    scene["grid"]["spacing"] = spacing
    scene["output"] = {"fields": ["id"], "checkpoint_interval": 0}
    return scene


def set_particles_per_cell(scene, count):
    for entry in scene["objects"]:
        entry.setdefault("sampling", {})["particles_per_cell"] = count


def friction_column(scene):
    """One of the five columns, as large as the table's."""
    scene["objects"] = scene["objects"][2:3]
    scene["objects"][0]["shape"] = {"type": "cylinder", "radius": 0.036, "height": 0.037, "center": [0, 0.0185, 0]}


def expected_dt(scene):
    """By the waves of its stiffest material, at the default cfl: enough to choose how long a measurement is."""
    speed = 0
    for entry in scene["objects"]:
        material = dict(scene["materials"][entry["material"]])
        density = 1582 if material.get("preset") == "splash" else 2200 if material["model"] == "sand" else 1000
        modulus = material.get("youngs_modulus", 3.537e6 if material.get("preset") == "splash" else 3.537e5)
        speed = max(speed, (1.35 * modulus / density) ** 0.5 + abs(entry.get("velocity", [0, 0])[1]))
    return 0.4 * scene["grid"]["spacing"] / speed


def timed_steps(firn, scene, steps_wanted):
    """Processor seconds of a step, its dt and the particles: some steps, after as many to warm up."""
    trial = copy.deepcopy(scene)
    trial["fps"] = 1 / (steps_wanted * expected_dt(scene))
    used, steps, row = measure(firn, trial, 1, 1)
    return used / steps, row["dt_max"], row["particles"]


def seconds_a_frame(firn, scene, fps, steps_wanted):
    seconds, dt, particles = timed_steps(firn, scene, steps_wanted)
    return seconds / THREADS / fps / dt, 1 / fps / dt, particles


def table_4_3(firn, names, steps):
    print("| row | particles (table) | steps a frame | s a frame here, 2 threads | s a frame, table (threads) | core seconds, table over here |")
    print("|---|---|---|---|---|---|")
    for name in names:
        source, fps, minutes, _, wanted, threads, spacing = TABLE_4_3[name]
        scene = scaled(source, spacing)
        if name == "friction_angle":
            friction_column(scene)
        if name == "shovel":
            set_particles_per_cell(scene, 3)
        if name == "hourglass":
            shrink_hourglass(scene)
        seconds, count, particles = seconds_a_frame(firn, scene, fps, steps)
        ratio = 60 * minutes * threads / (seconds * THREADS)
        print(f"| {name} | {particles / 1e6:.2f} M ({wanted / 1e6:.2f} M) | {count:.0f} | {seconds:.1f} | {60 * minutes:.0f} ({threads}) | {ratio:.0f} |",
              flush=True)


def table_4_4(firn, steps):
    print("| room | particles (table) | steps a frame | s a frame here, 2 threads | s a frame, table |")
    print("|---|---|---|---|---|")
    for cells, wanted_seconds, wanted in TABLE_4_4:
        scene = scaled("notched_block_3d", 1.0 / cells)
        seconds, count, particles = seconds_a_frame(firn, scene, 24, max(steps, int(2e6 / wanted)))
        print(f"| {cells} x {3 * cells // 2} x {cells} | {particles} ({wanted:.0f}) | {count:.0f} | {seconds:.3g} | {wanted_seconds:g} |", flush=True)


def ball(kernel, dimension, spacing, particle_spacing):
    """The ball of MULTI 18 and 19 with Poisson disks, whose single steps figure 22 times."""
    scene = scaled(f"fig19_fracture_{kernel}", spacing)
    scene["objects"][0]["sampling"] = {"type": "poisson", "spacing": particle_spacing}
    if dimension == 2:
        scene["dimension"] = 2
        scene["objects"][0]["shape"]["center"] = [0, 0.75]
        scene["objects"][0]["velocity"] = [0, -4]
        scene["colliders"][0]["shape"] = {"type": "plane"}
        del scene["view"]
    return scene


def multi(firn, steps):
    print("| | MULTI | here |")
    print("|---|---|---|")
    for title, theirs, arguments in [("a step, cubic over quadratic, 3D (fig. 22a)", 1.75, (3, 0.01, 0.01)),
                                     ("the same with closer particles (fig. 22b)", 1.87, (3, 0.02, 0.01)),
                                     ("the same in 2D (fig. 22c)", 1.43, (2, 0.002, 0.001))]:
        cubic, quadratic = (timed_steps(firn, ball(kernel, *arguments), 4 * steps)[0] for kernel in ("cubic", "quadratic"))
        print(f"| {title} | {theirs} | {cubic / quadratic:.2f} |", flush=True)
    times = []
    for name in ("fig28_separate_models", "fig26_sand_model_only"):
        scene = scaled(name, 0.016)
        used, _, _ = measure(firn, scene, 0, scene["frames"])
        times.append(used)
    print(f"| the run of fig. 28 (separate models) over that of fig. 26 (sand alone) | 0.70 | {times[0] / times[1]:.2f} |", flush=True)


def main():
    words = sys.argv[1:] or sys.exit(__doc__)
    steps = 20
    if "--steps" in words:
        at = words.index("--steps")
        steps = int(words[at + 1])
        del words[at:at + 2]
    firn, *names = words
    rows = [name for name in TABLE_4_3 if not names or name in names]
    if rows:
        table_4_3(firn, rows, steps)
    if not names or "table_4_4" in names:
        table_4_4(firn, steps)
    if not names or "multi" in names:
        multi(firn, steps)


if __name__ == "__main__":
    main()
