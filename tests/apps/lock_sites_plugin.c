/* lock_sites_plugin.c -- a library that lock_sites.c opens and closes: its functions are new each time. */
static volatile int sum;
static __attribute__((noinline)) void in_plugin(void) { ++sum; }
void call_plugin(void) { in_plugin(); }
