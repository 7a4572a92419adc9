#!/usr/bin/env python3
"""Fails if a file includes what its layer must not.

usage: check_layers.py     (from the root of the tree)

lib/layers.txt is the only statement of which library may include which. Where it names folders of a library
("measure/core"), that library's folders are layers, too: it names each of them, and an include goes to a line further
up. So there is no circle. A tool's line names the libraries that it links. This script adds: tools never see each other
nor lib/measure (tools/measure sees its settings), and the headers of outside libraries appear only where the architecture puts them.
The main program of a tool is its top layer: it parses, calls and prints. So it is short.
"""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]', re.M)

# header pattern -> where it may be included (path prefixes)
OUTSIDE = {
    r"mpi\.h": ["lib/measure/mpi/", "lib/exchange/mpi/", "tests/", "bench/"],
    r"zlib\.h": ["lib/report/cubex/cubex_", "tests/"],
    r"libdeflate\.h": ["lib/base/bytes/crc32", "lib/trace/chunk", "lib/page/pack", "lib/store/packed_bytes", "tests/"],
    r"otf2/.*": ["lib/trace/otf2/", "tests/", "bench/"],
    r"re2/.*": ["lib/report/algebra/cubepl_"],
    r"CLI/.*": ["lib/base/tool/cli"],
    r"sqlite3\.h": ["lib/store/sqlite_", "tests/"],
    r"libpq-fe\.h": ["lib/store/libpq_library"],
    r"rapidjson/.*": ["tools/store/read_jsonl"],
    r"openssl/.*": ["lib/store/content_key"],
}

MAX_MAIN_LINES = 120


def read_layers():
    """{library: what it may include}, itself among them."""
    layers = {}
    for line in pathlib.Path("lib/layers.txt").read_text().splitlines():
        name, colon, below = line.partition("#")[0].partition(":")
        if colon:
            layers[name.strip()] = {name.strip(), *below.split()}
    return layers


def faults_of_table(layers):
    known = set()
    for name, allowed in layers.items():
        if name.startswith("tools/"):
            yield from (f"lib/layers.txt: {name}: does not name {below}, which {other} needs"
                        for other in sorted(allowed - {name}) for below in sorted(layers[other] - allowed))
            continue
        higher = sorted(allowed - known - {name})
        yield from (f"lib/layers.txt: {name}: {other} does not stand above" for other in higher)
        library = name.partition("/")[0]
        if library != name:
            beyond = sorted(allowed - layers.get(library, set()))
            yield from (f"lib/layers.txt: {name}: {library} must not include {other}" for other in beyond
                        if not other.startswith(library + "/"))
        known.add(name)
    for library in {name.partition("/")[0] for name in layers if "/" in name} - {"tools"}:
        yield from unnamed_folders(layers, library + "/")
    yield from unnamed_folders(layers, "")


def unnamed_folders(layers, library):
    for folder in sorted(pathlib.Path("lib", library).glob("*")):
        if folder.is_dir() and library + folder.name not in layers:
            yield f"lib/layers.txt: does not name {folder}"


def layer_of(path, layers):
    """The line of lib/layers.txt that a path below lib belongs to: of its folder, or else of its library; or None."""
    parts = path.split("/")
    folder = "/".join(parts[:2])
    return folder if len(parts) > 2 and folder in layers else parts[0] if parts[0] in layers else None


def may_include(layer, other, layers):
    """Headers outside of lib have no layer. A file beside the folders of its library may include all of them."""
    return not other or other in layers.get(layer, ()) or other.partition("/")[0] == layer


def complaints(path, text, layers):
    parts = path.split("/")
    layer = layer_of("/".join(parts[1:]), layers) or parts[1]
    for quote, header in INCLUDE.findall(text):
        for pattern, places in OUTSIDE.items():
            if re.fullmatch(pattern, header) and not any(path.startswith(p) for p in places):
                yield f"{path}: includes {header}, which belongs to {', '.join(places)}"
        if quote != '"':
            continue
        if header.startswith("../"):
            yield f"{path}: includes {header}: start from the include root"
        first = header.split("/")[0]
        if parts[0] == "lib" and not may_include(layer, layer_of(header, layers), layers):
            yield f"{path}: lib/{layer} must not include {header}"
        if parts[0] == "tools":
            if first == "measure" and not (parts[1] == "measure" and header.startswith(("measure/core/settings", "measure/metrics/metric_", "measure/metrics/papi_library"))):
                yield f"{path}: a tool must not include {header}"
            if first in layers and first != "measure" and first not in layers.get(f"tools/{parts[1]}", ()):
                yield f"{path}: includes {header}, but tools/{parts[1]} does not name {first} in lib/layers.txt"
            if (pathlib.Path("tools") / first).is_dir() and first not in layers and first != parts[1]:
                yield f"{path}: a tool must not include another tool's {header}"


def faults_of_mains():
    for path in sorted(pathlib.Path("tools").glob("*/main.cpp")):
        count = len(path.read_text().splitlines())
        if count > MAX_MAIN_LINES:
            yield f"{path}: {count} lines, of {MAX_MAIN_LINES} at most: move what it does into files of the tool"


def main():
    layers = read_layers()
    found = [*faults_of_table(layers), *faults_of_mains()]
    stems = {}
    for folder in ("lib", "tools", "tests", "bench"):
        for path in sorted(pathlib.Path(folder).rglob("*")):
            if path.suffix not in (".cpp", ".hpp", ".h", ".c"):
                continue
            found += complaints(str(path), path.read_text(), layers)
            if path.name not in ("main.cpp", "precompiled.hpp") and stems.setdefault(path.name, path) != path:
                found.append(f"{path}: the name is taken by {stems[path.name]}")
    print("\n".join(found) if found else "layers: ok")
    return 1 if found else 0


sys.exit(main())
