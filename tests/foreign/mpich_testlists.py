"""The test lists of MPICH's test suite: which programs it runs, how, and what it expects of them."""
import dataclasses
import re

# Folders with tests in other languages, or for builds of MPICH with options that packages do not have.
LEFT_OUT = {"cxx", "f77", "f90", "f08", "faults", "ft", "ckpoint", "perf", "bench", "impls", "manual"}
LAUNCHER = "mpiexec.mpich"


@dataclasses.dataclass(frozen=True)
class Case:
    """One line of a test list."""

    folder: str
    line: str
    program: str
    processes: int
    options: tuple  # of (name, value), as many of one name as there are in the line

    @property
    def name(self):
        return f"{self.folder}/{self.line}"

    def values(self, option):
        return [value for name, value in self.options if name == option]

    @property
    def command(self):
        launch = [LAUNCHER, *self.values("mpiexecarg"), "-np", str(self.processes)]
        return [*launch, f"./{self.program}", *self.values("arg")]

    @property
    def environment(self):
        return dict(setting.split("=", 1) for setting in self.values("env"))

    @property
    def expects(self):
        """The sign of success: the words `No Errors`, or only the status (`zero`, `not zero`)."""
        kind = next(iter(self.values("resultTest")), None)
        return {"TestStatus": "not zero", "TestErrFatal": "not zero", "TestStatusNoErrors": "zero",
                "TestBench": "zero"}.get(kind, "No Errors")

    def is_passed_by(self, outcome):
        if outcome.timed_out:
            return False
        if self.expects == "not zero":
            return outcome.status != 0
        said = re.search("No [Ee]rrors", outcome.stdout + outcome.stderr)
        return outcome.status == 0 and (self.expects == "zero" or said is not None)


def parse_line(folder, line):
    """A case, or None for a comment or the name of a folder. `@words@` are for the suite's configure script."""
    line = " ".join(re.sub(r"@\w+@", " ", line).split())
    fields = line.split()
    if len(fields) < 2 or line.startswith("#") or not fields[1].isdigit():
        return None
    options = tuple(tuple(field.split("=", 1)) for field in fields[2:] if "=" in field)
    return Case(folder, line, fields[0], int(fields[1]), options)


def read_testlists(source):
    """All cases of the suite, folder by folder. Of a list that is configured, the template is not read."""
    for path in sorted(path for path in source.rglob("testlist*") if path.name in ("testlist", "testlist.in")):
        folder = path.parent.relative_to(source)
        if LEFT_OUT.intersection(folder.parts) or path.name == "testlist.in" and path.with_suffix("").exists():
            continue
        cases = (parse_line(str(folder), line) for line in path.read_text().splitlines())
        yield from (case for case in cases if case)
