#!/usr/bin/env python3
"""Fails on an include that points up: a room may include only itself and the rooms that its line in
src/CMakeLists.txt depends on, directly or through others."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
direct = {}
for line in (root / "src/CMakeLists.txt").read_text().splitlines():
    match = re.match(r"\s*firn_room\((\w+)(.*)\)", line)
    if match:
        depends = re.search(r"DEPENDS ([\w ]*?)(?: LIBRARIES\w*|$)", match.group(2))
        direct[match.group(1)] = depends.group(1).split() if depends else []


def reachable(room):
    found = {room}
    for other in direct[room]:
        found |= reachable(other)
    return found


def violations(room, files):
    allowed = reachable(room)
    for path in files:
        for number, line in enumerate(path.read_text().splitlines(), 1):
            include = re.match(r'\s*#include "(\w+)/', line)
            if include and include.group(1) in direct and include.group(1) not in allowed:
                yield f"{path.relative_to(root)}:{number}: {room} must not include {include.group(1)}"


def self_test():
    """The check must be able to fail: base may not know mpm, and no solver another one."""
    assert "mpm" not in reachable("base") and "base" in reachable("mpm")
    solvers = {"mpm", "sph", "fem"}
    assert all(reachable(room) & solvers == {room} for room in solvers)


self_test()
found = []
for room in direct:
    folder = root / "src" / room
    found += violations(room, sorted(p for p in folder.rglob("*") if p.suffix in (".h", ".cpp", ".cu")))
for folder in (root / "src").iterdir():
    if folder.is_dir() and folder.name not in direct and any(folder.iterdir()):
        found.append(f"src/{folder.name}: no line in src/CMakeLists.txt")
print("\n".join(found) or f"{len(direct)} rooms, every include points the right way")
sys.exit(1 if found else 0)
