// polled_grequest.c -- tests a generalized request in vain until a thread completes it; then MPI calls back.
//
// usage: polled_grequest REQUESTS
//
// The callback is called inside the MPI_Test that finds the request complete, and calls MPI itself. It lasts a while,
// so that its time counts.
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static void pause_for(long milliseconds) {
  const struct timespec time = {.tv_nsec = milliseconds * 1000000};
  nanosleep(&time, NULL);
}

static int query(void* state, MPI_Status* status) {
  (void)state;
  MPI_Status_set_cancelled(status, 0);
  pause_for(2);
  return MPI_Status_set_elements(status, MPI_BYTE, 8);
}
static int release(void* state) {
  (void)state;
  return MPI_SUCCESS;
}
static int cancel(void* state, int is_complete) {
  (void)state, (void)is_complete;
  return MPI_SUCCESS;
}

static void* complete(void* request) {
  pause_for(20);
  MPI_Grequest_complete(*(MPI_Request*)request);
  return NULL;
}

int main(int argc, char** argv) {
  int level, done;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  if (level < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int left = argc > 1 ? atoi(argv[1]) : 3; left > 0; --left) {
    MPI_Request request, same;
    pthread_t thread;
    MPI_Grequest_start(query, release, cancel, NULL, &request);
    same = request;
    pthread_create(&thread, NULL, complete, &same);
    for (done = 0; !done;) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    pthread_join(thread, NULL);
  }
  MPI_Finalize();
  return 0;
}
