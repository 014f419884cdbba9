#!/usr/bin/env python3
"""Nothing in src/cuda and src/mpm_cuda may use the default stream or wait for the whole device: while one thread
records a graph, that would end the record, and two worlds could not run side by side."""
import pathlib
import re
import sys

FORBIDDEN = re.compile(r"\b(cudaMemcpy(?!Async)\w*|cudaMemset(?!Async)\w*|cudaDeviceSynchronize"
                       r"|cudaStreamCreate|cudaStreamSynchronize(?=\(\s*0\s*\)))\s*\(")
LAUNCH = re.compile(r"<<<(.*?)>>>", re.DOTALL)
# With their stream, which has a default, as the last argument.
ASYNC = {"cudaMemcpyAsync": 5, "cudaMemsetAsync": 4}


def arguments(text):
    """The arguments of a launch: commas outside of all brackets part them."""
    depth, count = 0, 1
    for c in text:
        depth += (c in "(<[{") - (c in ")>]}")
        count += c == "," and depth == 0
    return count


def inside(text, at):
    """What stands between the bracket at `at` and the one that closes it."""
    depth = 0
    for end in range(at, len(text)):
        depth += (text[end] == "(") - (text[end] == ")")
        if depth == 0:
            return text[at + 1:end]
    return ""


def problems(path):
    text = re.sub(r"//.*", "", path.read_text())
    for call in FORBIDDEN.finditer(text):
        yield text.count("\n", 0, call.start()) + 1, f"{call.group(1)} uses no stream of its own"
    for call in re.finditer(r"\b(" + "|".join(ASYNC) + r")\(", text):
        if arguments(inside(text, call.end() - 1)) < ASYNC[call.group(1)]:
            yield text.count("\n", 0, call.start()) + 1, f"{call.group(1)} on the default stream"
    for launch in LAUNCH.finditer(text):
        if arguments(launch.group(1)) < 4:
            yield text.count("\n", 0, launch.start()) + 1, "a kernel is started on the default stream"


def main():
    rooms = [pathlib.Path(sys.argv[1]) / "src" / room for room in ("cuda", "mpm_cuda")]
    files = sorted(p for room in rooms for p in room.iterdir() if p.suffix in (".h", ".cu"))
    found = [f"{p}:{line}: {what}" for p in files for line, what in problems(p)]
    launches = sum(len(LAUNCH.findall(p.read_text())) for p in files)
    print("\n".join(found) or f"{len(files)} files, {launches} launches, each on a stream")
    return 1 if found or launches == 0 else 0


sys.exit(main())
