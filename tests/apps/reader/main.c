// main.c -- the program of a reader of the documents: solves something on each rank, and adds it up. Reads input.txt.
#include <mpi.h>
#include <stdio.h>

double solve(int step);

int main(int argc, char** argv) {
  double sum = 0, all = 0;
  MPI_Init(&argc, &argv);
  FILE* input = fopen(argc > 1 ? argv[1] : "input.txt", "r");
  if (!input || fscanf(input, "%lf", &sum) != 1) MPI_Abort(MPI_COMM_WORLD, 1);
  fclose(input);
  for (int step = 0; step < 50; ++step) {
    sum += solve(step);
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return all < 0;
}
