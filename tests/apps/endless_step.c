// endless_step.c -- a process that ends while a signal handler of some threads goes on for ever: it has interrupted
// the recorder in most of them.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#define THREADS 8
#define NOT_RECORDED __attribute__((no_instrument_function))

static int begun, staying;

__attribute__((noinline)) static long work(long value) { return value * 31 % 1009 + 1; }

NOT_RECORDED static void stay(int number) {
  (void)number;
  __atomic_fetch_add(&staying, 1, __ATOMIC_SEQ_CST);
  for (;;) pause();
}

static void* burn(void* unused) {
  __atomic_fetch_add(&begun, 1, __ATOMIC_SEQ_CST);
  for (volatile long value = 1;;) value = work(value);
  return unused;
}

int main(void) {
  pthread_t threads[THREADS];
  signal(SIGUSR1, stay);
  for (int i = 0; i < THREADS; ++i)
    if (pthread_create(&threads[i], NULL, burn, NULL) != 0) return 1;
  while (__atomic_load_n(&begun, __ATOMIC_SEQ_CST) < THREADS) usleep(1000);
  usleep(50000);
  for (int i = 1; i < THREADS; ++i) pthread_kill(threads[i], SIGUSR1);
  while (__atomic_load_n(&staying, __ATOMIC_SEQ_CST) < THREADS - 1) usleep(1000);
  usleep(50000);
  puts("leaving");
  return 3;
}
