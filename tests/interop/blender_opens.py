"""blender -b --python blender_opens.py -- RUN: both imports, on every frame of the timeline."""
import importlib.util
import json
import math
import os
import struct
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)
from frames import (expect, expect_closed, expect_near, expect_same_points, frame_file,  # noqa: E402
                    last_frame, read_frame)

import bpy  # noqa: E402
import mathutils  # noqa: E402

spec = importlib.util.spec_from_file_location(
    "blender_import", os.path.join(here, "..", "..", "tools", "blender_import.py"))
blender_import = importlib.util.module_from_spec(spec)
spec.loader.exec_module(blender_import)
run = sys.argv[sys.argv.index("--") + 1]


particles = blender_import.import_run(run)
surface = blender_import.import_run(run, meshes=True)
scene = bpy.context.scene
expect((scene.frame_start, scene.frame_end) == (0, last_frame(run)), "range of the timeline")
expect(scene.render.fps == 60, "frame rate")
moved = []
for number in range(last_frame(run) + 1):
    scene.frame_set(number)
    frame = read_frame(frame_file(run, number))
    expect_same_points(particles.data, frame, f"particles of frame {number}")
    for p in range(0, len(frame["x"]), 53):
        expect(particles.data.attributes["id"].data[p].value == frame["id"][p], "id")
        expect_near(particles.data.attributes["color"].data[p].color[1], frame["green"][p] / 255, 1e-5,
                    "colour")
    expect("F_xx" in particles.data.attributes, "further columns")
    mesh = read_frame(f"{run}/meshes/mesh_{number:04d}.ply")
    expect_same_points(surface.data, mesh, f"surface of frame {number}")
    expect(len(surface.data.polygons) > 1000, "triangles")
    expect_closed(surface.data)
    expect(not surface.data.validate(), "a mesh that Blender need not correct")
    moved.append(tuple(particles.data.vertices[0].co))


# Faces and bodies, in a run made by hand: a square of two triangles beside a particle, and a wheel
# that turns about Firn's y (Blender's z) and goes along x.
def write_meshed_run(folder):
    os.makedirs(os.path.join(folder, "frames"))
    for number in range(3):
        corners = [(0, 0, number), (1, 0, number), (1, 1, number), (0, 1, number), (5, 5, 5)]
        with open(os.path.join(folder, "frames", f"frame_{number:04d}.ply"), "wb") as file:
            file.write(b"ply\nformat binary_little_endian 1.0\ncomment firn mesh square 2\n"
                       b"element vertex 5\nproperty float x\nproperty float y\nproperty float z\n"
                       b"element face 2\nproperty list uchar int vertex_indices\nend_header\n")
            for corner in corners:
                file.write(struct.pack("<3f", *corner))
            file.write(struct.pack("<B3iB3i", 3, 0, 1, 2, 3, 0, 2, 3))
        half = math.radians(100 * number) / 2
        pose = {"name": "wheel", "position": [number, 2, 3], "rotation": [math.cos(half), 0, math.sin(half), 0],
                "scale": 1.5, "velocity": [0, 0, 0], "spin": [0, 0, 0]}
        with open(os.path.join(folder, "frames", f"bodies_{number:04d}.json"), "w") as file:
            json.dump({"frame": number, "time": number, "bodies": [pose]}, file)


with tempfile.TemporaryDirectory() as folder:
    write_meshed_run(folder)
    square = blender_import.import_run(folder)
    wheel = square.children[0]
    expect(wheel.name.startswith("wheel") and wheel.type == "EMPTY", "an empty for the body")
    for number in range(3):
        scene.frame_set(number)
        expect(len(square.data.polygons) == 2 and len(square.data.vertices) == 5, "faces and points")
        expect(not square.data.validate(), "a mesh that Blender need not correct")
        place, turn, size = wheel.matrix_world.decompose()
        for axis, value in enumerate((number, -3, 2)):  # (x, y, z) of Firn is (x, -z, y)
            expect_near(place[axis], value, 1e-5, "place of the body")
            expect_near(size[axis], 1.5, 1e-5, "size of the body")
        # A point on the body's x axis turns about the vertical.
        ahead = wheel.matrix_world @ mathutils.Vector((1, 0, 0)) - place
        angle = math.radians(100 * number)
        for axis, value in enumerate((math.cos(angle), math.sin(angle), 0)):
            expect_near(ahead[axis], 1.5 * value, 1e-5, "turn of the body")
    scene.frame_set(0)

expect(len(set(moved)) == len(moved), "frames that differ")
expect((particles.matrix_world @ particles.data.vertices[0].co)[2] > 0, "y of Firn is z of Blender")
print(f"{len(moved)} frames")
