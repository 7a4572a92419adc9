/* call_paths_plugin.c -- a library for call_paths.cpp; NAME tells one such library from another. */
#define JOIN(a, b) a##b
#define FUNCTION(name) JOIN(plugin_, name)

__attribute__((noinline)) void FUNCTION(NAME)(void (*leaf)(void)) {
  leaf();
  __asm__ volatile("");
}

void tarry_test_run(void (*leaf)(void)) {
  FUNCTION(NAME)(leaf);
  __asm__ volatile("");
}
