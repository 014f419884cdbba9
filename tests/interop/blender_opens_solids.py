"""blender -b --python blender_opens_solids.py -- RUN: the surfaces of meshed solids, on every frame."""
import importlib.util
import os
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)
from frames import (expect, expect_closed, expect_same_points, frame_file, last_frame,  # noqa: E402
                    read_frame)

import bpy  # noqa: E402

spec = importlib.util.spec_from_file_location(
    "blender_import", os.path.join(here, "..", "..", "tools", "blender_import.py"))
blender_import = importlib.util.module_from_spec(spec)
spec.loader.exec_module(blender_import)
run = sys.argv[sys.argv.index("--") + 1]

solid = blender_import.import_run(run)
widths = []
for number in range(last_frame(run) + 1):
    bpy.context.scene.frame_set(number)
    expect_same_points(solid.data, read_frame(frame_file(run, number)), f"frame {number}")
    expect(len(solid.data.polygons) == 6 * 4 * 4 * 2, f"{len(solid.data.polygons)} triangles")
    expect_closed(solid.data)
    expect(not solid.data.validate(), "a mesh that Blender need not correct")
    widths.append(max(v.co[0] for v in solid.data.vertices))
expect(all(a < b for a, b in zip(widths, widths[1:])), f"a cube that is drawn out, not {widths}")
print(f"{len(widths)} frames")
