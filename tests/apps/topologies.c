// topologies.c -- 6 processes in grids and graphs, and all that is made from them.
//
// What `tarry archive info --places` must print stands in tests/pipeline/topologies.sh.
#include <mpi.h>

static int rank, size;

static void exchange(MPI_Comm comm) {
  int in[8], out = rank;
  MPI_Neighbor_allgather(&out, 1, MPI_INT, in, 1, MPI_INT, comm);
}

// Rank r has an edge to r + 1 and r + 2, but for the last two.
static void graph(void) {
  const int index[6] = {2, 4, 6, 8, 9, 9};
  const int edges[9] = {1, 2, 2, 3, 3, 4, 4, 5, 5};
  MPI_Comm comm;
  MPI_Graph_create(MPI_COMM_WORLD, 6, index, edges, 0, &comm);
  MPI_Comm_free(&comm);
}

// A ring of even ranks; rank 1 hears all of them, the others nobody.
static void adjacent_graph(void) {
  const int even[3] = {0, 2, 4};
  const int before = (rank + 4) % 6, to[2] = {(rank + 2) % 6, 1};
  const int weights[3] = {1, 1, 1};
  const int is_even = rank % 2 == 0, is_listener = rank == 1;
  MPI_Comm comm;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, is_even ? 1 : is_listener ? 3 : 0, is_even ? &before : even, weights,
                                 is_even ? 2 : 0, to, weights, MPI_INFO_NULL, 0, &comm);
  exchange(comm);
  MPI_Comm_free(&comm);
}

int main(int argc, char** argv) {
  const int sizes[2] = {2, 3}, is_round[2] = {0, 1}, keep[2] = {0, 1};
  MPI_Comm grid, row, copy, later;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size != 6) MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, is_round, 0, &grid);
  MPI_Cart_sub(grid, keep, &row);
  MPI_Comm_dup(grid, &copy);
  MPI_Comm_idup(row, &later, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  exchange(copy);
  exchange(later);
  graph();
  adjacent_graph();
  MPI_Finalize();
}
