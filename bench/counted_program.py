"""Instructions that the processes of an MPI program take, with our recorder and without.

Callgrind counts them from the start of each process to its end, the writing of the trace included. Time would say less on
a machine that does other things, too. The launcher is the same with the recorder and without, and is not counted.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

ARCHIVE = pathlib.Path("run")
COUNTING = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]


def run(command, environment=None):
    done = subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stderr}")
    return done.stderr


def instructions(program, processes, library=None, call_paths=False):
    """Of all processes together. `library`, our recorder, is preloaded and writes a trace, which is verified."""
    for command in ("mpirun", "valgrind", program[0]):
        if not shutil.which(command):
            sys.exit(f"{command} is not installed (bin/install-packages test)")
    environment = dict(os.environ, OMP_NUM_THREADS="1")
    if library:
        shutil.rmtree(ARCHIVE, ignore_errors=True)
        ARCHIVE.mkdir()
        environment.update(LD_PRELOAD=os.path.abspath(library), TARRY_ARCHIVE=str(ARCHIVE.resolve()), TARRY_TRACE="1",
                           TARRY_CALLPATHS=str(int(call_paths)))
    said = run(["mpirun", "-np", str(processes), *COUNTING, *program], environment)
    counts = re.findall(r"Collected : (\d+)", said)
    if len(counts) < processes:
        sys.exit(f"{program[0]}: {len(counts)} of {processes} processes were counted")
    if library:
        run(["tarry", "unify", "-q", str(ARCHIVE)])
        run(["tarry", "archive", "verify", str(ARCHIVE)])
    return sum(map(int, counts))
