"""python_paths.py -- calls MPI from all kinds of Python functions, and writes the path of each call to FILE.RANK.

Each line has the number of calls, the functions, and for each of them the line where it calls the next one or MPI.

usage: python_paths.py FILE
"""
import collections
import ctypes
import functools
import os
import sys
import threading

paths = collections.Counter()
mpi = ctypes.CDLL("libmpi.so", ctypes.RTLD_GLOBAL)
world = ctypes.c_void_p(ctypes.addressof(ctypes.c_char.in_dll(mpi, "ompi_mpi_comm_world")))


def note():
    """Where the caller is."""
    names, lines, frame = [], [], sys._getframe(1)
    while frame:
        code = frame.f_code
        name = getattr(code, "co_qualname", code.co_name)
        if not code.co_filename.startswith("<frozen "):
            names.append(os.path.basename(code.co_filename) if name == "<module>" else name)
            lines.append(str(frame.f_lineno))
        frame = frame.f_back
    paths["/".join(reversed(names)), ",".join(reversed(lines))] += 1


class Sölver:
    def __init__(self, depth):
        self.depth = depth

    def descend(self, depth=0):
        if depth < self.depth:
            return self.descend(depth + 1)
        note(), mpi.MPI_Barrier(world)

    def __call__(self, one, other):
        note(), mpi.MPI_Barrier(world)
        return one - other

    def __del__(self):
        note(), mpi.MPI_Barrier(world)


def generate(count):
    for i in range(count):
        note(), mpi.MPI_Barrier(world)
        yield i
    yield from (generate(count - 1) if count else ())


def raise_below(depth):
    note(), mpi.MPI_Barrier(world)
    if depth == 0:
        raise ValueError
    try:
        raise_below(depth - 1)
    finally:
        note(), mpi.MPI_Barrier(world)


def twice(function):
    @functools.wraps(function)
    def call(*arguments):
        return function(*arguments), function(*arguments)
    return call


@twice
def decorated(number):
    note(), mpi.MPI_Barrier(world)
    return number


def made_at_run_time(number):
    """Functions whose code lies where that of another was before."""
    scope = {"note": note, "mpi": mpi, "world": world}
    exec(f"def made_{number}():\n    note(), mpi.MPI_Barrier(world)\n", scope)
    scope[f"made_{number}"]()


def work():
    Sölver(5).descend()
    for _ in generate(3):
        pass
    sorted([3, 1, 2], key=functools.cmp_to_key(Sölver(0)))
    list(map(lambda number: (note(), mpi.MPI_Barrier(world)), range(3)))
    [(note(), mpi.MPI_Barrier(world)) for _ in range(2)]
    try:
        raise_below(4)
    except ValueError:
        note(), mpi.MPI_Barrier(world)
    decorated(1)
    for number in range(30):
        made_at_run_time(number)
    callback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(lambda one, other: decorated(0)[0])
    numbers = (ctypes.c_int * 3)(3, 2, 1)
    ctypes.CDLL(None).qsort(numbers, ctypes.c_size_t(3), ctypes.c_size_t(4), callback)


note(), mpi.MPI_Init_thread(None, None, 3, ctypes.byref(ctypes.c_int()))
for repeat in range(10):
    work()
thread = threading.Thread(target=work)
thread.start()
thread.join()
rank = ctypes.c_int()
mpi.MPI_Comm_rank(world, ctypes.byref(rank))
note(), mpi.MPI_Finalize()
with open(f"{sys.argv[1]}.{rank.value}", "w", encoding="utf-8") as file:
    file.writelines(f"{count}\t{path}\t{lines}\n" for (path, lines), count in paths.items())
