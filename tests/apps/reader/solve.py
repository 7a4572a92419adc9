"""A reader's program in Python: adds up something on all ranks."""
from mpi4py import MPI

total = 0
for step in range(50):
    total += MPI.COMM_WORLD.allreduce(sum(i * i for i in range(2000)))
assert total > 0
