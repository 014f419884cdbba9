#!/usr/bin/env python3
"""Seconds a frame of meshed solids against OPT's table 2.1 (one Xeon core of 2014).

  bench/fem.py build/firn                 the figures whose frames take seconds
  bench/fem.py build/firn 2.7 2.8         some of them
  bench/fem.py build/firn 2.3_soft 2.6    those that take long have to be named
  bench/fem.py build/firn --threads 1

Each row runs the scene of that figure with edges that give about as many degrees of freedom as the table has, and takes the mean of
the frames' wall-clock times. Prints a table.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
AFTERWARDS = ["/solver/friction=afterwards"]
TORI = '/objects/0/repeat={"x":5,"y":5,"z":5,"step":[0.2,0.2,0.2],"turn":true}'


def cube(edge, *more):
    return [f"/objects/0/mesh/edge={edge}", *more]


def all_edges(scene, edge):
    count = len(json.loads((ROOT / "scenes" / f"{scene}.json").read_text())["objects"])
    return [f"/objects/{k}/mesh/edge={edge}" for k in range(count)]


def steps(count):
    return [f'/integrator={{"type":"optimization","steps_per_frame":{count}}}']


def modulus(value):
    return [f"/materials/rubber/youngs_modulus={value}", "/integrator/max_newton=2000"]


# Figure: scene, settings, frames, degrees of freedom and seconds a frame of the table, whether it is run unasked.
FIGURES = {
    "1.1": ("fem_stretch", cube(1 / 17), 48, 18.5e3, 0.51, True),
    "1.2": ("fem_pulse", cube(1 / 17), 48, 18.5e3, 0.52, True),
    "2.4": ("fem_torus_drop", cube(0.0475, *AFTERWARDS), 48, 7.9e3, 1.13, True),
    "2.4_inside": ("fem_torus_drop", cube(0.0475), 48, 7.9e3, 1.13, True),
    "2.7": ("fem_ball_drop", cube(0.052, *AFTERWARDS), 48, 14e3, 0.42, True),
    "2.7_inside": ("fem_ball_drop", cube(0.052), 48, 14e3, 0.42, True),
    "2.8": ("fem_balls_collide", all_edges("fem_balls_collide", 0.0385), 48, 28e3, 4.25, True),
    "2.9": ("fem_torus_hole", cube(0.0398, *AFTERWARDS), 60, 7.9e3, 0.45, True),
    "2.9_inside": ("fem_torus_hole", cube(0.0398), 60, 7.9e3, 0.45, True),
    "2.10": ("fem_box_stack", all_edges("fem_box_stack", 0.0132) + steps(1) + AFTERWARDS, 36, 138e3, 17.1, False),
    "2.10_inside": ("fem_box_stack", all_edges("fem_box_stack", 0.0132) + steps(1), 36, 138e3, 17.1, False),
    "2.11": ("fem_armadillo", cube(0.016), 48, 73.8e3, 46.1, False),
    "2.11_2": ("fem_armadillo", cube(0.016, *steps(2)), 48, 73.8e3, 58, False),
    "2.11_4": ("fem_armadillo", cube(0.016, *steps(4)), 48, 73.8e3, 88, False),
    "2.11_8": ("fem_armadillo", cube(0.016, *steps(8)), 48, 73.8e3, 117, False),
    "2.6": ("fem_tori", cube(0.011, TORI, *AFTERWARDS), 20, 984e3, 200, False),
    "2.6_inside": ("fem_tori", cube(0.011, TORI), 20, 984e3, 200, False),
    "2.3_soft": ("fem_random", cube(1 / 64, *modulus(1e3)), 100, 824e3, 68, False),
    "2.3_middle": ("fem_random", cube(1 / 64, *modulus(1e5)), 40, 824e3, 1470, False),
    "2.3_stiff": ("fem_random", cube(1 / 64, *modulus(1e7)), 1, 824e3, 667, False),
    "2.5_soft": ("fem_point", cube(1 / 64, *modulus(1e3)), 120, 824e3, 43.1, False),
    "2.5_middle": ("fem_point", cube(1 / 64, *modulus(1e5)), 5, 824e3, 831, False),
    "2.5_stiff": ("fem_point", cube(1 / 64, *modulus(1e7)), 1, 824e3, 444, False),
}


def run(firn, name, threads):
    scene, settings, frames, dofs, seconds, _ = FIGURES[name]
    with tempfile.TemporaryDirectory() as folder:
        command = [firn, "run", ROOT / "scenes" / f"{scene}.json", "--out", folder + "/out", "--frames", str(frames), "--threads", str(threads),
                   "--quiet"]
        for setting in settings:
            command += ["--set", setting]
        if subprocess.run(command).returncode != 0:
            sys.exit(f"figure {name}: firn failed")
        rows = [json.loads(line) for line in (pathlib.Path(folder) / "out" / "stats.jsonl").read_text().splitlines()][1:]
    mean = sum(row["wall"] for row in rows) / len(rows)
    newton = sum(row["newton_iterations"] for row in rows) / sum(row["steps"] for row in rows)
    missed = sum(row["missed_steps"] for row in rows)
    print(f"| {name} | {rows[-1]['particles'] * 3 / 1e3:.1f} k ({dofs / 1e3:.1f} k) | {newton:.1f} | {missed} | {mean:.3f} | {seconds} | "
          f"{seconds / mean:.1f} |", flush=True)


def main():
    arguments = sys.argv[1:]
    threads = 2
    if "--threads" in arguments:
        at = arguments.index("--threads")
        threads = int(arguments[at + 1])
        del arguments[at:at + 2]
    if not arguments or arguments[0].startswith("-"):
        sys.exit(__doc__)
    names = arguments[1:] or [name for name, row in FIGURES.items() if row[-1]]
    for name in names:
        if name not in FIGURES:
            sys.exit(f"no figure {name}: there are {', '.join(FIGURES)}")
    print(f"| figure | dofs (table) | Newton a step | missed | s a frame, {threads} threads | s, table | table over here |")
    print("|---|---|---|---|---|---|---|")
    for name in names:
        run(arguments[0], name, threads)


if __name__ == "__main__":
    main()
