/* openmp_teams.c -- leagues of teams on the host, in between and around parallel regions.
 *
 * usage: openmp_teams [ROUNDS]. Prints EXPECT NAME VISITS for each construct that must be seen, over all threads.
 * The members of leagues and teams count themselves, as their number depends on the machine. No parallel region lies
 * in another one, and each lies in a league or in none: EXPECT_DEPTH is how many of both lie in one another. With
 * -DWITH_MPI each process does this. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

static long g_teams, g_parallels;

static void count(long* counter) {
#pragma omp atomic
  ++*counter;
}

static void league_of(int teams, int threads) {
#pragma omp teams num_teams(teams) thread_limit(threads)
  {
    count(&g_teams);
#pragma omp parallel num_threads(threads)
    count(&g_parallels);
#pragma omp parallel num_threads(threads)
    count(&g_parallels);
  }
}

static void empty_league(void) {
#pragma omp teams num_teams(2)
  count(&g_teams);
}

static long combined(int size) {
  long sum = 0;
  int i;
#pragma omp target teams distribute parallel for num_teams(2) map(tofrom : sum) reduction(+ : sum)
  for (i = 0; i < size; ++i) sum += i;
  return sum;
}

static void team(int threads) {
#pragma omp parallel num_threads(threads)
  count(&g_parallels);
}

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 60;
  const int is_combined = argc > 2;
  int round;
#ifdef WITH_MPI
  MPI_Init(&argc, &argv);
#endif
  for (round = 0; round < rounds; ++round) {
    league_of(2, 2);
    team(2);
    empty_league();
    team(3);
    league_of(3, 1);
    if (is_combined && combined(100) != 4950) puts("wrong sum");
  }
  if (!is_combined)
    printf("EXPECT teams %ld\nEXPECT parallel %ld\nEXPECT_DEPTH 2\n", g_teams, g_parallels);
  puts("end of openmp_teams");
#ifdef WITH_MPI
  MPI_Finalize();
#endif
  return 0;
}
