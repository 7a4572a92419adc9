#!/usr/bin/env python3
"""Loads the Spack recipe with stand-ins for Spack's own names, and compares it with what the build needs.

usage: check_spack_recipe.py ROOT

Each package that packaging/packages.tsv names for Spack and a build must be among the recipe's dependencies.
"""
import pathlib
import re
import sys
import types

# Every compiler of Spack brings these.
LEFT_OUT = {"gcc", "binutils"}


def needed_for_build(table):
    """Names of Spack's packages, without versions. npm:X is none of them."""
    rows = [line.split("\t") for line in table.read_text().splitlines() if not line.startswith("#")]
    packages = {package for row in rows if row[0] == "build" for package in row[-1].split() if ":" not in package[:4]}
    return {package.split("@")[0] for package in packages} - LEFT_OUT


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
    wanted = needed_for_build(root / "packaging/packages.tsv")
    missing = sorted(wanted - has)
    if missing or len(wanted) < 10 or not said["version"] or not callable(package.install):
        sys.exit(f"packaging/spack/package.py: no dependency for {missing}")
    print(f"ok: {len(has)} dependencies, of which {len(wanted)} are for the build")


main()
