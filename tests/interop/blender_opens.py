"""blender -b --python blender_opens.py -- RUN: both imports, on every frame of the timeline."""
import importlib.util
import os
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)
from frames import expect, expect_near, frame_file, last_frame, read_frame  # noqa: E402

import bpy  # noqa: E402

spec = importlib.util.spec_from_file_location(
    "blender_import", os.path.join(here, "..", "..", "tools", "blender_import.py"))
blender_import = importlib.util.module_from_spec(spec)
spec.loader.exec_module(blender_import)
run = sys.argv[sys.argv.index("--") + 1]


def expect_same_points(mesh, frame, what):
    count = len(frame["x"])
    expect(len(mesh.vertices) == count, f"{what}: {len(mesh.vertices)} vertices, not {count}")
    for p in range(0, count, 53):
        for axis, name in enumerate("xyz"):
            expect_near(mesh.vertices[p].co[axis], frame[name][p], 1e-6, what + ": position")
            velocity = mesh.attributes["velocity"].data[p].vector[axis]
            expect_near(velocity, frame["v" + name][p], 1e-6, what + ": velocity")


def expect_closed(mesh):
    sides = {}
    for polygon in mesh.polygons:
        a, b, c = polygon.vertices
        for side in ((a, b), (b, c), (c, a)):
            sides[side] = sides.get(side, 0) + 1
    expect(all(n == 1 and (b, a) in sides for (a, b), n in sides.items()), "closed surface")


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
expect(len(set(moved)) == len(moved), "frames that differ")
expect((particles.matrix_world @ particles.data.vertices[0].co)[2] > 0, "y of Firn is z of Blender")
print(f"{len(moved)} frames")
