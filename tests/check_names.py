#!/usr/bin/env python3
"""Fails if what is local to a C++ file has the name of something else that is compiled together with it.

usage: check_names.py     (from the root of the tree)

The Makefile compiles some sources of a library or tool in one go. Then a local function is seen by the
files behind it, too, and may fit a call better than the one that is meant. A constant, a variable or a type is an error
of the compiler, as soon as both are in one batch. So the names must be unique in the library or tool. A local function
must not have the name of one that a header declares and another file there calls, either. As the sources are formatted,
such declarations begin at the start of a line.
"""
import collections
import pathlib
import re
import sys

UNNAMED = re.compile(r"^namespace \{\n(.*?)^\}  // namespace$", re.M | re.S)
FUNCTION = re.compile(r"^(?!template|using|static_assert|return|class|struct|enum|extern|typedef|namespace)"
                      r"\w[^(=;#{]*?[ *&](?!__)(\w+)\(", re.M)
STATIC = re.compile(r"^static [^(=;{]*?[ *&](\w+)\(", re.M)
TYPE_OR_VALUE = re.compile(r"^(?:struct|class|enum class) (\w+)\b(?!;)|^\w[^(=;{]*?[ *&](k[A-Z]\w*|g_\w+)(?=[ \[;({=])", re.M)


def unit_of(path):
    """What is compiled together: a library, a folder of the recorder, a tool."""
    return "/".join(path.parts[:3] if path.parts[:2] == ("lib", "measure") else path.parts[:2])


def functions_of_headers():
    """{name: headers of the libraries that declare it}"""
    known = collections.defaultdict(list)
    for path in sorted(pathlib.Path("lib").glob("**/*.hpp")):
        for name in set(FUNCTION.findall(path.read_text(encoding="utf-8"))):
            known[name].append(str(path.relative_to("lib")))
    return known


def local_functions(text):
    return {name for space in UNNAMED.findall(text) for name in FUNCTION.findall(space)} | set(STATIC.findall(text))


def local_types_and_values(text):
    return {one or other for space in UNNAMED.findall(text) for one, other in TYPE_OR_VALUE.findall(space)}


def header_called(name, headers, texts):
    """The first of the headers that a file includes that calls the name; None if there is none."""
    call = re.compile(rf"(?<![\w.:>]){name}\(")
    return next((header for text in texts for header in headers if f'#include "{header}"' in text and call.search(text)), None)


def faults_of_unit(texts, of_headers):
    owners = {}
    for path, text in texts.items():
        others = [texts[other] for other in texts if other != path]
        for name in sorted(local_functions(text)):
            if owners.setdefault(name, path) != path:
                yield f"{path}: {name}() is the name of a local function of {owners[name]}, too"
            if header := header_called(name, of_headers.get(name, ()), others):
                yield f"{path}: {name}() is the name of a function of {header}, too"
        for name in sorted(local_types_and_values(text)):
            if owners.setdefault(name, path) != path:
                yield f"{path}: {name} is a local name of {owners[name]}, too"


def main():
    units = collections.defaultdict(dict)
    for path in sorted(file for folder in ("lib", "tools") for file in pathlib.Path(folder).glob("**/*.cpp")):
        units[unit_of(path)][path] = path.read_text(encoding="utf-8")
    of_headers = functions_of_headers()
    faults = [fault for texts in units.values() for fault in faults_of_unit(texts, of_headers)]
    print("\n".join(faults) if faults else "names: ok")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
