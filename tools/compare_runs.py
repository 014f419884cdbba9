#!/usr/bin/env python3
"""Runs every shipped scene with two firn programs and says where their results differ.

  tools/compare_runs.py OLD NEW                  every scene, three frames, with 1 and with 2 threads
  tools/compare_runs.py OLD NEW splash castle    some of them
  options: --frames N  --seconds S  --fps F  --precision P  --threads 1,2  --out FOLDER

Equal must be: the bytes of frames and probes, statistics but for wall and phases, checkpoints number by number but for
the wall time, the scenes in them by meaning; and a run that OLD stopped after its first frame and NEW goes on with ends in the same frames. Where three
frames take OLD longer than S seconds (default 20), frames are made shorter until they do not.
Needs the HDF5 library.
"""
import argparse
import ctypes
import ctypes.util
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TIMES = {"wall", "phases"}      # of statistics
CLOCKS = {"reals/frame_wall"}   # of checkpoints
TEXTS = {"program", "scene"}    # which version wrote it, and in its words what: compared by meaning


class Checkpoint:
    """All datasets and attributes of an HDF5 file as bytes, by name."""
    hdf5 = None

    @classmethod
    def library(cls):
        if cls.hdf5 is None:
            cls.hdf5 = ctypes.CDLL(ctypes.util.find_library("hdf5_serial") or ctypes.util.find_library("hdf5"))
            cls.hdf5.H5open()
            for name in ("H5Fopen", "H5Oopen", "H5Dget_type", "H5Tget_native_type", "H5Aopen", "H5Aget_type"):
                getattr(cls.hdf5, name).restype = ctypes.c_int64
            for name in ("H5Dget_storage_size", "H5Aget_storage_size", "H5Tget_size"):
                getattr(cls.hdf5, name).restype = ctypes.c_uint64
        return cls.hdf5

    def __init__(self, path):
        h5, i64 = self.library(), ctypes.c_int64
        self.values = {}
        visitor = ctypes.CFUNCTYPE(ctypes.c_int, i64, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p)
        file = h5.H5Fopen(str(path).encode(), 0, i64(0))
        if file < 0:
            raise OSError(f"{path} is no HDF5 file")
        h5.H5Literate.argtypes = [i64, ctypes.c_int, ctypes.c_int, ctypes.c_void_p, visitor, ctypes.c_void_p]
        h5.H5Aiterate2.argtypes = [i64, ctypes.c_int, ctypes.c_int, ctypes.c_void_p, visitor, ctypes.c_void_p]

        def walk(place, prefix):
            names = []
            h5.H5Literate(place, 0, 0, None, visitor(lambda _, name, *__: names.append(name) or 0), None)
            for name in names:
                item = h5.H5Oopen(i64(place), name, i64(0))
                path = prefix + name.decode()
                if h5.H5Iget_type(i64(item)) == 2:  # a group
                    read_attributes(item, path)
                    walk(item, path + "/")
                else:
                    size = h5.H5Dget_storage_size(i64(item))
                    kind = h5.H5Tget_native_type(i64(h5.H5Dget_type(i64(item))), 0)
                    data = ctypes.create_string_buffer(max(1, size))
                    if h5.H5Dread(i64(item), i64(kind), i64(0), i64(0), i64(0), data) < 0:
                        raise OSError(f"{path} cannot be read")
                    self.values[path] = (h5.H5Tget_class(i64(kind)), data.raw[:size])
                h5.H5Oclose(i64(item))

        def read_attributes(group, prefix):
            names = []
            h5.H5Aiterate2(group, 0, 0, None, visitor(lambda _, name, *__: names.append(name) or 0), None)
            for name in names:
                item = h5.H5Aopen(i64(group), name, i64(0))
                data = ctypes.create_string_buffer(8)
                h5.H5Aread(i64(item), i64(h5.H5Aget_type(i64(item))), data)
                self.values[prefix + "/" + name.decode()] = (0, data.raw)
                h5.H5Aclose(i64(item))

        walk(file, "")
        h5.H5Fclose(i64(file))


def plain(scene):
    """The scene with the keys of its solver beside it, as all versions take them, and the only species left out."""
    solver = scene.get("solver", "mpm")
    if isinstance(solver, dict):
        scene = scene | {"solver": "mpm"} | {k: v for k, v in solver.items() if k != "type"}
    for thing in scene.get("objects", []) + scene.get("emitters", []):
        if thing.get("species") == "default":
            del thing["species"]
    return scene


def scene_of(values):
    return plain(json.loads(values["scene"][1].rstrip(b"\0").decode()))


def checkpoint_difference(a, b):
    old, new = Checkpoint(a).values, Checkpoint(b).values
    if scene_of(old) != scene_of(new):
        return "checkpoint: its scene"
    names = sorted(set(old) | set(new))
    wrong = [n for n in names if n not in CLOCKS | TEXTS and old.get(n) != new.get(n)]
    return f"checkpoint: {', '.join(wrong[:4])}" if wrong else None


def statistics(folder):
    lines = (folder / "stats.jsonl").read_text().splitlines()
    return [{k: v for k, v in json.loads(line).items() if k not in TIMES} for line in lines]


def difference(a, b):
    """What the results of two runs differ in, or None."""
    def frames_of(run):
        return sorted(p.name for p in (run / "frames").glob("frame_*"))

    frames = frames_of(a)
    if frames != frames_of(b):
        return "other frames"
    # Where bodies are, versions from before that do not tell.
    frames += [p.name for p in sorted((a / "frames").glob("bodies_*")) if (b / "frames" / p.name).exists()]
    for name in frames:
        if (a / "frames" / name).read_bytes() != (b / "frames" / name).read_bytes():
            return f"frames/{name}"
    for probe in sorted(a.glob("probes*")):
        if probe.is_file() and probe.read_bytes() != (b / probe.name).read_bytes():
            return probe.name
    for one, other in zip(statistics(a), statistics(b), strict=True):
        for key in sorted(set(one) | set(other)):
            if one.get(key) != other.get(key):
                return f"statistics of frame {one.get('frame')}: {key} {one.get(key)} {other.get(key)}"
    return checkpoint_difference(a / "checkpoint.h5", b / "checkpoint.h5")


class Runner:
    def __init__(self, args, folder):
        self.args, self.folder = args, folder

    def run(self, firn, name, out, threads, frames, fps, resume=False, limit=None):
        command = [firn, "run", str(ROOT / "scenes" / f"{name}.json"), "--out", str(out), "--threads", str(threads),
                   "--frames", str(frames), "--precision", self.args.precision, "--quiet"]
        command += ["--resume"] if resume else ["--overwrite"]
        if fps:
            command += ["--set", f"/fps={fps}"]
        scene = json.loads((ROOT / "scenes" / f"{name}.json").read_text())
        if isinstance(scene.get("solver"), dict):  # older versions know the word only
            for key in ("solver", *(k for k in scene["solver"] if k != "type")):
                command += ["--set", f"/{key}={json.dumps(plain(scene)[key])}"]
        subprocess.run(command, check=True, timeout=limit, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def first_run(self, name, out):
        """Frames as long as OLD can make them in time."""
        fps = self.args.fps
        while True:
            try:
                # Frames of this many a second are no longer than steps: what takes time is the start.
                limit = self.args.seconds if fps < 1e5 else None
                self.run(self.args.old, name, out, self.args.threads[-1], self.args.frames, fps, limit=limit)
                return fps
            except subprocess.TimeoutExpired:
                fps = 4 * (fps or json.loads((ROOT / "scenes" / f"{name}.json").read_text()).get("fps", 30))

    def compare(self, name):
        old, new = self.folder / "old", self.folder / "new"
        fps = self.first_run(name, old)
        wrong = []
        for threads in self.args.threads:
            self.run(self.args.new, name, new, threads, self.args.frames, fps)
            if found := difference(old, new):
                wrong.append(f"{threads} threads: {found}")
        self.run(self.args.old, name, new, self.args.threads[-1], 1, fps)
        self.run(self.args.new, name, new, self.args.threads[-1], self.args.frames, fps, resume=True)
        if found := difference(old, new):
            wrong.append(f"resumed: {found}")
        return fps, wrong


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("scenes", nargs="*")
    parser.add_argument("--frames", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--fps", type=float, default=0)
    parser.add_argument("--precision", default="float")
    parser.add_argument("--threads", type=lambda text: [int(t) for t in text.split(",")], default=[1, 2])
    parser.add_argument("--out")
    args = parser.parse_args()
    scenes = args.scenes or sorted(p.stem for p in (ROOT / "scenes").glob("*.json") if p.stem != "schema")
    folder = pathlib.Path(args.out or tempfile.mkdtemp(prefix="firn-compare-"))
    folder.mkdir(parents=True, exist_ok=True)
    runner, bad = Runner(args, folder), 0
    for name in scenes:
        try:
            fps, wrong = runner.compare(name)
        except subprocess.CalledProcessError as failure:
            fps, wrong = None, [failure.stderr.decode().strip().splitlines()[-1]]
        bad += bool(wrong)
        shortened = f" (fps {fps:g})" if fps else ""
        print(f"{name:28}{'same' if not wrong else 'DIFFERS'}{shortened}", *wrong, sep="\n    " if wrong else "", flush=True)
    shutil.rmtree(folder)
    print(f"{len(scenes)} scenes, {bad} differ")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
