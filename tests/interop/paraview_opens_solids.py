"""pvpython paraview_opens_solids.py RUN: cells of meshed solids with their values."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from frames import expect, expect_near, frame_file, last_frame, read_frame  # noqa: E402
from paraview.simple import PVDReader, UpdatePipeline, servermanager  # noqa: E402

TETRAHEDRON = 10
run = sys.argv[1]
reader = PVDReader(FileName=os.path.join(run, "run.pvd"))
times = list(reader.TimestepValues)
expect(len(times) == last_frame(run) + 1, f"one time for each frame, not {times}")
for number, time in enumerate(times):
    UpdatePipeline(time=time, proxy=reader)
    block = servermanager.Fetch(reader)
    grid = block.GetBlock(0) if block.IsA("vtkMultiBlockDataSet") else block
    frame = read_frame(frame_file(run, number))
    expect(grid.GetNumberOfPoints() == len(frame["x"]), f"{grid.GetNumberOfPoints()} points")
    for p in range(0, len(frame["x"]), 17):
        for axis, name in enumerate("xyz"):
            expect_near(grid.GetPoint(p)[axis], frame[name][p], 1e-6, "position")
    expect(grid.GetNumberOfCells() == 5 * 4 ** 3, f"{grid.GetNumberOfCells()} cells")
    data = grid.GetCellData()
    for name, components in (("det_F", 1), ("von_mises", 1), ("stress", 6)):
        array = data.GetArray(name)
        expect(array is not None, f"array {name} of cells")
        expect(array.GetNumberOfComponents() == components, f"components of {name}")
    for c in range(grid.GetNumberOfCells()):
        expect(grid.GetCellType(c) == TETRAHEDRON, "tetrahedra")
        expect(data.GetArray("det_F").GetTuple(c)[0] > 0, "no cell inside out")
    strained = max(data.GetArray("von_mises").GetTuple(c)[0] for c in range(grid.GetNumberOfCells()))
    expect((strained > 1) == (number > 0), f"stress {strained} in frame {number}")
print(f"{len(times)} frames")
