"""pvpython paraview_opens.py RUN: times, point counts, arrays and values of run.pvd."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from frames import expect, expect_near, frame_file, last_frame, read_frame  # noqa: E402
from paraview.simple import PVDReader, UpdatePipeline, servermanager  # noqa: E402

run = sys.argv[1]
FPS = 60
reader = PVDReader(FileName=os.path.join(run, "run.pvd"))
times = list(reader.TimestepValues)
expect(len(times) == last_frame(run) + 1, f"one time for each frame, not {times}")
for number, time in enumerate(times):
    expect_near(time, number / FPS, 1e-6, "time of a frame")
    UpdatePipeline(time=time, proxy=reader)
    block = servermanager.Fetch(reader)
    grid = block.GetBlock(0) if block.IsA("vtkMultiBlockDataSet") else block
    frame = read_frame(frame_file(run, number))
    count = len(frame["x"])
    expect(grid.GetNumberOfPoints() == count, f"{grid.GetNumberOfPoints()} points, not {count}")
    expect(grid.GetNumberOfCells() == count, "a cell for each point")
    data = grid.GetPointData()
    for name, components in (("velocity", 3), ("id", 1), ("material", 1), ("color", 3), ("mass", 1),
                             ("volume", 1), ("F", 9)):
        array = data.GetArray(name)
        expect(array is not None, f"array {name}")
        expect(array.GetNumberOfComponents() == components, f"components of {name}")
    for p in range(0, count, 97):
        for axis, name in enumerate("xyz"):
            expect_near(grid.GetPoint(p)[axis], frame[name][p], 1e-6, "position")
            expect_near(data.GetArray("velocity").GetTuple(p)[axis], frame["v" + name][p], 1e-6,
                        "velocity")
        expect_near(data.GetArray("F").GetTuple(p)[5], frame["F_yz"][p], 1e-6, "F")
print(f"{len(times)} frames")
