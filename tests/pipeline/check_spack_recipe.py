#!/usr/bin/env python3
"""Loads the Spack recipe with stand-ins for Spack's own names, and compares it with what the build needs.

usage: check_spack_recipe.py ROOT

Each Debian package that `make demo` installs must have its counterpart among the recipe's dependencies, but for those
of `tarry explore`.
"""
import pathlib
import re
import sys
import types

COUNTERPARTS = {"libopenmpi-dev": "mpi", "zlib1g-dev": "zlib-api", "libdeflate-dev": "libdeflate",
                "libjemalloc-dev": "jemalloc", "libcli11-dev": "cli11", "libtinyxml2-dev": "tinyxml2",
                "libotf2-trace-dev": "otf2", "libre2-dev": "re2", "libdw-dev": "elfutils", "libsqlite3-dev": "sqlite",
                "libpq-dev": "postgresql", "libssl-dev": "openssl", "rapidjson-dev": "rapidjson", "python3": "python"}
# Spack has no package of D3, so its build goes without `tarry explore`.
LEFT_OUT = {"esbuild", "node-d3"}


def load(recipe):
    """{directive: [first argument]} of a recipe, and its class."""
    said = {}
    stand_in = types.ModuleType("spack.package")
    for directive in ("license", "version", "variant", "depends_on", "conflicts"):
        def note(first, *_, directive=directive, **__):
            said.setdefault(directive, []).append(first)
        setattr(stand_in, directive, note)
    stand_in.MakefilePackage = type("MakefilePackage", (), {})
    stand_in.make = lambda *_: None
    sys.modules["spack"] = types.ModuleType("spack")
    sys.modules["spack.package"] = stand_in
    names = {}
    exec(compile(recipe.read_text(), str(recipe), "exec"), names)
    return said, names["Tarry"]


def main():
    root = pathlib.Path(sys.argv[1])
    said, package = load(root / "packaging/spack/package.py")
    has = {re.split(r"[@+ ]", word)[0] for word in said["depends_on"]}
    wanted = re.search(r'^build="([^"]*)"', (root / "bin/install-packages").read_text(), re.M).group(1).split()
    missing = [name for name in wanted if name not in LEFT_OUT and COUNTERPARTS.get(name, name) not in has]
    if missing or not said["version"] or not callable(package.install):
        sys.exit(f"packaging/spack/package.py: no dependency for {missing}")
    print(f"ok: {len(has)} dependencies")


main()
