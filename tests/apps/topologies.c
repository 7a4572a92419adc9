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

// Each hears from the next one only, and every other one at the same time from itself.
static void pairs(void) {
  int send_counts[6] = {0}, counts[6] = {0}, places[6] = {0, 1, 2, 3, 4, 5}, in[6], out[6] = {0};
  MPI_Request request;
  send_counts[(rank + 5) % 6] = counts[(rank + 1) % 6] = 1;
  if (rank % 2) send_counts[rank] = counts[rank] = 1;
  MPI_Alltoallv(out, send_counts, places, MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD);
  MPI_Ialltoallv(out, send_counts, places, MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int i = 0; i < 6; ++i) send_counts[i] = counts[i] = i != rank;
  MPI_Alltoallv(out, send_counts, places, MPI_INT, in, counts, places, MPI_INT, MPI_COMM_WORLD);
}

// In a ring of six: data for the neighbour before only.
static void to_one_side(MPI_Comm ring) {
  const int send_counts[2] = {1, 0}, counts[2] = {0, 1}, places[2] = {0, 1};
  int in[2], out[2] = {0};
  MPI_Neighbor_alltoallv(out, send_counts, places, MPI_INT, in, counts, places, MPI_INT, ring);
}

int main(int argc, char** argv) {
  const int sizes[2] = {2, 3}, is_round[2] = {0, 1}, keep[2] = {0, 1};
  MPI_Comm grid, row, copy, later, ring;
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
  pairs();
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, is_round + 1, 0, &ring);
  to_one_side(ring);
  MPI_Finalize();
}
