/* openmp_waits.c -- four threads that wait for each other in every way OpenMP knows, for known times.
 *
 * Scene 1: an explicit barrier; thread 1 comes after 200 ms. Scene 2: an implicit one behind a loop; thread 2 comes
 * after 200 ms. Scene 3: a critical construct that thread 0 holds for 200 ms, thread 3 asks for it after 50 ms. Scene 4:
 * the same with a lock. Scene 5: an explicit barrier; thread 0 comes after 250 ms, and another one executes a task of
 * 200 ms there meanwhile. Scene 6: an implicit barrier; all are there, but two execute tasks of 200 and 100 ms. Outside
 * parallel regions the others are idle for 200 ms. Threads are numbered as they come. */
// expect: metric=omp_ebarrier_wait callpath=* rank=0 seconds=1.15
// expect: metric=omp_ibarrier_wait callpath=* rank=0 seconds=1.1
// expect: metric=omp_idle_threads callpath=openmp_waits/main rank=0 seconds=3*0.2
// expect: metric=omp_lock_contention_critical callpath=* rank=0 seconds=0.15
// expect: metric=omp_lock_contention_api callpath=* rank=0 seconds=0.15
// expect: metric=delay_threadlock_aggregate callpath=* rank=0 seconds=2*0.15
#include <omp.h>

#include "omp_scene.h"

/* Sums over the threads of rank 0. */
int main(int argc, char** argv) {
  omp_lock_t lock;
  MPI_Init(&argc, &argv);
  omp_set_num_threads(4);
  omp_init_lock(&lock);
#pragma omp parallel
  { omp_get_thread_num(); }

  scene_start();
#pragma omp parallel
  {
    const int thread = omp_get_thread_num();
    if (thread == 1) sleep_until(200);
#pragma omp barrier
    sleep_until(300);
  }

  scene_start();
#pragma omp parallel
  {
    int i;
#pragma omp for schedule(static, 1)
    for (i = 0; i < 4; ++i)
      if (i == 2) sleep_until(200);
    sleep_until(300);
  }

  scene_start();
#pragma omp parallel
  {
    const int thread = omp_get_thread_num();
    if (thread == 3) sleep_until(50);
    if (thread == 0 || thread == 3) {
#pragma omp critical
      if (thread == 0) sleep_until(200);
    }
    sleep_until(300);
  }

  scene_start();
#pragma omp parallel
  {
    const int thread = omp_get_thread_num();
    if (thread == 3) sleep_until(50);
    if (thread == 0 || thread == 3) {
      omp_set_lock(&lock);
      if (thread == 0) sleep_until(200);
      omp_unset_lock(&lock);
    }
    sleep_until(300);
  }

  scene_start();
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
#pragma omp task
      sleep_until(200);
      sleep_until(250);
    }
#pragma omp barrier
    sleep_until(300);
  }

  scene_start();
#pragma omp parallel
  {
#pragma omp single
    {
#pragma omp task
      sleep_until(200);
#pragma omp task
      sleep_until(100);
    }
    sleep_until(300);
  }

  scene_start();
  sleep_until(200);
  omp_destroy_lock(&lock);
  MPI_Finalize();
  return 0;
}
