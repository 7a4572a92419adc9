"""mpi4py_halo.py -- exchanges rows between neighbours, from methods, generators and callbacks. Prints nothing."""
import sys

import numpy
from mpi4py import MPI


class Grid:
    def __init__(self, comm, width):
        self.comm, self.rows = comm, numpy.zeros((width, width))
        self.below = comm.rank - 1 if comm.rank else MPI.PROC_NULL
        self.above = comm.rank + 1 if comm.rank + 1 < comm.size else MPI.PROC_NULL

    def exchange(self):
        requests = [self.comm.Irecv(self.rows[0], self.below), self.comm.Irecv(self.rows[-1], self.above)]
        requests += [self.comm.Isend(self.rows[row], to) for row, to in ((1, self.below), (-2, self.above))]
        for request in requests:
            request.Wait()

    def residual(self):
        return self.comm.allreduce(float(numpy.abs(self.rows).sum()))

    def steps(self, count):
        for step in range(count):
            self.exchange()
            self.rows[1:-1] += 0.5
            yield step, self.residual()


def copy_attribute(comm, key, value):
    comm.Barrier()
    return value


def main():
    comm = MPI.COMM_WORLD
    key = MPI.Comm.Create_keyval(copy_fn=copy_attribute)
    comm.Set_attr(key, "name")
    for step, residual in Grid(comm, 50).steps(int(sys.argv[1])):
        sorted(range(3), key=lambda number: comm.bcast(number))
        if step % 10 == 0:
            comm.Dup().Free()


main()
