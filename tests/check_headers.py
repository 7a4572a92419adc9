#!/usr/bin/env python3
"""Fails if a header of lib/ or tools/ does not compile by itself.

usage: check_headers.py [--build DIR] [--cxx "COMPILER"] [--mpi "FLAGS"] [--cupti "FLAGS"]  (from the root of the tree)

Each header becomes a translation unit of its own. What it lacks of this tree or of the system is an error. What it lacks
of the C++ standard library check_includes.py finds. Here all of that is there, precompiled: to read it anew would take
most of the time. A header that passed is compiled again when it, or what it includes, has changed. FLAGS are for the
headers that may include MPI's or what is generated from it, and CUPTI's; without FLAGS they are left out.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import platform
import re
import shlex
import subprocess
import sys

from check_includes import INCLUDE, Tree

STANDARD = re.compile(r"[a-z_]+")
NEED = {"lib/measure/mpi/": "mpi", "lib/exchange/mpi/": "mpi", "lib/measure/cuda-layer/": "cupti"}


def contents(path, tree, seen):
    """Of a file and of those of this tree that it includes."""
    if path not in seen:
        seen.add(path)
        text = path.read_text()
        yield text
        for name in INCLUDE.findall(text):
            own = tree.file(name, path)
            if own:
                yield from contents(own, tree, seen)


def key_of(path, tree, command):
    """Changes with whatever may change how a header compiles, except for the headers of the system."""
    digest = hashlib.sha256(repr(command).encode())
    for text in contents(path, tree, set()):
        digest.update(text.encode())
    return digest.hexdigest()


def needed_flags(path, options):
    """Of a header that needs those of another library; None: that is not there."""
    for folder, library in NEED.items():
        if str(path).startswith(folder):
            return shlex.split(vars(options)[library]) or None
    return []


def is_of_another_processor(path):
    """Whether its names of registers are not those of this processor."""
    folder = path.parts[3] if path.parts[:3] == ("lib", "measure", "processor") else ""
    return folder in ("aarch64", "x86_64") and folder != platform.machine()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--cxx", default="g++")
    parser.add_argument("--mpi", default="")
    parser.add_argument("--cupti", default="")
    options = parser.parse_args()
    work = options.build / "headers"
    work.mkdir(parents=True, exist_ok=True)
    standard, stamp = work / "standard.hpp", work / "passed.json"
    compiler = [*shlex.split(options.cxx), "-std=c++20", "-w", "-pthread", "-Ilib", f"-I{options.build}/generated"]

    def compiles(command):
        result = subprocess.run(command, capture_output=True, text=True)
        return "" if result.returncode == 0 else result.stderr

    headers = [path for folder in ("lib", "tools") for path in sorted(pathlib.Path(folder).rglob("*.h*"))
               if path.suffix in (".h", ".hpp") and needed_flags(path, options) is not None
               and not is_of_another_processor(path)]
    tree = Tree()
    passed = json.loads(stamp.read_text()) if stamp.exists() else {}
    keys, commands = {}, {}
    for path in headers:
        command = [*compiler, *needed_flags(path, options),
                   *([f"-Itools/{path.parts[1]}"] if path.parts[0] == "tools" else []),
                   "-fsyntax-only", "-include", str(standard), "-include", str(path), "-x", "c++", "/dev/null"]
        keys[str(path)] = key_of(path, tree, command)
        if passed.get(str(path)) != keys[str(path)]:
            commands[str(path)] = command

    if commands:
        names = {name for path in headers for name in INCLUDE.findall(path.read_text()) if STANDARD.fullmatch(name)}
        standard.write_text("".join(f"#include <{name}>\n" for name in sorted(names)))
        trouble = compiles([*compiler, "-x", "c++-header", str(standard), "-o", f"{standard}.gch"])
        if trouble:
            sys.exit(trouble)

    failed = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, trouble in zip(commands, pool.map(compiles, commands.values())):
            if trouble:
                failed[path] = trouble
                print(f"{path} does not compile by itself:\n{trouble}")
    stamp.write_text(json.dumps({path: key for path, key in keys.items() if path not in failed}, indent=0))
    if not failed:
        print("headers: ok")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
