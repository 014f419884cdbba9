"""The published schema accepts the scenes that ship and refuses broken ones.

Usage: scenes_match_schema.py SOURCE_FOLDER
"""
import copy
import json
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: no python3-jsonschema")
    sys.exit(77)

root = pathlib.Path(sys.argv[1])
schema = json.loads((root / "scenes/schema.json").read_text())
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
failures = []

scenes = [path for path in sorted(root.glob("scenes/*.json")) if path.name != "schema.json"]
for path in scenes:
    for error in validator.iter_errors(json.loads(path.read_text())):
        failures.append(f"{path.name}: /{'/'.join(map(str, error.path))}: {error.message[:200]}")

BALL = {"type": "ball", "radius": 0.1}
GOOD = {
    "$schema": "schema.json",
    "materials": {"snow": {"model": "snow"}},
    "objects": [{"shape": {"type": "union", "shapes": [
        BALL, {"type": "difference", "shapes": [BALL, {"type": "plane"}]}]}, "material": "snow"}],
    "emitters": [{"shape": BALL, "material": "snow", "velocity": [0, -1, 0]}],
    "colliders": [{"shape": {"type": "box", "min": [0, 0, 0], "max": [1, 1, 1], "inside": True},
                   "friction": "0.1 + x"}],
    "gravity": [0, "-9.81 * t", 0],
    "solver": {"type": "mpm", "kernel": "cubic"},
    "integrator": "explicit",
}
SOLID = {
    "solver": {"type": "fem", "self_collision": {"friction": 0.3}},
    "integrator": {"type": "optimization", "scheme": "bdf2", "steps_per_frame": 2},
    "materials": {"rubber": {"model": "fixed_corotated", "damping": {"mass": 0.1}}},
    "objects": [{"shape": BALL, "material": "rubber", "mesh": {"type": "lattice", "order": 2}, "start": "random"},
                {"material": "rubber", "mesh": {"type": "file", "file": "cells.msh"}}],
    "colliders": [{"shape": {"type": "plane"}, "method": "constraint"}],
}
for good in SOLID, GOOD, GOOD | {"solver": "mpm", "kernel": "cubic"}, GOOD | {"solver": {"transfer": "pic"}, "integrator": {"cfl": 0.2}}:
    if not validator.is_valid(good):
        failures.append("a scene in order is refused: " + next(validator.iter_errors(good)).message[:200])


def broken(place, value):
    """GOOD with the value (None: nothing) under the keys of a place."""
    scene = copy.deepcopy(GOOD)
    target = scene
    for key in place[:-1]:
        target = target[key]
    if value is None:
        del target[place[-1]]
    else:
        target[place[-1]] = value
    return scene


SHAPE = ["objects", 0, "shape"]
for place, value in [
    (["materials"], None),
    (["materials"], {}),
    (["gravty"], [0, 0, 0]),
    (["$schema"], 1),
    (["dimension"], 4),
    (["kernel"], "cubik"),
    (["solver"], "dem"),
    (["solver"], {"type": "mpm", "kernel": "cubik"}),
    (["solver"], {"type": "mpm", "cfl": 0.3}),
    (["integrator"], {"type": "explicit", "kernel": "cubic"}),
    (["porous"], {"coupling": "tight"}),
    (["gravity"], [0]),
    (["materials", "snow", "model"], "snwo"),
    (["materials", "snow", "poisson_ratio"], 0.5),
    (["materials", "snow", "friction_angle"], 30),
    (["objects", 0, "material"], None),
    (SHAPE + ["shapes"], []),
    (SHAPE + ["shapes", 0, "radius"], 0),
    (SHAPE + ["shapes", 1, "shapes", 0, "radius"], None),
    (SHAPE + ["shapes", 1, "shapes", 1, "inside"], True),
    (["emitters", 0, "velocity"], None),
    (["colliders", 0, "shape", "max"], None),
    (["colliders", 0, "shape", "size"], [1, 1, 1]),
]:
    if validator.is_valid(broken(place, value)):
        failures.append(f"accepted: {'/'.join(map(str, place))} = {value}")

for line in failures:
    print(line)
print(f"{len(scenes)} scenes, {len(failures)} failures")
sys.exit(1 if failures or not scenes else 0)
