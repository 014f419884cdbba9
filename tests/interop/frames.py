"""Firn's PLY frames, read with nothing but Python: what the other programs are compared with."""
import pathlib
import struct

CODES = {"float": "f", "double": "d", "int": "i", "uint": "I", "uchar": "B"}


def read_frame(path):
    """A dictionary of columns."""
    data = pathlib.Path(path).read_bytes()
    end = data.index(b"end_header\n") + len(b"end_header\n")
    names, codes, count = [], "<", 0
    for line in data[:end].decode().splitlines():
        words = line.split()
        if words[:2] == ["element", "vertex"]:
            count = int(words[2])
        elif words[0] == "element":
            break
        elif words[0] == "property":
            names.append(words[2])
            codes += CODES[words[1]]
    row = struct.Struct(codes)
    rows = row.iter_unpack(data[end:end + count * row.size])
    return dict(zip(names, map(list, zip(*rows))))


def expect_same_points(mesh, frame, what):
    """A mesh of Blender's against the columns of a frame."""
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


def frame_file(run, number):
    return f"{run}/frames/frame_{number:04d}.ply"


def last_frame(run):
    return len(list(pathlib.Path(run, "frames").glob("frame_*.ply"))) - 1


def expect(truth, what):
    if not truth:
        raise SystemExit("FAILED " + what)


def expect_near(a, b, tolerance, what):
    expect(abs(a - b) <= tolerance, f"{what}: {a} and {b}")
