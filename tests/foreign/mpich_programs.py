"""Builds programs of MPICH's test suite with an installed MPICH, without the suite's configure script."""
import re
import subprocess

COMPILER = "mpicc.mpich"
FLAGS = ["-w", "-O1", "-g"]

# What the suite's configure script finds on Linux with an MPICH that has all optional parts.
HAVE = """STDARG_H STRING_H STDLIB_H UNISTD_H STDINT_H INTTYPES_H SYS_TIME_H SYS_RESOURCE_H SYS_TYPES_H SYS_STAT_H
    STRDUP USLEEP GETRUSAGE PTHREAD_H PTHREAD_BARRIER_INIT LONG_DOUBLE LONG_LONG LONG_LONG_INT ATOMIC _BOOL
    FLOAT__COMPLEX DOUBLE__COMPLEX LONG_DOUBLE__COMPLEX MPI_SPAWN MPI_WIN_CREATE MPI_IO FORTRAN_BINDING H_ADDR_LIST"""
SETTINGS = {"STDC_HEADERS": "1", "USE_STRICT_MPI": "1", "ENABLE_STRICTMPI": "1", "USE_LONG_DOUBLE_COMPLEX": "1",
            "MPIO_USES_MPI_REQUEST": "1", "THREAD_PACKAGE_NAME": "THREAD_PACKAGE_POSIX", "POINTERINT_t": "intptr_t"}


def variables_of(makefile):
    """The variables of a Makefile.am; what is added to one is appended."""
    values = {}
    text = makefile.read_text().replace("\\\n", " ") if makefile.exists() else ""
    for name, value in re.findall(r"^\s*(\w+)\s*\+?=[ \t]*(.*)$", text, re.M):
        values[name] = f"{values.get(name, '')} {value}".strip()
    return values


def compile_with(arguments):
    """The compiler's complaint, None if it has none."""
    done = subprocess.run([COMPILER, *FLAGS, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace")
    return (done.stdout.strip() or f"status {done.returncode}") if done.returncode else None


class Programs:
    """The programs of the suite in `source`, built below `folder`."""

    def __init__(self, source, folder):
        self.source, self.folder = source, folder
        self.include = [f"-I{folder}/include", f"-I{source}/include", f"-I{source}/dtpools/include"]
        self.write_headers()
        self.objects = dict(self.build_object(path) for path in [*sorted(source.glob("util/*.c")),
                                                                 *sorted(source.glob("dtpools/src/*.c"))])

    def write_headers(self):
        """The headers that configure would write; dtpools looks for its own one level higher."""
        (self.folder / "include").mkdir(parents=True, exist_ok=True)
        settings = {f"HAVE_{name}": "1" for name in HAVE.split()} | SETTINGS
        lines = [f"#define {name} {value}\n" for name, value in settings.items()]
        (self.folder / "include/mpitestconf.h").write_text("#pragma once\n#include <stdint.h>\n" + "".join(lines))
        (self.folder / "include/mtest_mpix.h").write_text("")
        (self.folder / "dtpoolsconf.h").write_text("#define HAVE_MPI_IO 1\n")

    def build_object(self, path):
        """(name, object) of one of the sources that all programs share."""
        built = self.folder / f"{path.stem}.o"
        complaint = None if built.exists() else compile_with(["-c", *self.include, path, "-o", built])
        if complaint:
            raise SystemExit(f"mpich_suite.py: {path} does not compile:\n{complaint}")
        return path.stem, built

    def path(self, case):
        return self.folder / case.folder / case.program

    def sources(self, case, variables):
        names = variables.get(case.program.replace("-", "_") + "_SOURCES", case.program + ".c").split()
        here = self.source / case.folder
        return [here / name.replace("$(top_srcdir)", str(self.source)).replace("$(srcdir)", str(here))
                for name in names if name.endswith(".c")]

    def build(self, case):
        """Why the program of a case cannot be built, None if it is."""
        if self.path(case).exists():
            return None
        variables = variables_of(self.source / case.folder / "Makefile.am")
        sources = self.sources(case, variables)
        missing = [str(path) for path in sources if not path.exists()]
        if missing:
            return f"no file {missing[0]}"
        flags = variables.get(case.program.replace("-", "_") + "_CPPFLAGS", "").split()
        text = "".join(path.read_text(errors="replace") for path in sources)
        for_threads = case.folder.startswith("threads/")
        objects = self.helpers(text, for_threads or "MTest_Start_thread" in text)
        self.path(case).parent.mkdir(parents=True, exist_ok=True)
        return compile_with([*self.include, f"-I{self.source}/{case.folder}", *(f for f in flags if f.startswith("-D")),
                             *(["-DMTEST_USE_THREAD"] if for_threads else []), *sources, *objects, "-lm", "-lpthread",
                             "-o", self.path(case)])

    def helpers(self, text, for_threads):
        """The shared objects that a program is linked with: of each pair of alternatives, one."""
        left_out = {"mtest_single" if for_threads else "mtest_thread"}
        if re.search(r"\bmain\s*\(", text):
            left_out.add("run_mpitests")  # a main program
        return [built for name, built in self.objects.items() if name not in left_out]
