#!/usr/bin/env python3
"""Makes the pictures that example scenes take shapes and colours from, scenes/images/*.png, and
scenes/points/spiral.csv.

Needs Python alone.
"""
import math
import struct
import zlib
from pathlib import Path


def write_png(path, width, height, pixel):
    """`pixel(x, y)`: brightness or red, green, blue, 0 to 255; (0, 0) is the upper left corner."""
    first = pixel(0, 0)
    channels = 3 if isinstance(first, tuple) else 1
    rows = bytearray()
    for y in range(height):
        rows.append(0)
        for x in range(width):
            value = pixel(x, y)
            values = value if channels == 3 else (value,)
            rows += bytes(max(0, min(255, round(v))) for v in values)

    def chunk(kind, data):
        checked = kind + data
        return struct.pack(">I", len(data)) + checked + struct.pack(">I", zlib.crc32(checked))

    header = struct.pack(">2I5B", width, height, 8, 2 if channels == 3 else 0, 0, 0, 0)
    pixels = zlib.compress(bytes(rows), 9)
    chunks = chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunks)


def stroke(p, a, b):
    """Distance of the point p to the straight line from a to b."""
    d = (b[0] - a[0], b[1] - a[1])
    s = ((p[0] - a[0]) * d[0] + (p[1] - a[1]) * d[1]) / (d[0] ** 2 + d[1] ** 2)
    s = min(1.0, max(0.0, s))
    return math.hypot(p[0] - a[0] - s * d[0], p[1] - a[1] - s * d[1])


# Strokes of the letters, in letter heights, y up.
LETTERS = [
    [((0, 0), (0, 1)), ((0, 1), (0.55, 1)), ((0, 0.52), (0.45, 0.52))],
    [((0.95, 0), (0.95, 1))],
    [((1.35, 0), (1.35, 1)), ((1.35, 1), (1.68, 1)), ((1.68, 1), (1.85, 0.87)),
     ((1.85, 0.87), (1.85, 0.66)), ((1.85, 0.66), (1.68, 0.53)),
     ((1.68, 0.53), (1.35, 0.53)), ((1.58, 0.53), (1.88, 0))],
    [((2.3, 0), (2.3, 1)), ((2.3, 1), (2.9, 0)), ((2.9, 0), (2.9, 1))],
]


def letters(x, y, size=64, margin=10):
    p = ((x + 0.5 - margin) / size, 1 - (y + 0.5 - margin) / size)
    distance = min(stroke(p, a, b) for letter in LETTERS for a, b in letter)
    return 127.5 + 127.5 * (0.105 - distance) * size


def letter_colors(x, y):
    """One colour for each letter, lighter towards the top."""
    column = 0 if x < 60 else 1 if x < 86 else 2 if x < 144 else 3
    base = [(214, 64, 52), (240, 168, 40), (52, 150, 92), (44, 104, 190)][column]
    return tuple(c + (255 - c) * 0.45 * max(0.0, 1 - y / 64) for c in base)


# Half width of the vase by its height, both in parts of the height.
VASE = [
    (0.0, 0.2), (0.04, 0.2), (0.09, 0.13), (0.2, 0.22), (0.42, 0.36), (0.58, 0.34), (0.74, 0.17),
    (0.84, 0.13), (0.95, 0.2), (1.0, 0.23),
]


def vase(x, y, width=104, height=128):
    h = 1 - (y - 3.5) / (height - 8)
    if h < 0 or h > 1:
        return 0
    for (h0, r0), (h1, r1) in zip(VASE, VASE[1:]):
        if h <= h1:
            s = (h - h0) / (h1 - h0)
            s = s * s * (3 - 2 * s)
            half = (r0 + s * (r1 - r0)) * (height - 8)
            break
    outer = half - abs(x + 0.5 - width / 2)
    hollow = abs(x + 0.5 - width / 2) - (half - 13) if h > 0.2 else 100
    return 127.5 + 127.5 * min(outer, hollow)


def mountain(x, y, width=96, height=64):
    """A slope down to the right with a winding gully, rocks and a flat run-out."""
    u, v = x / (width - 1), y / (height - 1)
    slope = (1 - min(1.0, u / 0.72)) ** 1.35
    middle = 0.5 + 0.16 * math.sin(5.2 * u)
    gully = 0.2 * min(1.0, 3 * abs(v - middle)) ** 1.5 * (0.25 + slope)
    waves = ((31, 7, 0), (-11, 23, 1), (17, 29, 2))
    rough = 0.012 * sum(math.sin(a * u + b * v + c) for a, b, c in waves)
    places = ((0.56, 0.42), (0.62, 0.62), (0.47, 0.62))
    rock = lambda a, b: 0.09 * math.exp(-((2.25 * (u - a) ** 2 + (v - b) ** 2) / 0.0022))
    rocks = sum(rock(a, b) for a, b in places)
    return 255 * (0.06 + 0.72 * slope + gully + rough * (0.3 + slope) + rocks) / 1.1


def spiral():
    """A spring, three turns of nine strands of points (m)."""
    rows = ["x,y,z"]
    count = 270
    for i in range(count):
        s = i / (count - 1)
        a = 2 * math.pi * 3 * s
        for r in (0.2, 0.215, 0.23):
            x, z = r * math.cos(a), r * math.sin(a)
            rows += [f"{x:.4f},{0.1 + 0.5 * s + lift:.4f},{z:.4f}" for lift in (0.0, 0.015, 0.03)]
    return "\n".join(rows) + "\n"


def main():
    scenes = Path(__file__).resolve().parent.parent / "scenes"
    images, points = scenes / "images", scenes / "points"
    images.mkdir(exist_ok=True)
    points.mkdir(exist_ok=True)
    write_png(images / "letters.png", 206, 84, letters)
    write_png(images / "letter_colors.png", 206, 84, letter_colors)
    write_png(images / "vase.png", 104, 128, vase)
    write_png(images / "mountain.png", 96, 64, mountain)
    (points / "spiral.csv").write_text(spiral())


if __name__ == "__main__":
    main()
