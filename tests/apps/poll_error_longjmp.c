/* poll_error_longjmp.c -- asks for messages in vain, until an error handler jumps out of the call.
 *
 * usage: poll_error_longjmp ROUNDS QUESTIONS
 *
 * Each rank asks QUESTIONS times in each round, then once with a wrong argument; the handler makes no call of its own, and what
 * was on the stack of the call is overwritten. Rank 0 prints the seconds from MPI_Init to MPI_Finalize. */
#include <mpi.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef PAST_THE_LIBRARY /* a jump that the C library does not see */
static void* escape[5];
#define MARK() __builtin_setjmp(escape)
#define JUMP() __builtin_longjmp(escape, 1)
#else
static jmp_buf escape;
#define MARK() setjmp(escape)
#define JUMP() longjmp(escape, 1)
#endif

static void jump_away(MPI_Comm* comm, int* code, ...) {
  (void)comm;
  (void)code;
  JUMP();
}

__attribute__((noinline)) static void overwrite_stack(int byte) {
  volatile char memory[16384];
  memset((char*)memory, byte, sizeof memory);
}

__attribute__((noinline)) static void ask(int questions) {
  int i, flag = 0;
  for (i = 0; i < questions; ++i) MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  MPI_Iprobe(99999, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  abort();
}

int main(int argc, char** argv) {
  MPI_Errhandler handler;
  const int rounds = argc > 1 ? atoi(argv[1]) : 10, questions = argc > 2 ? atoi(argv[2]) : 100;
  double begin;
  volatile int i;
  int rank;
  MPI_Init(&argc, &argv);
  begin = MPI_Wtime();
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_create_errhandler(jump_away, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  for (i = 0; i < rounds; ++i) {
    if (MARK() == 0) ask(questions);
    overwrite_stack(i % 2 ? 0x3f : 0xc0);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&handler);
  if (rank == 0) printf("%.9f\n", MPI_Wtime() - begin);
  MPI_Finalize();
  return 0;
}
