#!/usr/bin/env python3
"""Fails if a function that is local to a C++ file has the name of another one that is compiled together with it.

usage: check_names.py     (from the root of the tree)

The Makefile compiles some sources of a library or tool in one go. Then a function in an unnamed namespace is seen by the
files behind it, too, and may fit a call better than the one that is meant. So its name must be unique in the library or
tool, and none that a header declares whose function another file there calls. As the sources are formatted, such a function
begins at the start of a line.
"""
import collections
import pathlib
import re
import sys

UNNAMED = re.compile(r"^namespace \{\n(.*?)^\}  // namespace$", re.M | re.S)
FUNCTION = re.compile(r"^(?!template|using|static_assert|return|class|struct|enum|extern|typedef|namespace)"
                      r"\w[^(=;#{]*?[ *&](?!__)(\w+)\(", re.M)


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
    return {name for space in UNNAMED.findall(text) for name in FUNCTION.findall(space)}


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
