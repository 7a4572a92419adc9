#!/usr/bin/env python3
"""Fails if a function of the recorder calls what it must not call from where it runs.

usage: check_calls.py [--build build]      (run by `make check-calls`)
       check_calls.py --library FILE --headers FOLDER

A signal handler of the program may run between any two instructions, and what the recorder does for it runs there, too.
So each header of lib/measure says in its first comment from where its functions may be called, in a sentence of its
own. The comment in front of a class or function may say it otherwise for that one:

  Calls: handler-safe.   Also from a signal handler, wherever it has interrupted its thread.
  Calls: may block.      Not from a handler: it may wait for a lock or call anything of the C library.
  Calls: at end only.    Only while the recording ends, when its threads are closed.

The rules are proved on the compiled library: its disassembly shows all calls, those of inlined functions as well.

1. Each header of lib/measure has a mark, and each function that the library shows to programs (ENTRIES).
2. A handler-safe function reaches, by any way through functions without a mark of their own (local ones, templates,
   other libraries):
   - no function that may block or is for the end,
   - no lock that waits (Locked). TryLocked is good: it refuses in a handler. Nobody who holds a lock runs a handler,
   - no function of the C library but those of LIBC, which take no lock and no memory.
3. A function that may block reaches none that is for the end.
4. A function that calls by address what it does not know stands in INDIRECT with what it calls.

GUARDED lists calls that stand in the code of a handler-safe function but are not made in a handler, with the reason.
--unneeded names rows of GUARDED and INDIRECT that nothing needs. Some are for the code of other compilers.
"""
import argparse
import collections
import fnmatch
import pathlib
import platform
import re
import subprocess
import sys

SAFE, BLOCKS, ENDS = "handler-safe", "may block", "at end only"
MARK = re.compile(r"Calls: (handler-safe|may block|at end only)\.")

# What a handler may call of the C library: the functions that POSIX calls async-signal-safe, those that only look at
# memory, and bare system calls.
LIBC = set("""
memcpy memmove memset memchr memrchr memcmp memmem strlen strcmp strncmp strchr strstr strcspn stpcpy
rawmemchr __errno_location __stack_chk_fail
clock_gettime getpid gettid getuid getauxval getrusage pthread_self pthread_setcancelstate pthread_setcanceltype sched_getcpu
sysconf __tls_get_addr
sigfillset sigemptyset sigaddset sigdelset sigismember sigpending sigtimedwait timer_settime
open close read write pread pwrite writev lseek fstat stat fcntl ftruncate fallocate readlink mmap munmap mremap madvise
msync flock getrlimit statvfs process_vm_readv ioctl _dl_find_object __tsan_acquire __tsan_release
""".split())

# What the library shows to the program: each function matches a row. Those that POSIX lets a handler call are safe
# here, too, and those that compilers and users put into handlers.
ENTRIES = [
    (SAFE, "__cyg_profile_func_* tarry_region_* tarry_parameter_* tarry_iteration_begin tarry_is_recording"),
    (SAFE, "tarry_scorep_* tarry_sp_* tarry_metric_* tarry_fortran_metric_*"),
    (SAFE, "tarry_fortran_region_* tarry_fortran_parameter_* tarry_fortran_iteration_* tarry_fortran_phase_*"),
    (SAFE, "tarry_take_sample tarry_choose_handler"),
    (SAFE, "longjmp _longjmp siglongjmp __longjmp_chk _exit _Exit _Fork execl execle execv execve fexecve execveat"),
    (SAFE, "sem_post"),
    (SAFE, "sigaction signal ssignal bsd_signal sysv_signal __sysv_signal sigset sigqueue syscall"),
    (BLOCKS, "MPI_* mpi_init* POMP2_* pomp2_* __wrap_GOMP_* ompt_start_tool pthread_* dlclose dlsym exit prctl"),
    (BLOCKS, "shmem_* start_pes shmalloc shmemalign shrealloc shfree"),
    (BLOCKS, "posix_spawn* execlp execvp execvpe"),
    (BLOCKS, "sigwait sigwaitinfo sigtimedwait signalfd timer_create __cxa_begin_catch tarry_file_hooks tarry_device_hooks"),
    (SAFE, "tarry_annotation_hooks"),
    (BLOCKS, "tarry_wrapped_call tarry_note_wrapped_functions"),
    (BLOCKS, "sem_wait sem_timedwait sem_clockwait"),
    (BLOCKS, "tarry_recording_* tarry_fortran_recording_*"),
    (ENDS, "tarry_measure_costs"),  # in a process of its own
]

# Functions that are called by address only.
CALLBACKS = [(SAFE, "ThreadSampler::take_on_own_stack {local}::forget_samplers {local}::on_full_queue")]

# (caller, callee, why a handler does not make the call); patterns of names without arguments.
GUARDED = [
    ("*own_memory*", "__lsan_*", "limit: with LeakSanitizer, whose lock it takes"),
    ("*", "std::__throw_*", "sizes are bounded; what they throw ends the program"),
    ("*", "abort", "what std::__throw_* is without exceptions"),
    ("*", "_Unwind_Resume", "no exception leaves what is called"),
    ("*", "__stack_chk_fail", "ends the program"),
    ("*", "__cxa_guard_acquire*", "what a handler needs is made before: prepare_for_handlers()"),
    ("*", "tarry_syscall_rarely", "for forks and sandboxes, which the recorder does not ask for"),
    ("TryLocked::take", "RecorderLock::wait", "a handler does not wait"),
    ("tarry::system_error", "strerror", "the text of a known number: a constant"),
    ("*", "function_names", "prepare_for_handlers() has made them"),
    ("*", "say", "once, where the recording or a part of it is given up"),
    ("BlockPool::forecast_flushes", "warn_of_disk", "once, where the disk will be full"),
    ("FunctionNames::define", "FunctionNames::find", "not in a handler: it asks is_in_handler()"),
    ("FunctionNames::define", "LocalDefinitions::*", "not in a handler: it asks is_in_handler()"),
    ("sem_post*", "LazyRegions::define", "not in a handler: it asks is_in_handler()"),
    ("python_role_of", "*", "not in a handler: it asks is_in_handler()"),
    ("find_own_stack", "pthread_*", "not in a handler: it asks is_in_handler()"),
    ("add_key", "LocalDefinitions::add_region", "not in a handler: overflow_region()"),
    ("EventBuffer::*", "Block::populate", "one system call, which waits for nobody"),
    ("define_flush_region", "LocalDefinitions::add_region",
     "limit: the first flush, in a handler that works with files, waits for who defines something"),
    ("*", "snprintf", "of numbers: takes no memory and no lock"),
    ("tarry::find_late", "dlsym", "found when the library is loaded, by constructors"),
    ("note_end", "*", "in a handler the walk over the stack ends at the signal"),
    ("tarry_region_*", "Selection::*", "limit: a selection of regions waits until no thread begins or ends"),
    ("begin_iteration", "Selection::*", "limit: as above"),
    ("tarry_iteration_begin", "Selection::*", "limit: as above"),
    ("guard_full_queue", "visit_threads", "limit: the first handler for SIGIO waits as above, if samples are taken"),
    ("give_up_queue", "visit_threads", "limit: the first full queue of signals, as above"),
    ("*", "adopt*", "limit: the first event of a thread waits; one that the recorder sees start is adopted then"),
    ("*", "note_first_event", "limit: the first event of a program starts the recording"),
]

# (function, what it calls)
INDIRECT = [
    ("libdeflate_*", "the code for this processor"),
    ("tarry::matches_glob", "is_one() of a class of characters"),
    ("leave_process", "the real exit"), ("jump", "the real longjmp"), ("with_recorder", "the real exec"),
    ("change_handler", "the real signal"), ("sigaction", "the real one"), ("sigqueue", "the real one"),
    ("sem_post", "the real one"),
    ("_Fork", "the real one"), ("tarry_take_sample", "hand_on_signal(), as below"),
    ("hand_on_signal", "the handler of the C library, whose signal it is"),
    ("tell_adapters", "as forget_everything_in_child"),
    ("tarry_call_on_stack", "ThreadSampler::take_on_own_stack(), which is on the list of CALLBACKS"),
    ("forget_everything_in_child", "forget_samplers(), which is on the list of CALLBACKS"),
    ("record_counters", "CounterSet::read(), which makes one system call"),
    ("PythonInterpreter::find_frames", "readers of the layout of one version of Python"),
    ("find_python_line", "readers of a table of lines"),
    ("next_number", "readers of a table of lines"),
    ("record_*", "the function of files that the program has called"),
    ("close_frames_below", "the selection of regions, for a region that has ended"),
    ("close_gone_frame", "the selection of regions, for a region that has ended"),
    ("end_watched_regions", "the selection of regions; limit: it waits for who visits the threads"),
]


def plain(name):
    """A demangled name without what the compiler adds, its arguments and its result."""
    if made := re.match(r"\S+ \(\*(tarry::[\w:]+)<", name):
        return made[1]  # of a template, whose result is the address of a function
    name = re.sub(r" \[clone [^]]*\]|\[abi:\w+\]|@plt|@@?[\w.]+", "", name).replace("(anonymous namespace)", "{local}")
    depth, kept = 0, []
    for at, character in enumerate(name):
        if character in "<(" and not name[:at].endswith("operator"):
            depth += 1
        elif character in ">)" and depth:
            depth -= 1
        elif depth == 0:
            kept.append(character)
    name = "".join(kept).removesuffix(" const")
    return name if "operator" in name else name.split(" ")[-1]


def listed_mark(name):
    name = name.removeprefix("tarry::measure::")
    for mark, patterns in ENTRIES + CALLBACKS:
        if any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns.split()):
            return mark
    return None


class Headers:
    """What the headers of lib/measure declare, and the marks there."""

    def __init__(self, folder):
        self.of_function, self.unmarked = {}, []
        for path in sorted(pathlib.Path(folder).rglob("*.hpp")):
            if path.parent.name in ("gcc-plugin", "tarry") or path.name in ("precompiled.hpp", "no_other_locks.hpp"):
                continue
            self.read(path, path.read_text())

    def read(self, path, text):
        head = re.match(r"(//[^\n]*\n)+", text)
        mark = MARK.search(head[0].replace("\n//", "")) if head else None
        if not mark:
            self.unmarked.append(f"{path}: has no mark: 'Calls: handler-safe.', 'may block.' or 'at end only.'")
        default = mark[1] if mark else None
        classes, depth, own, hidden = [], 0, None, set()
        for line in text.splitlines():
            code = line.split("//")[0]
            is_comment = line.lstrip().startswith("//") and line not in (head[0] if head else "")
            found = MARK.search(line) if is_comment else None
            own = found[1] if found else own
            if not code.strip():
                continue
            begun = re.search(r"\b(?:class|struct)(?: alignas\(\d+\))? (\w+)[^;()]*\{", code)
            if begun:
                classes.append((begun[1], depth, own or default))
                hidden.discard(depth + 1)
            elif access := re.fullmatch(r"\s*(public|protected|private):\s*", code):
                (hidden.discard if access[1] == "public" else hidden.add)(depth)
            else:
                for name in re.findall(r"(~?\b[A-Za-z_]\w*)\s*\(", code):
                    self.note(name, [c for c, _, _ in classes], None if depth in hidden else own or
                              (classes[-1][2] if classes else default))
            depth += code.count("{") - code.count("}")
            while classes and depth <= classes[-1][1]:
                classes.pop()
            if code.rstrip().endswith((";", "}", "{")):
                own = None

    def note(self, name, classes, mark):
        """A function of the innermost class; private ones have no mark."""
        self.of_function.setdefault("::".join(classes[-1:] + [name]), mark)

    def mark(self, name):
        """Of a function by its plain name; None if no header declares it."""
        if mark := listed_mark(name):
            return mark
        if not name.startswith("tarry::measure::") or "{local}" in name or "{lambda" in name:
            return None
        parts = name.removeprefix("tarry::measure::").split("::")
        return self.of_function.get("::".join(parts[-2:]))


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


class Code:
    """Who calls whom in a library: functions by address."""

    HEAD = re.compile(r"^([0-9a-f]+) <(.*)>:$")
    CALL = re.compile(r"\t(?:notrack |bnd )*(call|j[a-z]+) +([0-9a-f]+) <(.*)>$")
    BY_ADDRESS = re.compile(r"\t(?:notrack |bnd )*(?:call +\*|jmp +\*[^%])")  # a jump by a register is a switch

    def __init__(self, library):
        self.names, self.calls, self.by_address = {}, collections.defaultdict(dict), set()
        shown = output_of("nm", "-D", "--defined-only", library)
        self.shown = {plain(line.split()[2]) for line in shown.splitlines() if line.split()[1] in "TWi"}
        begin = None
        for line in output_of("objdump", "-d", "-C", "--no-show-raw-insn", "-j", ".text", library).splitlines():
            if head := self.HEAD.match(line):
                begin = int(head[1], 16)
                self.names[begin] = plain(head[2])
            elif call := self.CALL.search(line):
                self.calls[begin][int(call[2], 16)] = call[3]
            elif self.BY_ADDRESS.search(line):
                self.by_address.add(begin)

    def callees(self, begin):
        """(address or None for another library's, name)"""
        for target, text in self.calls[begin].items():
            if target in self.names:
                yield target, self.names[target]
            elif text.endswith("@plt"):
                yield None, plain(text)


class Check:
    def __init__(self, code, headers):
        self.code, self.headers, self.used, self.faults = code, headers, set(), {}

    def is_guarded(self, caller, callee):
        for row in GUARDED:
            if fnmatch.fnmatchcase(short(caller), row[0]) and fnmatch.fnmatchcase(short(callee), row[1]):
                self.used.add(row)
                return True
        return False

    def unlisted_entries(self):
        """Functions that the library shows, but ENTRIES does not."""
        return [f"{name}: shown to programs, but not in ENTRIES"
                for name in sorted(self.code.shown) if not listed_mark(name)]

    def run(self):
        for begin, name in self.code.names.items():
            mark = self.headers.mark(name)
            if mark in (SAFE, BLOCKS):
                self.follow(begin, mark)
        return [f"{fault}\n    {way}" for fault, way in sorted(self.faults.items())]

    def follow(self, root, mark):
        """All that a function reaches without going through another one with a mark."""
        way, queue = {root: None}, [root]
        while queue:
            at = queue.pop(0)
            if mark == SAFE and at in self.code.by_address:
                self.note_by_address(root, at, way)
            for target, name in self.code.callees(at):
                if target == at or target in way or (mark == SAFE and self.is_guarded(self.code.names[at], name)):
                    continue
                fault, is_end = self.judge(mark, target, name)
                if fault:
                    self.note(root, at, name, fault, way)
                elif not is_end and target is not None:
                    way[target] = at
                    queue.append(target)

    def note_by_address(self, root, at, way):
        for row in INDIRECT:
            if fnmatch.fnmatchcase(short(self.code.names[at]), row[0]):
                self.used.add(row)
                return
        self.note(root, at, short(self.code.names[at]), "calls by address", way)

    def judge(self, mark, target, name):
        """What is wrong with a call, and whether its target is looked at by itself."""
        other = self.headers.mark(name) if target is not None else None
        if other == ENDS:
            return "is for the end only", True
        if mark == BLOCKS:
            return None, other is not None
        if name == "tarry::measure::RecorderLock::wait":
            return "waits for a lock", True
        if other == BLOCKS:
            return "may block", True
        if target is None and name not in LIBC:
            return "is not on the list of LIBC", True
        return None, other is not None

    def note(self, root, at, name, fault, way):
        steps = []
        while at is not None:
            steps.append(short(self.code.names[at]))
            at = way[at]
        caller = self.code.names[root]
        first = f"{short(caller)} ({self.headers.mark(caller)}) calls {short(name)}, which {fault}"
        self.faults.setdefault(first, " < ".join(steps))


def short(name):
    return name.removeprefix("tarry::measure::").replace("{local}::", "")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--build", default="build")
    parser.add_argument("--library")
    parser.add_argument("--unneeded", action="store_true")
    parser.add_argument("--headers", default="lib/measure")
    options = parser.parse_args()
    if platform.machine() != "x86_64":
        print("calls: not checked, as the disassembly is read for x86-64 only")
        return 0
    headers = Headers(options.headers)
    check = Check(Code(options.library or f"{options.build}/lib/libtarry-mpi.so"), headers)
    faults = headers.unmarked + check.unlisted_entries() + check.run()
    for row in [row for row in GUARDED + INDIRECT if row not in check.used] if options.unneeded else []:
        print(f"nothing in this build needs the row {row[:-1]}")
    print("\n".join(faults) if faults else "calls: ok")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
