"""mpi4py_calls.py -- known calls from Python: buffers, objects, communicators, a window, a reduction written in Python.

mpi4py opens MPI with RTLD_LOCAL and calls MPI_Init_thread when it is imported. Each process sends ROUNDS arrays and
ROUNDS objects to the next one; prints one line, the sum of what process 0 has got.
"""
import sys

import numpy
from mpi4py import MPI

ROUNDS = 20


def greatest(left, right, _datatype):
    a, b = numpy.frombuffer(left, "i"), numpy.frombuffer(right, "i")
    numpy.maximum(a, b, out=b)


def main():
    comm = MPI.COMM_WORLD
    rank, size = comm.rank, comm.size
    here, there = (rank + size - 1) % size, (rank + 1) % size
    total = 0
    for i in range(ROUNDS):
        values = numpy.arange(100, dtype="i") + i
        got = numpy.empty_like(values)
        request = comm.Irecv(got, source=here, tag=1)
        comm.Send(values, dest=there, tag=1)
        request.Wait()
        total += int(got.sum()) + comm.sendrecv({"round": i}, dest=there, source=here)["round"]
    part = comm.Split(rank % 2, rank)
    total += part.allreduce(1)
    part.Free()

    most = numpy.zeros(1, dtype="i")
    op = MPI.Op.Create(greatest, commute=True)
    comm.Allreduce(numpy.array([rank], dtype="i"), most, op=op)
    op.Free()
    total += int(most[0])

    window = MPI.Win.Allocate(4, comm=comm)
    window.Fence()
    window.Put(numpy.array([rank], dtype="i"), there)
    window.Fence()
    total += int(numpy.frombuffer(window.tomemory(), "i")[0])
    window.Free()
    if rank == 0:
        print(total)
    return 0


sys.exit(main())
