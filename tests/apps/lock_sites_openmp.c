/* lock_sites_openmp.c -- reaches the locks of the recorder in an OpenMP program: teams, tasks, worksharing, locks.
 *
 * Links lock_site_signals.c, whose handler runs at each lock. Prints "done" and ends with 0. */
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

extern atomic_int lock_sites_is_recorded;

enum { ROUNDS = 14, TASKS = 20 };
static atomic_int sum;
static omp_lock_t lock;

static void add(int value) { atomic_fetch_add(&sum, value); }

static void share_work(void) {
#pragma omp parallel num_threads(3)
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 30; ++i) add(1);
#pragma omp single
    add(1);
#pragma omp sections
    {
#pragma omp section
      add(1);
#pragma omp section
      add(1);
    }
#pragma omp critical(named)
    add(1);
#pragma omp barrier
#pragma omp master
    add(1);
  }
}

static void make_tasks(void) {
#pragma omp parallel num_threads(3)
#pragma omp single
  {
    for (int i = 0; i < TASKS; ++i) {
#pragma omp task
      add(1);
    }
#pragma omp taskwait
  }
}

static void nest(void) {
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
  add(1);
}

static void lock_and_unlock(void) {
#pragma omp parallel num_threads(3)
  {
    omp_set_lock(&lock);
    add(1);
    omp_unset_lock(&lock);
  }
}

static void fill_blocks(void) {
  for (int i = 0; i < 3000; ++i) add(0);
}

static void use_file(int round) {
  char name[32];
  snprintf(name, sizeof name, "openmp_%d.txt", round);
  FILE* const file = fopen(name, "w");
  if (!file || fprintf(file, "%d\n", round) < 0 || fclose(file) != 0) abort();
}

int main(void) {
  const int expected = 30 + 1 + 2 + 3 + 1 + TASKS + 4 + 3;
  omp_set_max_active_levels(2);
  omp_init_lock(&lock);
  lock_sites_is_recorded = 1;
  for (int round = 0; round < ROUNDS; ++round) {
    share_work();
    make_tasks();
    nest();
    lock_and_unlock();
    fill_blocks();
    use_file(round);
  }
  lock_sites_is_recorded = 0;
  omp_destroy_lock(&lock);
  if (sum != ROUNDS * expected) return 1;
  printf("done\n");
  return 0;
}
