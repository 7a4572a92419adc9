# lock_sites_python.py -- reaches the locks of the recorder in a Python program: files, threads, and MPI if it is there.
#
# lock_site_signals.c is preloaded, whose handler runs at each lock. Prints "done" and ends with 0.
import ctypes
import threading

try:
    from mpi4py import MPI
except ImportError:
    MPI = None

is_recorded = ctypes.c_int.in_dll(ctypes.CDLL(None), "lock_sites_is_recorded")


def use_file(name, text):
    with open(name, "w") as out:
        out.write(text)
    with open(name) as there:
        assert there.read() == text


def through_new_function(number):
    """A function that the recorder has not seen, which calls one that it has."""
    scope = {"use_file": use_file}
    exec(f"def new_function_{number}():\n    use_file('python_{number}.txt', 'x' * {number})\n", scope)
    scope[f"new_function_{number}"]()


def exchange(number):
    comm = MPI.COMM_SELF
    request = comm.irecv(source=0, tag=number)
    comm.send({"number": number}, dest=0, tag=number)
    assert request.wait()["number"] == number
    copy = comm.Dup()
    copy.Barrier()
    copy.Free()


def main():
    is_recorded.value = 1
    for number in range(1, 60):
        through_new_function(number)
        if MPI:
            exchange(number)
        thread = threading.Thread(target=use_file, args=("in_thread.txt", "y" * number))
        thread.start()
        thread.join()
    is_recorded.value = 0
    print("done", flush=True)


main()
