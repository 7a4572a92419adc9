// call_paths_hard.cpp -- calls MPI where a stack is hard to walk, or is gone soon afterwards.
//
// usage: call_paths_hard. Prints how many of its calls have callers that nothing describes: "TRUNCATED n".
#include <mpi.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>

#define KEEP __attribute__((noinline))
#define NO_TAIL_CALL asm volatile("" ::: "memory")

int g_truncated;

KEEP void leaf() {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  NO_TAIL_CALL;
}

// ---- code that nothing describes: in the program, and made at run time (its callers are found nevertheless)

extern "C" void undescribed(void (*function)());
#if defined(__aarch64__)
asm(R"(
  .text
  .type undescribed, %function
undescribed:
  sub sp, sp, #32
  str x30, [sp, #8]
  blr x0
  ldr x30, [sp, #8]
  add sp, sp, #32
  ret
  .size undescribed, . - undescribed
  .section .note.GNU-stack, "", %progbits
  .text
)");
// stp x29, x30, [sp, #-16]!; mov x29, sp; blr x0; ldp x29, x30, [sp], #16; ret
const unsigned kMadeCode[] = {0xa9bf7bfd, 0x910003fd, 0xd63f0000, 0xa8c17bfd, 0xd65f03c0};
#else
asm(R"(
  .text
  .type undescribed, @function
undescribed:
  sub $24, %rsp
  call *%rdi
  add $24, %rsp
  ret
  .size undescribed, . - undescribed
  .section .note.GNU-stack, "", @progbits
  .text
)");
const unsigned char kMadeCode[] = {0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3};  // push, mov, call *%rdi, pop, ret
#endif

KEEP void call_undescribed() {
  undescribed(leaf);
  ++g_truncated;
}

KEEP void call_made_code() {
  void* const made = mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (made == MAP_FAILED) return;
  memcpy(made, kMadeCode, sizeof kMadeCode);
  __builtin___clear_cache(static_cast<char*>(made), static_cast<char*>(made) + sizeof kMadeCode);
  reinterpret_cast<void (*)(void (*)())>(made)(leaf);
  munmap(made, 4096);
}

// ---- handlers on a stack of their own, left in both ways

sigjmp_buf g_target;
char g_alternate[64 << 10];

KEEP void handle(int number) {
  leaf();
  if (number == SIGUSR2) siglongjmp(g_target, 1);
  leaf();
  NO_TAIL_CALL;
}

KEEP void interrupt(int number) {
  if (!sigsetjmp(g_target, 1)) raise(number);
  leaf();
  NO_TAIL_CALL;
}

// ---- stacks that are unmapped, and others in their place

ucontext_t g_outside, g_inside;
KEEP void coroutine() {
  leaf();
  swapcontext(&g_inside, &g_outside);
  leaf();
  NO_TAIL_CALL;
}

KEEP void run_coroutine() {
  constexpr size_t kBytes = 64 << 10;
  void* const stack = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  getcontext(&g_inside);
  g_inside.uc_stack.ss_sp = stack;
  g_inside.uc_stack.ss_size = kBytes;
  g_inside.uc_link = &g_outside;
  makecontext(&g_inside, coroutine, 0);
  swapcontext(&g_outside, &g_inside);
  leaf();
  swapcontext(&g_outside, &g_inside);
  munmap(stack, kBytes);
  leaf();
  NO_TAIL_CALL;
}

// ---- a hundred thousand frames

KEEP int descend(int depth) {
  if (depth == 0) {
    for (int i = 0; i < 2000; ++i) leaf();
    return 0;
  }
  const int below = descend(depth - 1);
  NO_TAIL_CALL;
  return below + 1;
}

void* run_deep(void*) {
  descend(100'000);
  leaf();
  return nullptr;
}

void in_thread_with_stack(size_t bytes, void* (*function)(void*)) {
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, bytes);
  if (pthread_create(&thread, &attributes, function, nullptr) == 0) pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  struct sigaction action = {};
  action.sa_handler = handle;
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGUSR1, &action, nullptr);
  sigaction(SIGUSR2, &action, nullptr);
  stack_t alternate = {};
  alternate.ss_sp = g_alternate;
  alternate.ss_size = sizeof g_alternate;
  sigaltstack(&alternate, nullptr);
  for (int i = 0; i < 3; ++i) {
    interrupt(SIGUSR1);
    interrupt(SIGUSR2);
    run_coroutine();
    call_undescribed();
    call_made_code();
  }
  in_thread_with_stack(64 << 20, run_deep);
  leaf();
  MPI_Finalize();
  printf("TRUNCATED %d\n", g_truncated);
}
