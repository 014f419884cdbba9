#!/usr/bin/env python3
"""Makes the meshes of the example scenes: scenes/meshes/bunny.ply, armadillo.stl, castle.obj,
shovel.glb, rake.obj, toothbrush.obj and head.ply.

Needs Python alone. The animals are level sets of blended ellipsoids and capsules, turned into
triangles by surface nets; tools and castle are closed parts that overlap. Lengths are metres, y is
up.
"""
import json
import math
import struct
import sys
import zlib
from pathlib import Path


# Vectors are tuples of three numbers.
def add(a, b):
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def sub(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def scaled(a, s):
    return (a[0] * s, a[1] * s, a[2] * s)


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def turned(p, axis, degrees):
    """Rotates about the axis "x", "y" or "z"."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    x, y, z = p
    if axis == "x":
        return (x, c * y - s * z, s * y + c * z)
    if axis == "y":
        return (c * x + s * z, y, c * z - s * x)
    return (c * x - s * y, s * x + c * y, z)


# Distances, negative inside. That of the ellipsoid is exact at the surface only.
def ellipsoid(center, radii, axis="z", degrees=0.0):
    def distance(p):
        q = turned(sub(p, center), axis, -degrees)
        k = math.hypot(q[0] / radii[0], q[1] / radii[1], q[2] / radii[2])
        slope = math.hypot(q[0] / radii[0] ** 2, q[1] / radii[1] ** 2, q[2] / radii[2] ** 2)
        return k * (k - 1.0) / slope if slope > 0 else -min(radii)

    return distance


def capsule(a, b, radius_a, radius_b=None):
    """A rod with round ends, its radius linear from a to b."""
    radius_b = radius_a if radius_b is None else radius_b
    along = sub(b, a)
    length2 = dot(along, along)

    def distance(p):
        q = sub(p, a)
        s = min(1.0, max(0.0, dot(q, along) / length2))
        r = sub(q, scaled(along, s))
        return math.sqrt(dot(r, r)) - (radius_a + s * (radius_b - radius_a))

    return distance


def blend(parts, width):
    """The union of the parts with fillets of about the width."""

    def distance(p):
        d = parts[0](p)
        for part in parts[1:]:
            e = part(p)
            h = max(width - abs(d - e), 0.0) / width
            d = min(d, e) - 0.25 * h * h * width
        return d

    return distance


def head():
    """A head and the top of its shoulders; the face looks to -x."""
    face = blend([
        ellipsoid((0.02, 0.02, 0), (0.098, 0.125, 0.078)),
        ellipsoid((0.035, 0.055, 0), (0.1, 0.092, 0.08)),
        ellipsoid((-0.035, -0.06, 0), (0.048, 0.06, 0.055)),
        capsule((-0.062, -0.095, 0), (-0.05, -0.1, 0), 0.024),
        capsule((-0.078, 0.035, 0), (-0.104, -0.016, 0), 0.008, 0.016),
        capsule((-0.08, -0.058, -0.014), (-0.08, -0.058, 0.014), 0.01),
        capsule((-0.058, 0.042, -0.045), (-0.07, 0.046, 0.0), 0.014),
        capsule((-0.058, 0.042, 0.045), (-0.07, 0.046, 0.0), 0.014),
        capsule((0.035, -0.08, 0), (0.05, -0.22, 0), 0.052, 0.058),
        capsule((0.055, -0.25, -0.14), (0.055, -0.25, 0.14), 0.065),
    ] + [
        ellipsoid((0.03, 0.005, side * 0.082), (0.02, 0.032, 0.009)) for side in (-1, 1)
    ], 0.02)
    sockets = [ellipsoid((-0.092, 0.018, side * 0.034), (0.022, 0.013, 0.018)) for side in (-1, 1)]
    return lambda p: max(face(p), -0.05 - p[1] - 0.2, *(-socket(p) for socket in sockets))


def mirrored(parts_of_side):
    """Both sides of a body, z being the direction across it."""
    return parts_of_side(1.0) + parts_of_side(-1.0)


def bunny():
    def side(s):
        return [
            ellipsoid((0.07, 0.125, 0.085 * s), (0.115, 0.115, 0.06)),  # haunch
            capsule((0.06, 0.025, 0.115 * s), (-0.07, 0.022, 0.12 * s), 0.03, 0.026),  # hind foot
            capsule((-0.12, 0.16, 0.05 * s), (-0.16, 0.025, 0.055 * s), 0.04, 0.028),  # front leg
            capsule((-0.16, 0.022, 0.055 * s), (-0.2, 0.02, 0.057 * s), 0.025, 0.022),
            ellipsoid((-0.075, 0.545, 0.05 * s), (0.035, 0.135, 0.028), "z", -24 + 8 * s),  # ear
        ]

    body = [
        ellipsoid((0.03, 0.155, 0.0), (0.19, 0.145, 0.13), "z", -14),
        ellipsoid((-0.1, 0.2, 0.0), (0.095, 0.12, 0.095)),
        ellipsoid((-0.155, 0.365, 0.0), (0.105, 0.085, 0.08), "z", 12),
        ellipsoid((-0.235, 0.345, 0.0), (0.05, 0.045, 0.05)),  # muzzle
        ellipsoid((0.215, 0.12, 0.0), (0.055, 0.055, 0.055)),  # tail
    ]
    return blend(body + mirrored(side), 0.05)


def armadillo():
    def side(s):
        return [
            capsule((0.0, 0.27, 0.075 * s), (-0.07, 0.17, 0.125 * s), 0.07, 0.052),  # thigh
            capsule((-0.07, 0.17, 0.125 * s), (-0.01, 0.045, 0.125 * s), 0.05, 0.034),
            capsule((-0.01, 0.028, 0.125 * s), (-0.115, 0.024, 0.145 * s), 0.034, 0.03),  # foot
            capsule((-0.02, 0.47, 0.1 * s), (-0.06, 0.42, 0.225 * s), 0.05, 0.04),  # upper arm
            capsule((-0.06, 0.42, 0.225 * s), (-0.13, 0.54, 0.265 * s), 0.042, 0.034),
            capsule((-0.13, 0.55, 0.265 * s), (-0.18, 0.615, 0.25 * s), 0.036, 0.026),  # fingers
            capsule((-0.13, 0.55, 0.265 * s), (-0.15, 0.625, 0.315 * s), 0.034, 0.026),
            capsule((-0.13, 0.55, 0.265 * s), (-0.17, 0.57, 0.2 * s), 0.03, 0.025),
            ellipsoid((-0.01, 0.7, 0.08 * s), (0.032, 0.085, 0.042), "x", 28 * s),  # ear
        ]

    def shell(p):
        # Bands across the back.
        return ellipsoid((0.05, 0.39, 0.0), (0.125, 0.19, 0.15))(p) - 0.006 * math.sin(130 * p[1])

    body = [
        ellipsoid((-0.02, 0.37, 0.0), (0.11, 0.185, 0.125)),
        shell,
        ellipsoid((-0.045, 0.61, 0.0), (0.08, 0.08, 0.078)),  # head
        capsule((-0.08, 0.6, 0.0), (-0.2, 0.555, 0.0), 0.055, 0.026),  # snout
        capsule((0.08, 0.27, 0.0), (0.2, 0.13, 0.0), 0.065, 0.045),  # tail
        capsule((0.2, 0.13, 0.0), (0.33, 0.05, 0.02), 0.045, 0.02),
    ]
    return blend(body + mirrored(side), 0.05)


def surface_net(distance, low, high, spacing):
    """The zero level: a vertex for each cell it crosses, two triangles for each edge it crosses."""
    n = [math.ceil((b - a) / spacing) + 1 for a, b in zip(low, high)]
    place = lambda i: tuple(low[c] + i[c] * spacing for c in range(3))
    value = {}
    for i in range(n[0]):
        for j in range(n[1]):
            for k in range(n[2]):
                value[i, j, k] = distance(place((i, j, k)))
    corners = [(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    axes = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    edges = [(a, add(a, u)) for u in axes for a in corners if dot(a, u) == 0]
    vertices, index = [], {}

    def vertex_of(cell):
        if cell not in index:
            crossings = []
            for a, b in edges:
                va, vb = value[add(cell, a)], value[add(cell, b)]
                if (va < 0) != (vb < 0):
                    pa, pb = place(add(cell, a)), place(add(cell, b))
                    crossings.append(add(pa, scaled(sub(pb, pa), va / (va - vb))))
            middle = scaled(tuple(map(sum, zip(*crossings))), 1.0 / len(crossings))
            index[cell] = len(vertices)
            vertices.append(pulled_to_surface(distance, middle, 0.25 * spacing))
        return index[cell]

    triangles = []
    for node, v in value.items():
        for axis in range(3):
            u = tuple(int(c == axis) for c in range(3))
            w = value.get(add(node, u))
            if w is None or (v < 0) == (w < 0):
                continue
            s, t = u[2:] + u[:2], u[1:] + u[:1]
            quad = [vertex_of(sub(node, o)) for o in (add(s, t), s, (0, 0, 0), t)]
            if v < 0:
                quad.reverse()
            triangles += [(quad[0], quad[1], quad[2]), (quad[0], quad[2], quad[3])]
    return vertices, triangles


def pulled_to_surface(distance, p, limit):
    """One step of Newton's method along the gradient, no longer than the limit."""
    e = 1e-4
    steps = ((e, 0, 0), (0, e, 0), (0, 0, e))
    gradient = tuple((distance(add(p, u)) - distance(sub(p, u))) / (2 * e) for u in steps)
    step = -distance(p) / max(dot(gradient, gradient), 1e-6)
    return add(p, scaled(gradient, max(-limit, min(limit, step))))


class Parts:
    """Closed parts that may overlap."""

    def __init__(self):
        self.vertices, self.triangles = [], []

    def mesh(self):
        return self.vertices, self.triangles

    def tube(self, rings, place=lambda p: p):
        """A solid from rings of as many points each, listed around +y from below."""
        first, count = len(self.vertices), len(rings[0])
        for ring in rings:
            self.vertices += [place(p) for p in ring]
        for r in range(len(rings) - 1):
            for i in range(count):
                a, b = first + r * count + i, first + r * count + (i + 1) % count
                self.triangles += [(a, a + count, b), (b, a + count, b + count)]
        last = first + (len(rings) - 1) * count
        for i in range(1, count - 1):
            self.triangles += [(first, first + i, first + i + 1), (last, last + i + 1, last + i)]

    def box(self, low, high, place=lambda p: p):
        corners = ((low[0], low[2]), (high[0], low[2]), (high[0], high[2]), (low[0], high[2]))
        self.tube([[(x, y, z) for x, z in corners] for y in (low[1], high[1])], place)

    def turned_profile(self, profile, place=lambda p: p, sides=20):
        """Pairs of radius and height, from below."""
        angle = [2 * math.pi * i / sides for i in range(sides)]
        ring = lambda r, y: [(r * math.cos(a), y, r * math.sin(a)) for a in angle]
        self.tube([ring(r, y) for r, y in profile], place)


def castle():
    parts = Parts()
    at = lambda x, z: lambda p: (p[0] + x, p[1], p[2] + z)
    for x in (-0.32, 0.32):
        for z in (-0.32, 0.32):
            tower(parts, 0.1, 0.34, at(x, z), 5)
    tower(parts, 0.16, 0.48, at(0, 0), 7)
    for quarter in range(4):
        side = lambda p, q=quarter: turned(p, "y", 90 * q)
        if quarter == 3:  # the wall with the gate faces +z
            parts.box((0.28, 0, -0.34), (0.36, 0.24, -0.08), side)
            parts.box((0.28, 0, 0.08), (0.36, 0.24, 0.34), side)
            parts.box((0.28, 0.15, -0.1), (0.36, 0.26, 0.1), side)
        else:
            parts.box((0.28, 0, -0.34), (0.36, 0.24, 0.34), side)
        for z in (-0.15, -0.05, 0.05, 0.15):
            parts.box((0.275, 0.23, z - 0.026), (0.365, 0.29, z + 0.026), side)
    return parts


def tower(parts, radius, height, place, merlons):
    wide = 1.18 * radius
    top = height + 0.05
    profile = [(radius * 1.08, 0), (radius, 0.2 * height), (radius, height), (wide, top)]
    parts.turned_profile(profile, place)
    for i in range(merlons):
        ring = lambda p, i=i: place(turned(p, "y", 360 * (i + 0.5) / merlons))
        half = 0.5 * math.pi * wide / merlons
        parts.box((0.62 * radius, top - 0.02, -half * 0.55), (wide, top + 0.055, half * 0.55), ring)


def shovel():
    """The blade points to +z and is hollow on top; the handle rises towards -z."""
    parts = Parts()
    rows, columns, thick = 10, 8, 0.032
    rings = []
    for r in range(rows + 1):
        s = r / rows
        half = 0.13 * math.sqrt(max(0.02, 1 - max(0.0, (s - 0.55) / 0.47) ** 2))
        upper, lower = [], []
        for c in range(columns + 1):
            x = half * (2 * c / columns - 1)
            y = 3.2 * x * x + 0.05 * (1 - s) ** 3
            upper.append((x, y + thick, -0.15 + 0.32 * s))
            lower.append((x, y, -0.15 + 0.32 * s))
        rings.append(upper + lower[::-1])
    # tube() stacks rings along +y; the quarter turn makes that +z.
    parts.tube([[(x, z, -y) for x, y, z in ring] for ring in rings], lambda p: (p[0], -p[2], p[1]))
    lean = lambda p: add(turned(p, "x", -62), (0, 0.055, -0.12))
    parts.turned_profile([(0.017, -0.03), (0.017, 0.62)], lean, 12)
    grip = lambda p: lean(add(turned(p, "z", 90), (0, 0.62, 0)))
    parts.turned_profile([(0.02, -0.075), (0.02, 0.075)], grip, 12)
    return parts


def rake():
    """Four tines along x from 0.17 on, pointing down, a crossbar and a handle."""
    parts = Parts()
    for i in range(4):
        x = 0.17 + 0.068 * i
        tine = [(0.008, 0.03), (0.018, 0.055), (0.018, 0.26)]
        parts.turned_profile(tine, lambda p, x=x: add(p, (x, 0, 0)), 12)
    parts.box((0.145, 0.24, -0.018), (0.399, 0.276, 0.018))
    lean = lambda p: add(turned(p, "x", 40), (0.272, 0.255, 0))
    parts.turned_profile([(0.013, 0), (0.013, 0.5)], lean, 12)
    return parts


def toothbrush():
    """Tufts up to y = 0 along x, on a plate with a handle towards +x."""
    parts = Parts()
    tuft = [(0.013, -0.1), (0.0145, 0)]
    for row in range(3):
        for i in range(9 if row == 1 else 8):
            place = lambda p, i=i, row=row: add(p, (0.04 * (i - 4 + 0.5 * (row != 1)), 0, 0.035 * (row - 1)))
            parts.turned_profile(tuft, place, 12)
    # Rings stand along +x: the quarter turn makes that of +y.
    lying = lambda p: (p[1], -p[0], p[2])
    outline = lambda x, half, thick, y: [
        (-y + thick * math.sin(a), x, half * math.cos(a)) for a in [2 * math.pi * k / 20 for k in range(20)][::-1]]
    bend = [(-0.2, 0.03, 0.012, -0.115), (-0.185, 0.058, 0.02, -0.115), (0, 0.066, 0.022, -0.115),
            (0.17, 0.06, 0.02, -0.115), (0.23, 0.03, 0.02, -0.112), (0.4, 0.026, 0.022, -0.1),
            (0.52, 0.04, 0.028, -0.1), (0.9, 0.044, 0.03, -0.1), (1.0, 0.036, 0.026, -0.1), (1.03, 0.016, 0.012, -0.1)]
    parts.tube([outline(*ring) for ring in bend], lying)
    return parts


def is_closed(triangles):
    """Every edge has one neighbour, on its other side."""
    seen = {}
    for a, b, c in triangles:
        for edge in ((a, b), (b, c), (c, a)):
            seen[edge] = seen.get(edge, 0) + 1
    return all(count == 1 and seen.get((b, a), 0) == 1 for (a, b), count in seen.items())


def animal(distance, low, high, spacing):
    """Surface nets pinch where two surfaces meet in one cell: then the grid is shifted."""
    for attempt in range(24):
        shift = scaled((0.37, 0.61, 0.83), spacing * (attempt % 3) / 3)
        mesh = surface_net(distance, sub(low, shift), high, spacing * 0.99 ** attempt)
        if is_closed(mesh[1]):
            return mesh
    sys.exit("no place of the grid gives a closed surface; change the spacing")


def volume(vertices, triangles):
    return sum(dot(vertices[a], cross(vertices[b], vertices[c])) for a, b, c in triangles) / 6


def write_obj(path, vertices, triangles):
    lines = ["# Made by tools/make_meshes.py"]
    lines += ["v " + " ".join(f"{c:.5g}" for c in v) for v in vertices]
    lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in triangles]
    path.write_text("\n".join(lines) + "\n")


def write_ply(path, vertices, triangles):
    header = (
        "ply\nformat binary_little_endian 1.0\ncomment Made by tools/make_meshes.py\n"
        f"element vertex {len(vertices)}\nproperty float x\nproperty float y\nproperty float z\n"
        f"element face {len(triangles)}\nproperty list uchar ushort vertex_indices\nend_header\n"
    )
    body = [struct.pack("<3f", *v) for v in vertices]
    body += [struct.pack("<B3H", 3, *t) for t in triangles]
    path.write_bytes(header.encode() + b"".join(body))


def write_stl(path, vertices, triangles):
    body = [b"Made by tools/make_meshes.py".ljust(80), struct.pack("<I", len(triangles))]
    for t in triangles:
        a, b, c = (vertices[i] for i in t)
        normal = cross(sub(b, a), sub(c, a))
        length = math.sqrt(dot(normal, normal)) or 1.0
        body.append(struct.pack("<12fH", *scaled(normal, 1 / length), *a, *b, *c, 0))
    path.write_bytes(b"".join(body))


def save_glb(path, document, binary):
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text
    chunks += struct.pack("<II", len(binary), 0x004E4942) + binary
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)


def write_glb(path, vertices, triangles):
    points = b"".join(struct.pack("<3f", *v) for v in vertices)
    indices = b"".join(struct.pack("<3H", *t) for t in triangles)
    indices += b"\0" * (-len(indices) % 4)
    rounded = [struct.unpack("<3f", struct.pack("<3f", *v)) for v in vertices]
    document = {
        "asset": {"version": "2.0", "generator": "tools/make_meshes.py"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "name": path.stem}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": len(vertices), "type": "VEC3",
             "min": list(map(min, zip(*rounded))), "max": list(map(max, zip(*rounded)))},
            {"bufferView": 1, "componentType": 5123, "count": 3 * len(triangles), "type": "SCALAR"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": len(points)},
            {"buffer": 0, "byteOffset": len(points), "byteLength": len(indices)},
        ],
        "buffers": [{"byteLength": len(points) + len(indices)}],
    }
    save_glb(path, document, points + indices)


# A painted mesh: vertices with normals and places in a picture, in parts.
def turned_outline(outline, pieces):
    """Points (radius, height, normal outwards, normal upwards) turned about the y axis, with a seam."""
    vertices, normals, places, triangles = [], [], [], []
    for i in range(pieces + 1):
        c, s = math.cos(2 * math.pi * i / pieces), math.sin(2 * math.pi * i / pieces)
        for k, (r, y, out, up) in enumerate(outline):
            vertices.append((r * c, y, r * s))
            normals.append((out * c, up, out * s))
            places.append((i / pieces, 1 - k / (len(outline) - 1)))
    rows = len(outline)
    for i in range(pieces):
        for k in range(rows - 1):
            a, b = i * rows + k, (i + 1) * rows + k
            triangles += [(a, a + 1, b), (b, a + 1, b + 1)]
    return vertices, normals, places, triangles


def arc(radius, thickness, height, first, last, pieces):
    angles = [math.radians(first + (last - first) * k / pieces) for k in range(pieces + 1)]
    return [(radius + thickness * math.cos(a), height + thickness * math.sin(a), math.cos(a), math.sin(a))
            for a in angles]


def png(width, height, pixel):
    rows = b"".join(b"\0" + b"".join(bytes(pixel(x, y)) for x in range(width)) for y in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9)) +
            chunk(b"IEND", b""))


def beach_ball(path):
    """A ball with stripes from a picture on a ring of one colour."""
    parts = [turned_outline(arc(0, 0.2, 0, -90, 90, 20), 36),
             turned_outline(arc(0.14, 0.035, -0.185, -180, 180, 16), 36)]
    stripes = [(214, 57, 51), (245, 243, 235), (38, 110, 178), (245, 243, 235), (240, 190, 48), (245, 243, 235)]
    picture = png(96, 48, lambda x, y: (245, 243, 235) if min(y, 47 - y) < 4 else stripes[x // 16])
    binary, views, accessors, primitives = b"", [], [], []

    def view(data):
        nonlocal binary
        views.append({"buffer": 0, "byteOffset": len(binary), "byteLength": len(data)})
        binary += data + b"\0" * (-len(data) % 4)
        return len(views) - 1

    def accessor(data, component, count, kind, **more):
        accessors.append({"bufferView": view(data), "componentType": component, "count": count,
                          "type": kind, **more})
        return len(accessors) - 1

    for material, (vertices, normals, places, triangles) in enumerate(parts):
        packed = [b"".join(struct.pack(f"<{len(e)}f", *e) for e in array)
                  for array in (vertices, normals, places)]
        rounded = [struct.unpack("<3f", struct.pack("<3f", *v)) for v in vertices]
        position = accessor(packed[0], 5126, len(vertices), "VEC3",
                            min=list(map(min, zip(*rounded))), max=list(map(max, zip(*rounded))))
        normal = accessor(packed[1], 5126, len(vertices), "VEC3")
        place = accessor(packed[2], 5126, len(vertices), "VEC2")
        order = accessor(b"".join(struct.pack("<3H", *t) for t in triangles), 5123, 3 * len(triangles), "SCALAR")
        primitives.append({"attributes": {"POSITION": position, "NORMAL": normal, "TEXCOORD_0": place},
                           "indices": order, "material": material})
    document = {
        "asset": {"version": "2.0", "generator": "tools/make_meshes.py"}, "scene": 0,
        "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0, "name": path.stem}],
        "meshes": [{"primitives": primitives}],
        "materials": [
            {"name": "stripes", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}},
            {"name": "wood", "pbrMetallicRoughness": {"baseColorFactor": [0.28, 0.13, 0.05, 1]}}],
        "textures": [{"source": 0}],
        "images": [{"bufferView": view(picture), "mimeType": "image/png"}],
        "accessors": accessors, "bufferViews": views, "buffers": [{"byteLength": len(binary)}]}
    save_glb(path, document, binary)
    print(f"{path.name}: {path.stat().st_size} bytes")


def main():
    folder = Path(__file__).resolve().parent.parent / "scenes" / "meshes"
    folder.mkdir(exist_ok=True)
    bunny_mesh = animal(bunny(), (-0.33, -0.05, -0.22), (0.32, 0.74, 0.22), 0.0165)
    armadillo_mesh = animal(armadillo(), (-0.32, -0.08, -0.42), (0.42, 0.88, 0.42), 0.029)
    head_mesh = animal(head(), (-0.16, -0.36, -0.24), (0.18, 0.2, 0.24), 0.0105)
    meshes = {
        "bunny.ply": (bunny_mesh, write_ply),
        "armadillo.stl": (armadillo_mesh, write_stl),
        "castle.obj": (castle().mesh(), write_obj),
        "shovel.glb": (shovel().mesh(), write_glb),
        "rake.obj": (rake().mesh(), write_obj),
        "toothbrush.obj": (toothbrush().mesh(), write_obj),
        "head.ply": (head_mesh, write_ply),
    }
    for name, ((vertices, triangles), write) in meshes.items():
        if not is_closed(triangles) or volume(vertices, triangles) <= 0:
            sys.exit(f"{name}: open or inside out")
        write(folder / name, vertices, triangles)
        size = (folder / name).stat().st_size
        print(f"{name}: {len(vertices)} vertices, {len(triangles)} triangles, {size} bytes")
    beach_ball(folder / "beach_ball.glb")


if __name__ == "__main__":
    main()
