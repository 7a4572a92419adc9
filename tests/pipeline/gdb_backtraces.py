"""Inside gdb: runs a measured program, and writes backtraces of random calls at the moment they are recorded, or of
samples at the moment they are taken.

usage: gdb -batch -nx -x gdb_backtraces.py --args PROGRAM ARGUMENT...     (by gdb_backtraces.bash)

In the environment: BACKTRACES_TO, the file to write; BACKTRACES_COUNT, how many; BACKTRACES_GAP, how many calls lie
between two of them on average (0 where all samples are wanted instead of calls); BACKTRACES_PRELOAD, the libraries that
the program itself is to preload. Where an emulator runs the program, which gdb cannot trace: BACKTRACES_SOCKET, at which the emulator
waits for gdb, and BACKTRACES_PID, its process.

One line of JSON for each call: "ticks", the recorder's time of a call; "frames", innermost first, each [module,
address in the file, whether a signal interrupted it there]; "stop", why gdb went no further. Only physical frames are
listed: no inlined ones, nor those that a tail call has removed. In a process with Python also "python": its functions,
outermost first, as the interpreter names them when it is asked at that moment.
"""
import json
import os
import platform
import random
import struct
import subprocess

import gdb

GAP = int(os.environ["BACKTRACES_GAP"])
# Every recorded call passes through one of them. The time lies where the third argument points, or is the third. The
# handler of samples has what it interrupts below it.
POINTED, GIVEN, SAMPLED = range(3)
ENTRIES = ({"tarry::measure::begin_mpi_call": POINTED, "tarry::measure::enter_otherwise": GIVEN} if GAP else
           {"tarry_sample_handler": SAMPLED})
# The third and fourth argument of a function, the stack, and the return address, which x86 has on the stack.
THIRD, FOURTH, STACK, LINK = {"x86_64": ("rdx", "rcx", "rsp", None), "aarch64": ("x2", "x3", "sp", "x30")}[platform.machine()]
PYTHON_TO = os.environ["BACKTRACES_TO"] + ".python"
# Run by the program's interpreter. Its own frame is left out.
PYTHON = f"""
def tell(frame, names):
    import json, os
    while frame:
        code = frame.f_code
        name = getattr(code, 'co_qualname', code.co_name)
        if not code.co_filename.startswith('<frozen '):
            names.insert(0, os.path.basename(code.co_filename) if name == '<module>' else name)
        frame = frame.f_back
    open({PYTHON_TO!r}, 'w').write(json.dumps(names))
tell(__import__('sys')._getframe().f_back, [])
del tell
"""


class Modules:
    """What is mapped where in the program."""

    def __init__(self):
        self.mapped, self.bases = [], {}

    def read(self):
        self.mapped = []
        for line in open(f"/proc/{os.environ.get('BACKTRACES_PID', gdb.selected_inferior().pid)}/maps"):
            fields = line.split(None, 5)
            begin, end = (int(part, 16) for part in fields[0].split("-"))
            path = fields[5].strip() if len(fields) > 5 else ""
            self.mapped.append((begin, end, path))
            if path.startswith("/") and int(fields[2], 16) == 0:
                self.bases[path] = begin

    def find(self, address):
        for is_again in (False, True):
            for begin, end, path in self.mapped:
                if begin <= address < end:
                    return path, address - self.base(path)
            if not is_again:
                self.read()
        return "", address

    def base(self, path):
        if not path.startswith("/"):
            return 0
        with open(path, "rb") as elf:
            is_fixed = struct.unpack("<H", elf.read(18)[16:])[0] == 2
        return 0 if is_fixed else self.bases[path]


def begin():
    """Stops the program before its first instruction."""
    socket = os.environ.get("BACKTRACES_SOCKET")
    begin = [f"target remote {socket}"] if socket else [
        f"set exec-wrapper env LD_PRELOAD={os.environ['BACKTRACES_PRELOAD']}", "starti"]
    for command in ("set pagination off", "set debuginfod enabled off", "set print thread-events off",
                    "set backtrace past-main on", "set print frame-arguments none", *begin,
                    "handle all nostop noprint pass"):
        gdb.execute(command, to_string=True)


def start():
    begin()
    entry = next(line for line in gdb.execute("info files", to_string=True).splitlines() if "Entry point:" in line)
    gdb.execute(f"tbreak *{entry.split()[-1]}", to_string=True)
    gdb.execute("continue", to_string=True)


def break_at_entries(modules):
    modules.read()
    library = next(path for _, _, path in modules.mapped if path.endswith("/libtarry-mpi.so"))
    names = subprocess.run(["nm", "-C", library], check=True, stdout=subprocess.PIPE, text=True).stdout
    found = {}
    for line in names.splitlines():
        address, _, name = line.partition(" ")
        for entry, kind in ENTRIES.items():
            if name[2:].partition("(")[0] == entry:
                place = int(address, 16) + modules.base(library)
                found[gdb.Breakpoint(f"*{place:#x}", internal=True)] = kind
    return found


def interrupted_frame():
    frame = gdb.newest_frame()
    while frame.type() != gdb.SIGTRAMP_FRAME:
        frame = frame.older()
    return frame.older()


def physical_frames(modules, frame):
    frames, is_interrupted = [], True
    while frame:
        if frame.type() == gdb.NORMAL_FRAME:
            module, address = modules.find(frame.pc() - (not is_interrupted))
            frames.append([module, address, is_interrupted])
        is_interrupted = frame.type() == gdb.SIGTRAMP_FRAME if frame.type() != gdb.INLINE_FRAME else is_interrupted
        last, frame = frame, frame.older()
    return frames, gdb.frame_stop_reason_string(last.unwind_stop_reason())


def register(name):
    return int(gdb.newest_frame().read_register(name)) & (1 << 64) - 1


def word_at(address):
    return struct.unpack("<Q", gdb.selected_inferior().read_memory(address, 8).tobytes())[0]


def go_on():
    """False if the program has ended."""
    gdb.execute("continue", to_string=True)
    return bool(gdb.selected_inferior().pid)


def finish():
    """Lets the function that has just been entered return."""
    thread, stack = gdb.selected_thread().num, register(STACK)
    caller, after = (register(LINK), stack) if LINK else (word_at(stack), stack + 8)
    behind = gdb.Breakpoint(f"*{caller:#x} thread {thread}", internal=True)
    while go_on() and (gdb.selected_thread().num != thread or register(STACK) < after):
        pass
    behind.delete()


def call(function, argument, kind="int"):
    return gdb.parse_and_eval(f"((int (*)({kind})) {function})({argument})")


def python_functions():
    """None without an interpreter that runs. The calls are made on the stack of the thread that has been stopped."""
    if not is_defined("Py_IsInitialized") or not call("Py_IsInitialized", "", "void"):
        return None
    lock = call("PyGILState_Ensure", "", "void")
    call("PyRun_SimpleString", json.dumps(PYTHON), "const char *")
    call("PyGILState_Release", lock)
    with open(PYTHON_TO) as names:
        return json.load(names)


def is_defined(function):
    try:
        return bool(gdb.parse_and_eval(f"(long) &{function}"))
    except gdb.error:
        return False


def look_at_sample(modules, out):
    frames, stop = physical_frames(modules, interrupted_frame())
    json.dump({"frames": frames, "stop": stop, "python": None}, out)
    out.write("\n")
    return True


def look_at_call(modules, kind, out):
    """False if the call is not recorded: that of MPI_Init is, but afterwards."""
    if kind == SAMPLED:
        return look_at_sample(modules, out)
    frames, stop = physical_frames(modules, gdb.newest_frame())
    python = python_functions()
    time, is_entered = register(THIRD), register(FOURTH)
    if kind == POINTED:
        finish()
        if word_at(is_entered) & 0xff == 0:
            return False
        time = word_at(time)
    json.dump({"ticks": time, "frames": frames, "stop": stop, "python": python}, out)
    out.write("\n")
    return True


def main():
    modules = Modules()
    start()
    entries = break_at_entries(modules)
    hit = []
    gdb.events.stop.connect(lambda event: hit.__setitem__(slice(None), getattr(event, "breakpoints", [])))
    with open(os.environ["BACKTRACES_TO"], "w") as out:
        left = int(os.environ["BACKTRACES_COUNT"])
        while left > 0 and go_on():
            reached = [entry for entry in hit if entry in entries]
            if not reached:
                continue
            for entry in entries:
                entry.enabled = False
            left -= look_at_call(modules, entries[reached[0]], out)
            for entry in entries:
                entry.enabled = True
                entry.ignore_count = random.randrange(2 * GAP) if GAP else 0
    for entry in entries:
        entry.delete()
    while gdb.selected_inferior().pid:
        gdb.execute("continue", to_string=True)


main()
