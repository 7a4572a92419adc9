/* halo_2d.c -- a grid of ranks exchanges the edges of its blocks: halo_2d ROUNDS.
 *
 * Rows of the grid are rings, columns are not. Each round sends 8 bytes to the west, 16 to the east, 24 to the north
 * and nothing but an envelope to the south. */
#include <mpi.h>
#include <stdlib.h>

enum { kWest, kEast, kNorth, kSouth, kSides };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rounds = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 1;
  int size, dims[2] = {0, 0}, periods[2] = {0, 1}, peers[kSides];
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 2, dims);
  MPI_Comm grid;
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  MPI_Cart_shift(grid, 1, 1, &peers[kWest], &peers[kEast]);
  MPI_Cart_shift(grid, 0, 1, &peers[kNorth], &peers[kSouth]);
  const int counts[kSides] = {1, 2, 3, 0};
  static double out[3], in[kSides][3];
  for (int round = 0; round < rounds; ++round) {
    MPI_Request requests[2 * kSides];
    for (int side = 0; side < kSides; ++side) {
      MPI_Irecv(in[side], 3, MPI_DOUBLE, peers[side], side ^ 1, grid, &requests[side]);
      MPI_Isend(out, counts[side], MPI_DOUBLE, peers[side], side, grid, &requests[kSides + side]);
    }
    MPI_Waitall(2 * kSides, requests, MPI_STATUSES_IGNORE);
  }
  MPI_Comm_free(&grid);
  MPI_Finalize();
}
