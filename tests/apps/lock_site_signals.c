/* lock_site_signals.c -- sends a signal to the thread that is about to take a lock of the recorder, holds it, or has just
 * given it back. A shared library: programs in any language link or preload it.
 *
 * The recorder's build for this test (`make lock-sites`) calls tarry_at_lock() there. The handler is instrumented: it
 * enters functions that are new to the recorder, allocates, writes files, calls MPI if the program has set
 * lock_sites_call_mpi, and jumps out where the program has set lock_sites_back. Each site has its turn with and without
 * the jump. With LOCK_SITES_GENTLE there is neither MPI nor a jump: samples are taken anywhere. With
 * LOCK_SITES_UNBLOCKED the handler runs while the lock is held, as if the recorder did not block signals: that has to
 * end badly.
 *
 * The file lock_sites.reached gets a line "file:line" for each site when it is first reached. At the end
 * lock_sites.counts says what the handler has done; "entered" are functions that the recorder was to know of. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BARE __attribute__((no_instrument_function))
enum { SITES = 512, MOMENTS = 3, SIGNALS_AT_EACH = 12 };

struct site {
  _Atomic(const char*) file;
  atomic_int line;
  atomic_uint visits[MOMENTS];
};
static struct site sites[SITES];
static atomic_int is_ready;
static int is_gentle, is_unblocked;
static __thread int is_in_handler, is_at_site, is_jump_wanted, is_mpi_unsafe;
static atomic_uint handled, entered, jumps, mpi_calls;

/* For the program. A thread that sets lock_sites_back to its own place may be thrown there. */
void (*lock_sites_call_mpi)(unsigned number);
__thread sigjmp_buf* lock_sites_back;
/* Whether the recorder is to know of what the handler does. Not in a thread that ends: its recording ends before it. */
atomic_int lock_sites_is_recorded;
__thread int lock_sites_thread_ends;

/* Functions that the recorder sees first in a handler. */
static volatile unsigned sum;
#define ONE(n) static __attribute__((noinline)) void in_handler_##n(void) { sum += n; }
#define TEN(n) ONE(n##0) ONE(n##1) ONE(n##2) ONE(n##3) ONE(n##4) ONE(n##5) ONE(n##6) ONE(n##7) ONE(n##8) ONE(n##9)
#define HUNDRED(n) TEN(n##0) TEN(n##1) TEN(n##2) TEN(n##3) TEN(n##4) TEN(n##5) TEN(n##6) TEN(n##7) TEN(n##8) TEN(n##9)
HUNDRED(1) HUNDRED(2) HUNDRED(3) HUNDRED(4)
#undef ONE
#define ONE(n) in_handler_##n,
static void (*const functions[])(void) = {HUNDRED(1) HUNDRED(2) HUNDRED(3) HUNDRED(4)};

static void handle(int number) {
  (void)number;
  const int error = errno;
  is_in_handler = 1;
  const unsigned at = atomic_fetch_add(&handled, 1);
  functions[at % (sizeof functions / sizeof *functions)]();
  if (!lock_sites_thread_ends) atomic_fetch_add(&entered, lock_sites_is_recorded);
  char* const memory = malloc(100 + at % 1000);
  char name[64];
  snprintf(name, sizeof name, "in_handler_%u.txt", at % 8);
  if (memory) strcpy(memory, "written in a handler\n");
  const int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file >= 0 && memory && write(file, memory, strlen(memory)) < 0) abort();
  if (file >= 0) close(file);
  free(memory);
  if (lock_sites_call_mpi && !is_mpi_unsafe && !is_gentle) {
    atomic_fetch_add(&mpi_calls, 1);
    lock_sites_call_mpi(at);
  }
  errno = error;
  is_in_handler = 0;
  if (is_jump_wanted && lock_sites_back && !is_gentle) {
    is_jump_wanted = is_at_site = 0;
    atomic_fetch_add(&jumps, 1);
    siglongjmp(*lock_sites_back, 1);
  }
}

/* By bare system calls: the recorder stands in front of the functions. */
BARE static void tell_site(const char* file, int line) {
  char text[256];
  const int length = snprintf(text, sizeof text, "%s:%d\n", file, line);
  const long out = syscall(SYS_openat, AT_FDCWD, "lock_sites.reached", O_WRONLY | O_CREAT | O_APPEND, 0644);
  if (out < 0) return;
  if (syscall(SYS_write, out, text, length) < 0) abort();
  syscall(SYS_close, out);
}

BARE static struct site* site_at(const char* file, int line) {
  for (int i = 0; i < SITES; ++i) {
    const char* none = NULL;
    if (atomic_load(&sites[i].file) == NULL && atomic_compare_exchange_strong(&sites[i].file, &none, file)) {
      atomic_store(&sites[i].line, line);
      tell_site(file, line);
    }
    while (atomic_load(&sites[i].line) == 0) continue;
    if (atomic_load(&sites[i].line) == line && strcmp(atomic_load(&sites[i].file), file) == 0) return &sites[i];
  }
  abort();
}

/* What the recorder calls. The signal of a moment inside comes when the lock is given back. */
BARE void tarry_at_lock(const char* file, int line, int moment) {
  struct site* const site = site_at(file, line);
  const unsigned visit = atomic_fetch_add(&site->visits[moment], 1);
  if (!atomic_load(&is_ready) || is_in_handler || is_at_site || visit >= SIGNALS_AT_EACH) return;
  const int error = errno;
  is_at_site = moment != 1;
  is_jump_wanted = visit % 2;
  is_mpi_unsafe = strstr(file, "calling_code") != NULL; /* the caller may be the MPI library */
  const unsigned long own_bit = 1ul << (SIGUSR1 - 1);
  if (is_unblocked) syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, &own_bit, NULL, sizeof own_bit);
  syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGUSR1);
  is_at_site = 0;
  errno = error;
}

BARE __attribute__((destructor)) static void tell(void) {
  FILE* const file = fopen("lock_sites.counts", "w");
  if (!file) return;
  fprintf(file, "handled %u entered %u jumps %u mpi %u\n", handled, entered, jumps, mpi_calls);
  fclose(file);
}

BARE __attribute__((constructor)) static void begin(void) {
  struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
  sigaction(SIGUSR1, &action, NULL);
  is_gentle = getenv("LOCK_SITES_GENTLE") != NULL;
  is_unblocked = getenv("LOCK_SITES_UNBLOCKED") != NULL;
  if (is_unblocked) syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  atomic_store(&is_ready, 1);
}
