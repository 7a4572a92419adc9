"""User time of a program, its launcher and what `tarry measure` does behind it."""
import resource
import shutil
import subprocess
import sys

ARCHIVE = "run"


def measuring(options):
    """The words in front of a command that is to be recorded."""
    return ["tarry", "measure", *options, "-o", ARCHIVE, "--"]


def seconds(command, environment):
    """Of a command, in a folder without an archive. Ends with what it says if it fails."""
    shutil.rmtree(ARCHIVE, ignore_errors=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(command, env=environment, text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
