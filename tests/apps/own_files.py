# own_files.py -- writes and reads 50,000,000 bytes. usage: own_files.py FILE
import sys

from mpi4py import MPI

with open(sys.argv[1], "wb") as file:
    for i in range(500):
        file.write(b"x" * 100000)
with open(sys.argv[1], "rb") as file:
    print(len(file.read()), MPI.COMM_WORLD.Get_size())
