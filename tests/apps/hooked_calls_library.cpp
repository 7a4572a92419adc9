// hooked_calls_library.cpp -- the part of hooked_calls.cpp that is not instrumented: each function makes a call of MPI,
// by which the recorder learns of it, and then calls a function that is instrumented.
#include <mpi.h>

#include <csetjmp>
#include <cstdlib>

extern "C" {

std::jmp_buf g_before_call;

// Two call sites of one function.
void library_loop(int count, void (*call)(int)) {
  MPI_Barrier(MPI_COMM_SELF);
  for (int i = 0; i < count; ++i) call(i);
  for (int i = 0; i < count; ++i) call(-i);
}

void library_sort(int* values, int count, int (*compare)(const void*, const void*)) {
  MPI_Barrier(MPI_COMM_SELF);
  std::qsort(values, static_cast<std::size_t>(count), sizeof *values, compare);
  asm volatile("");  // so that this is no jump
}

void library_catch(int count, void (*call)(int)) {
  MPI_Barrier(MPI_COMM_SELF);
  for (int i = 0; i < count; ++i) {
    try {
      call(i);
    } catch (int) {
    }
  }
}

void library_jump(int count, void (*call)(int)) {
  MPI_Barrier(MPI_COMM_SELF);
  for (volatile int i = 0; i < count; i = i + 1)
    if (setjmp(g_before_call) == 0) call(i);
}

__attribute__((noinline)) void library_first(int i, void (*call)(int)) {
  call(i);
  asm volatile("");
}

__attribute__((noinline)) void library_second(int i, void (*call)(int)) {
  call(i);
  asm volatile("");
}

// The functions in between change from call to call.
void library_in_turns(int count, void (*call)(int)) {
  MPI_Barrier(MPI_COMM_SELF);
  for (int i = 0; i < count; ++i) {
    library_first(i, call);
    library_second(i, call);
  }
}

// Frames of a size that changes, and of one function inside the other.
__attribute__((noinline)) void library_deeper(int depth, int count, void (*call)(int)) {
  volatile char* const room = static_cast<char*>(__builtin_alloca(static_cast<std::size_t>(16 * depth + 16)));
  room[0] = 0;
  MPI_Barrier(MPI_COMM_SELF);
  for (int i = 0; i < count; ++i) call(i);
  if (depth > 0) library_deeper(depth - 1, count, call);
  for (int i = 0; i < count; ++i) call(i);
}

// Ends before the instrumented function is called again from further out.
__attribute__((noinline)) void library_end(void) {
  MPI_Barrier(MPI_COMM_SELF);
  asm volatile("");
}
}
