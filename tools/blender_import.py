"""Imports a run of Firn into Blender (3.4 or newer), animated.

  blender --python tools/blender_import.py -- RUN_DIR              particles: frames/frame_NNNN.ply
  blender --python tools/blender_import.py -- RUN_DIR --meshes     surfaces: meshes/mesh_NNNN.ply
  blender --python tools/blender_import.py                         reconnects a saved .blend

Frame k of the run is frame k of the timeline. Every column of the files becomes an attribute of the
points: velocity (m/s, from vx vy vz), color (from red green blue), id, material and so on; Blender's
own PLY import drops them. Particles are a mesh of vertices only: give it a geometry nodes tree with
"Mesh to Points" to draw balls; meshes of the frames are faces between their points. Bodies that move
(frames/bodies_NNNN.json) are empties with keyframes, children of the object: parent to them what is
to move along. Firn's y is up; the object is turned so that Blender's z is.

Blender does not save what follows the timeline. After opening a .blend, run the script again without
a folder: it finds the objects that it made by their properties. No add-on is needed.
From Python: `import_run(folder, meshes=False)` returns the object.
"""

import json
import math
import os
import re
import sys

import bpy
import numpy

TYPES = {"char": "i1", "uchar": "u1", "short": "<i2", "ushort": "<u2", "int": "<i4", "uint": "<u4",
         "float": "<f4", "double": "<f8"}
VECTORS = {"velocity": ("vx", "vy", "vz"), "color": ("red", "green", "blue")}
FOLDER, KIND = "firn_folder", "firn_kind"
FILES = {"frames": "frame_", "meshes": "mesh_"}
CHANNELS = {"location": "position", "rotation_quaternion": "rotation", "scale": "scale"}


def read_header(file):
    """The elements of a binary PLY file: a list of (name, count, [(property, type, is list)])."""
    if file.readline().strip() != b"ply":
        raise ValueError("not a PLY file")
    elements = []
    for line in iter(file.readline, b""):
        words = line.decode("ascii", "replace").split()
        if words[:1] == ["format"] and words[1] != "binary_little_endian":
            raise ValueError("only binary little-endian PLY files are read")
        if words[:1] == ["element"]:
            elements.append((words[1], int(words[2]), []))
        elif words[:1] == ["property"]:
            elements[-1][2].append((words[-1], words[-2], words[1] == "list"))
        elif words == ["end_header"]:
            return elements
    raise ValueError("the header does not end")


def read_ply(path):
    """Columns of the vertices by name, and an array of triangles (empty for particles)."""
    columns, triangles = {}, numpy.zeros((0, 3), "<i4")
    with open(path, "rb") as file:
        for name, count, properties in read_header(file):
            fields = []
            for prop, kind, is_list in properties:  # lists are the triangles of Firn's meshes
                fields += ([("size", "u1"), (prop, "<i4", (3,))] if is_list
                           else [(prop, TYPES[kind])])
            layout = numpy.dtype(fields)
            data = file.read(count * layout.itemsize)
            if len(data) != count * layout.itemsize:
                raise ValueError(path + ": ends too early")
            rows = numpy.frombuffer(data, layout)
            if name == "vertex":
                columns = {field: rows[field] for field in layout.names}
            elif name == "face" and count:
                triangles = rows[layout.names[-1]]
    return columns, triangles


def add_attribute(mesh, name, values):
    """An attribute of the points from an array of numbers or of triples."""
    if name == "color":
        alpha = numpy.ones((len(values), 1), "f4")
        attribute = mesh.attributes.new(name, "FLOAT_COLOR", "POINT")
        attribute.data.foreach_set("color", numpy.hstack([values / 255.0, alpha]).astype("f4").ravel())
    elif values.ndim == 2:
        attribute = mesh.attributes.new(name, "FLOAT_VECTOR", "POINT")
        attribute.data.foreach_set("vector", values.astype("f4").ravel())
    elif values.dtype.kind == "f":
        attribute = mesh.attributes.new(name, "FLOAT", "POINT")
        attribute.data.foreach_set("value", values.astype("f4"))
    else:
        attribute = mesh.attributes.new(name, "INT", "POINT")
        attribute.data.foreach_set("value", values.astype("i4"))


def fill(mesh, columns, triangles):
    """Replaces what a mesh holds."""
    mesh.clear_geometry()
    positions = numpy.stack([columns[axis] for axis in "xyz"], axis=1).astype("f4")
    mesh.vertices.add(len(positions))
    mesh.vertices.foreach_set("co", positions.ravel())
    if len(triangles):
        mesh.loops.add(3 * len(triangles))
        mesh.loops.foreach_set("vertex_index", triangles.astype("i4").ravel())
        mesh.polygons.add(len(triangles))
        mesh.polygons.foreach_set("loop_start", numpy.arange(0, 3 * len(triangles), 3, "i4"))
        mesh.polygons.foreach_set("loop_total", numpy.full(len(triangles), 3, "i4"))
        mesh.polygons.foreach_set("use_smooth", numpy.ones(len(triangles), bool))
    used = set("xyz")
    for name, parts in VECTORS.items():
        if all(part in columns for part in parts):
            add_attribute(mesh, name, numpy.stack([columns[part] for part in parts], axis=1))
            used.update(parts)
    for name, values in columns.items():
        if name not in used:
            add_attribute(mesh, name, values)
    mesh.update(calc_edges=bool(len(triangles)))


def numbers_in(folder, prefix, ending):
    """The numbers of the files PREFIX_NNNN.ENDING there are, ascending."""
    pattern = re.compile(re.escape(prefix) + r"(\d{4,})\." + ending + "$")
    names = os.listdir(folder) if os.path.isdir(folder) else []
    return sorted(int(match.group(1)) for match in map(pattern.match, names) if match)


def file_numbers(folder, kind):
    """The numbers of the frames or meshes there are, ascending."""
    return numbers_in(os.path.join(folder, kind), FILES[kind], "ply")


def show(target, frame):
    """Fills an object of ours with a frame; before the first and after the last these stay."""
    folder, kind = bpy.path.abspath(target[FOLDER]), target[KIND]
    numbers = [n for n in file_numbers(folder, kind) if n <= frame] or file_numbers(folder, kind)[:1]
    if numbers:
        path = os.path.join(folder, kind, "%s%04d.ply" % (FILES[kind], numbers[-1]))
        fill(target.data, *read_ply(path))


def read_poses(folder):
    """By name the poses of each body: {frame: {"position", "rotation", "scale"}}."""
    frames, bodies = os.path.join(folder, "frames"), {}
    for number in numbers_in(frames, "bodies_", "json"):
        try:
            with open(os.path.join(frames, "bodies_%04d.json" % number), encoding="utf-8") as file:
                for body in json.load(file)["bodies"]:
                    pose = {key: body[key] for key in CHANNELS.values()}
                    bodies.setdefault(body["name"], {})[number] = dict(pose, scale=[pose["scale"]] * 3)
        except (OSError, ValueError, KeyError, TypeError):
            pass  # a damaged file: the body moves straight over its frame
    return bodies


def without_flips(poses):
    """Quaternions whose neighbours lie on the same side: q and -q are the same rotation."""
    before = None
    for number in sorted(poses):
        q = poses[number]["rotation"]
        if before and sum(a * b for a, b in zip(before, q)) < 0:
            q = [-a for a in q]
        poses[number]["rotation"] = before = q
    return poses


def add_body(name, poses, parent):
    """An empty with a keyframe for each pose, in the coordinates of Firn below its parent."""
    body = bpy.data.objects.new(name, None)
    body.parent, body.rotation_mode = parent, "QUATERNION"
    bpy.context.scene.collection.objects.link(body)
    body.animation_data_create().action = bpy.data.actions.new(name)
    numbers = sorted(poses)
    for path, key in CHANNELS.items():
        for index in range(len(poses[numbers[0]][key])):
            curve = body.animation_data.action.fcurves.new(path, index=index)
            curve.keyframe_points.add(len(numbers))
            places = [x for n in numbers for x in (n, poses[n][key][index])]
            curve.keyframe_points.foreach_set("co", places)
            for point in curve.keyframe_points:
                point.interpolation = "LINEAR"
            curve.update()
    return body


@bpy.app.handlers.persistent
def firn_follow_timeline(scene, *_):
    for target in scene.objects:
        if FOLDER in target and target.type == "MESH":
            show(target, scene.frame_current)


def connect():
    """Follows the timeline, once."""
    handlers = bpy.app.handlers.frame_change_pre
    for handler in [h for h in handlers if h.__name__ == firn_follow_timeline.__name__]:
        handlers.remove(handler)
    handlers.append(firn_follow_timeline)


def import_run(folder, meshes=False):
    """A new object that shows the particles or the surfaces of a run at the current frame."""
    folder, kind = os.path.abspath(folder), "meshes" if meshes else "frames"
    numbers = file_numbers(folder, kind)
    if not numbers:
        raise FileNotFoundError(os.path.join(folder, kind) + ": no " + FILES[kind] + "NNNN.ply" +
                                ("; make them with: firn mesh " + folder if meshes else ""))
    name = os.path.basename(folder) + (" surface" if meshes else " particles")
    target = bpy.data.objects.new(name, bpy.data.meshes.new(name))
    target[FOLDER], target[KIND] = folder, kind
    target.rotation_euler = (math.pi / 2, 0, 0)
    scene = bpy.context.scene
    scene.collection.objects.link(target)
    scene.frame_start, scene.frame_end = numbers[0], numbers[-1]
    try:
        with open(os.path.join(folder, "scene.json"), encoding="utf-8") as file:
            fps = json.load(file)["fps"]
        scene.render.fps, scene.render.fps_base = max(1, round(fps)), max(1, round(fps)) / fps
    except (OSError, ValueError, KeyError):
        pass  # the frame rate stays as it was
    for body, poses in read_poses(folder).items() if kind == "frames" else ():
        add_body(body, without_flips(poses), target)
    connect()
    show(target, scene.frame_current)
    return target


def main(arguments):
    folders = [a for a in arguments if not a.startswith("--")]
    unknown = [a for a in arguments if a.startswith("--") and a != "--meshes"]
    if unknown or len(folders) > 1:
        sys.exit("usage: blender --python blender_import.py -- [RUN_DIR [--meshes]]")
    if folders:
        import_run(folders[0], "--meshes" in arguments)
    else:
        connect()
        firn_follow_timeline(bpy.context.scene)


if __name__ == "__main__":
    main(sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else [])
