#!/usr/bin/env python3
"""header_table.py -- the table of the functions that a C header declares, for wrapped_table.py. It needs libclang.

usage: header_table.py [OPTION...] HEADER -- [OPTION OF THE COMPILER...]

  --library FILE   only functions that this shared library defines
  --prefix TEXT    functions of all headers, if their names begin so; else those of HEADER and the folders below its own
  --sizes A,B,...  arguments of these names are sizes; else m, n, k and others that are usual

Left out are functions with a variable number of arguments, those that return twice, and inline ones.
"""
import argparse
import os
import re
import subprocess
import sys

USUAL_SIZES = "m,n,k,nrhs,n0,n1,n2,rank,ndims,dims,rows,cols,nrows,ncols,size,count,len,length,nbytes"
RANKS = ("rank", "ndims")  # arguments that tell how many sizes another one has
ARRAYS = ("dims", "shape", "extents")  # such others
RETURN_TWICE = {"setjmp", "_setjmp", "__sigsetjmp", "sigsetjmp", "vfork", "getcontext"}
WORD, MOST_BYTES = 8, 1024  # of an argument


class NotThere(Exception):
    """libclang, or what it reads, is missing."""


def load_clang():
    try:
        from clang import cindex
        cindex.Index.create()
        return cindex
    except Exception as error:
        raise NotThere(f"libclang for Python: {error}") from None


class Reader:
    """Turns declarations into lines of a table."""

    def __init__(self, cindex, sizes):
        self.kinds = cindex.TypeKind
        self.arrays = (self.kinds.CONSTANTARRAY, self.kinds.INCOMPLETEARRAY, self.kinds.VARIABLEARRAY)
        self.addresses = (self.kinds.POINTER, self.kinds.BLOCKPOINTER, *self.arrays)
        self.sizes = set(sizes)

    def is_integer(self, kind):
        return kind.kind in (self.kinds.INT, self.kinds.UINT, self.kinds.LONG, self.kinds.ULONG,
                             self.kinds.LONGLONG, self.kinds.ULONGLONG)

    def kind_of(self, kind):
        """The kind of an argument, as a table has it; None: it cannot be handed on."""
        plain = kind.get_canonical()
        if plain.kind in self.addresses:
            return ""
        if plain.kind in (self.kinds.FLOAT, self.kinds.DOUBLE):
            return "f"
        if plain.kind in (self.kinds.VECTOR, self.kinds.INVALID):
            return None
        size = plain.get_size()
        if plain.kind in (self.kinds.RECORD, self.kinds.COMPLEX, self.kinds.LONGDOUBLE) or size > WORD:
            return f"s{(size + WORD - 1) // WORD + 1}" if 0 <= size <= MOST_BYTES else None
        return "l" if size == WORD else ""

    def pointed(self, kind):
        """What an argument is the address of, and whether it is constant there; None: it is no address."""
        plain = kind.get_canonical()
        if plain.kind == self.kinds.POINTER:
            return plain.get_pointee().get_canonical(), plain.get_pointee().is_const_qualified()
        if plain.kind in self.arrays:
            return plain.element_type.get_canonical(), plain.spelling.startswith("const ")
        return None

    def width(self, kind):
        """Bytes of an integer, which is given as it is or by address; 0: it is none, or a result."""
        number, is_input = self.pointed(kind) or (kind.get_canonical(), True)
        is_known = is_input and self.is_integer(number) and number.get_size() in (4, 8)
        return number.get_size() if is_known else 0

    def argument(self, declared):
        """An argument's text, and whether it may be a size; None: it cannot be handed on."""
        kind = self.kind_of(declared.type)
        if kind is None:
            return None
        width = self.width(declared.type) if kind in ("", "l") and declared.spelling.lower() in self.sizes else 0
        if width == 0:
            return (f":{kind}" if kind not in ("", "l") else ""), False
        return declared.spelling + (":l" if width == WORD else ""), True

    def size(self, name, declared, rank, is_fortran):
        """How a table names it. What lies at an address is looked at only where it is sure to be numbers."""
        if self.pointed(declared.type) is None:
            return name
        is_array = declared.type.get_canonical().kind in self.arrays or name in ARRAYS
        if is_array and rank:
            return f"{name}[{rank}]"
        return f"*{name}" if is_fortran else ""

    def line(self, function):
        """None: the function is left out."""
        kind = function.type.get_canonical()
        is_inline = function.is_definition() or function.storage_class.name == "STATIC"
        if is_inline or function.spelling in RETURN_TWICE or (
                kind.kind == self.kinds.FUNCTIONPROTO and kind.is_function_variadic()):
            return None
        arguments = list(function.get_arguments())
        described = [self.argument(each) for each in arguments]
        if None in described:
            return None
        texts = [text for text, _ in described]
        rank = next((text for text in texts if text in RANKS), "")
        memory = next((at for at, text in enumerate(texts) if text.startswith(":s")), len(texts))
        sizes = [self.size(each.spelling, each, rank, function.spelling.endswith("_"))
                 for each, (_, is_size) in zip(arguments[:memory], described) if is_size and each.spelling != rank]
        # Where a structure goes is told by an argument in front, or not, as the processor has it.
        is_returned_in_memory = function.result_type.get_canonical().kind == self.kinds.RECORD
        if is_returned_in_memory:
            texts.append("+1")
        sizes = "" if is_returned_in_memory else ",".join(size for size in sizes if size)
        return f"{function.spelling}({','.join(texts)})" + (f"={sizes}" if sizes else "")


def is_wanted(function, arguments, folder):
    if arguments.prefix:
        return function.spelling.startswith(tuple(arguments.prefix.split(",")))
    file = function.location.file
    return file is not None and os.path.realpath(file.name).startswith(folder)


def folder_of(header):
    """Of a header in a folder of its own, or of /usr/include and the like: then the header itself."""
    path = os.path.realpath(header)
    folder = os.path.dirname(path)
    return path if os.path.basename(folder) == "include" or folder.endswith("-linux-gnu") else folder + "/"


def defined_by(library):
    out = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=False)
    if out.returncode != 0:
        raise NotThere(out.stderr.strip())
    return {re.sub("@.*", "", line.split()[-1]) for line in out.stdout.splitlines() if line.split()[-2] in "TWti"}


def table_of(arguments):
    """The lines, and the names of functions that are left out."""
    cindex = load_clang()
    options = arguments.options or [f"-I{os.path.dirname(os.path.realpath(arguments.header))}"]
    own = subprocess.run(["cc", "-print-file-name=include"], capture_output=True, text=True, check=False)
    if own.returncode == 0:
        options = options + ["-isystem", own.stdout.strip()]
    unit = cindex.Index.create().parse(arguments.header, args=["-x", "c", *options])
    errors = [each for each in unit.diagnostics if each.severity >= cindex.Diagnostic.Error]
    if errors:
        raise NotThere(f"{errors[0].location.file}:{errors[0].location.line}: {errors[0].spelling}")
    reader, folder = Reader(cindex, arguments.sizes.split(",")), folder_of(arguments.header)
    defined = defined_by(arguments.library) if arguments.library else None
    lines, left_out = {}, []
    for each in unit.cursor.walk_preorder():
        if each.kind != cindex.CursorKind.FUNCTION_DECL or not is_wanted(each, arguments, folder):
            continue
        if defined is not None and each.spelling not in defined:
            continue
        line = reader.line(each)
        if line:
            lines[each.spelling] = line
        elif each.spelling not in left_out:
            left_out.append(each.spelling)
    return list(lines.values()), left_out


def parse(words):
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--library")
    parser.add_argument("--prefix")
    parser.add_argument("--sizes", default=USUAL_SIZES)
    parser.add_argument("header")
    own = words.index("--") if "--" in words else len(words)
    arguments = parser.parse_args(words[:own])
    arguments.options = words[own + 1:]
    return arguments


def main():
    try:
        lines, left_out = table_of(parse(sys.argv[1:]))
    except NotThere as error:
        sys.exit(str(error))
    print("\n".join(lines))
    if left_out:
        print(f"left out: {', '.join(left_out)}", file=sys.stderr)


if __name__ == "__main__":
    main()
