// hpcg_levels.cpp -- like HPCG: conjugate gradients with a multigrid of Gauss-Seidel sweeps, 27 neighbours a row.
//
// usage: mpirun -np N hpcg_levels [ITERATIONS]      (10)
//
// Each rank has a box of 24^3 rows with three coarser levels, and exchanges two faces with its neighbours in a ring
// before each sweep and product. row_product() does one row and takes some 30 ns. It is called from the sweeps and the
// product of each level, so it has many call paths; it makes far more than half of the events.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define SEPARATE [[gnu::noinline]]

namespace {

struct Level {
  int edge = 0;
  std::vector<int> neighbours;  // 27 a row
  std::vector<double> x, r, y;
  Level* coarser = nullptr;
};

int g_rank = 0, g_ranks = 1;

SEPARATE double row_product(const Level& level, const std::vector<double>& x, int row) {
  const int* const list = &level.neighbours[static_cast<std::size_t>(row) * 27];
  double sum = 0;
  for (int i = 0; i < 27; ++i) sum -= x[static_cast<std::size_t>(list[i])];
  return sum + 27 * x[static_cast<std::size_t>(row)];
}

SEPARATE void exchange_faces(Level& level, std::vector<double>& x) {
  const int face = level.edge * level.edge, rows = face * level.edge;
  const int below = (g_rank + g_ranks - 1) % g_ranks, above = (g_rank + 1) % g_ranks;
  std::vector<double> got(static_cast<std::size_t>(2 * face));
  MPI_Request requests[4];
  MPI_Irecv(got.data(), face, MPI_DOUBLE, below, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(got.data() + face, face, MPI_DOUBLE, above, 2, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(x.data(), face, MPI_DOUBLE, below, 2, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(x.data() + rows - face, face, MPI_DOUBLE, above, 1, MPI_COMM_WORLD, &requests[3]);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  level.y[0] = 0.5 * (got[0] + got[static_cast<std::size_t>(face)]);
}

SEPARATE void gauss_seidel(Level& level) {
  const int rows = static_cast<int>(level.x.size());
  exchange_faces(level, level.x);
  for (int row = 0; row < rows; ++row) {
    const auto at = static_cast<std::size_t>(row);
    level.x[at] += 0.02 * (level.r[at] - row_product(level, level.x, row));
  }
  for (int row = rows - 1; row >= 0; --row) {
    const auto at = static_cast<std::size_t>(row);
    level.x[at] += 0.02 * (level.r[at] - row_product(level, level.x, row));
  }
}

SEPARATE void sparse_product(Level& level) {
  exchange_faces(level, level.x);
  for (std::size_t row = 0; row < level.x.size(); ++row)
    level.y[row] = row_product(level, level.x, static_cast<int>(row));
}

SEPARATE void v_cycle(Level& level) {
  gauss_seidel(level);
  if (!level.coarser) return;
  sparse_product(level);
  for (std::size_t row = 0; row < level.coarser->r.size(); ++row) level.coarser->r[row] = level.r[row] - level.y[row];
  v_cycle(*level.coarser);
  for (std::size_t row = 0; row < level.coarser->x.size(); ++row) level.x[row] += 0.1 * level.coarser->x[row];
  gauss_seidel(level);
}

SEPARATE double dot_product(const std::vector<double>& a, const std::vector<double>& b) {
  double mine = 0, sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) mine += a[i] * b[i];
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

SEPARATE void build(Level& level, int edge) {
  level.edge = edge;
  const int rows = edge * edge * edge;
  level.x.assign(static_cast<std::size_t>(rows), 0);
  level.r.assign(static_cast<std::size_t>(rows), 1);
  level.y.assign(static_cast<std::size_t>(rows), 0);
  for (int row = 0; row < rows; ++row)
    for (int z = -1; z <= 1; ++z)
      for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x) level.neighbours.push_back((row + (z * edge + y) * edge + x + 2 * rows) % rows);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &g_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &g_ranks);
  const int iterations = argc > 1 ? std::atoi(argv[1]) : 10;
  Level levels[4];
  for (int i = 0; i < 4; ++i) {
    build(levels[i], 24 >> i);
    if (i > 0) levels[i - 1].coarser = &levels[i];
  }
  double norm = 0;
  for (int i = 0; i < iterations; ++i) {
    sparse_product(levels[0]);
    v_cycle(levels[0]);
    norm = dot_product(levels[0].x, levels[0].y);
  }
  if (g_rank == 0) std::printf("%.10g\n", norm);
  MPI_Finalize();
  return 0;
}
