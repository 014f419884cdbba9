"""openvdb_opens.py RUN: grids, transforms, metadata and values of the .vdb files."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from frames import expect, expect_near, frame_file, last_frame, read_frame  # noqa: E402

import pyopenvdb  # noqa: E402

run = sys.argv[1]
VOXEL = 0.025  # m, the distance of the particles: half a grid cell
for number in range(last_frame(run) + 1):
    frame = read_frame(frame_file(run, number))
    path = frame_file(run, number)[:-3] + "vdb"
    grids, metadata = pyopenvdb.readAll(path)
    grids = {grid.name: grid for grid in grids}
    expect(sorted(grids) == ["density", "surface", "vel"], f"names of the grids: {sorted(grids)}")
    expect(metadata["frame"] == number and abs(metadata["time"] - number / 60) < 1e-6, "metadata")
    density, vel, surface = grids["density"], grids["vel"], grids["surface"]
    expect(density.gridClass == "fog volume", "class of density")
    expect(surface.gridClass == "level set", "class of surface")
    for grid in grids.values():
        expect_near(grid.transform.voxelSize()[0], VOXEL, 1e-9, "voxel size")
        expect(grid.metadata["frame"] == number, "frame of a grid")
    mass = sum(item.value for item in density.citerOnValues() if item.count == 1) * VOXEL**3
    expect_near(mass, sum(frame["mass"]), 1e-4 * mass, "mass")
    momentum = sum(item.value[1] * density.getConstAccessor().getValue(item.min)
                   for item in vel.citerOnValues() if item.count == 1) * VOXEL**3
    expected = sum(m * v for m, v in zip(frame["mass"], frame["vy"]))
    expect_near(momentum, expected, 1e-3 * abs(expected), "momentum")
    expect_near(surface.background, 3 * VOXEL, 1e-6, "band of the level set")
    inside = surface.getConstAccessor()
    buried = near = 0
    for p in range(0, len(frame["x"]), 29):
        index = surface.transform.worldToIndexCellCentered(
            (frame["x"][p], frame["y"][p], frame["z"][p]))
        # The nearest sample of a particle at the surface may lie outside, by less than a voxel.
        buried += inside.getValue(index) < 0
        near += inside.getValue(index) < VOXEL
    checked = len(range(0, len(frame["x"]), 29))
    expect(near == checked, f"particles near the surface or inside: {near} of {checked}")
    expect(buried > 0.8 * checked, f"particles inside the surface: {buried} of {checked}")
    expect(inside.getValue((0, 4000, 0)) == surface.background, "outside is outside")
print(f"{last_frame(run) + 1} frames")
