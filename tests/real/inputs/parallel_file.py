"""parallel_file.py -- h5py: all ranks write and read one file."""
import sys
import numpy
from mpi4py import MPI
import h5py

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
with h5py.File("all.h5", "w", driver="mpio", comm=comm) as file:
    data = file.create_dataset("values", (size * 1000, 20), dtype="f8")
    for step in range(20):
        data[rank * 1000:(rank + 1) * 1000, step] = numpy.arange(1000) + rank + step
comm.Barrier()
with h5py.File("all.h5", "r", driver="mpio", comm=comm) as file:
    total = comm.reduce(float(file["values"][rank::size].sum()), root=0)
if rank == 0:
    print("sum", total)
