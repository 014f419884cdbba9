"""bgeo_opens.py RUN: the .bgeo files by the description of the classic layout, version 5."""
import os
import struct
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from frames import expect, expect_near, frame_file, last_frame, read_frame  # noqa: E402


def read_bgeo(path):
    """Names of the attributes with their first word and number of words, and the words of points."""
    with open(path, "rb") as file:
        expect(file.read(5) == b"BgeoV", "magic")
        version, count, *other, attributes, _, _, _ = struct.unpack(">9i", file.read(36))
        expect(version == 5 and other == [0, 0, 0], "version, no primitives, no groups")
        names, words, codes = {}, 4, "4f"
        for _ in range(attributes):
            length, = struct.unpack(">H", file.read(2))
            name = file.read(length).decode()
            size, kind = struct.unpack(">Hi", file.read(6))
            file.read(4 * size)
            names[name] = (words, size)
            words += size
            codes += f"{size}{'i' if kind == 1 else 'f'}"
        points = list(struct.iter_unpack(">" + codes, file.read(4 * words * count)))
        expect(file.read() == b"\0\xff", "end of the file")
        return names, points


run = sys.argv[1]
for number in range(last_frame(run) + 1):
    frame = read_frame(frame_file(run, number))
    names, points = read_bgeo(frame_file(run, number)[:-3] + "bgeo")
    expect(len(points) == len(frame["x"]), "number of points")
    expect({"v", "Cd", "pscale", "id", "material"} <= set(names), f"attributes: {sorted(names)}")
    for p in range(0, len(points), 31):
        expect(points[p][:4] == (frame["x"][p], frame["y"][p], frame["z"][p], 1), "position")
        expect(points[p][names["v"][0] + 2] == frame["vz"][p], "velocity")
        expect(points[p][names["id"][0]] == frame["id"][p], "id")
        expect_near(points[p][names["Cd"][0]], frame["red"][p] / 255, 1e-6, "colour")
        radius = points[p][names["pscale"][0]]
        expect_near(4 / 3 * 3.14159265 * radius**3, frame["volume"][p], 1e-9, "volume")
print(f"{last_frame(run) + 1} frames")
