/* named_run_time_code.c -- makes two functions at run time and tells profilers their names, or tries to mislead them.
 *
 * usage: named_run_time_code none|map|spoiled|link|pipe|dump|moved|reused|spoiled-dump. Prints its process number, and
 * the processor time in `first_made`, in `second_made` and in all, in seconds. The first takes three quarters of the
 * time in both. Samples must find the same times under these names, where a file tells them:
 *
 *   map           /tmp/perf-PID.map has a line for each
 *   spoiled       the same between lines that are wrong: too large, without an end, no text, very long
 *   link, pipe    that path is a symbolic link to such a file, or a pipe: nothing may be read from it
 *   dump          jit-PID.dump in the working folder has a record for each
 *   moved         the same, but second_made was made elsewhere and moved
 *   reused        the same, but the place of second_made belonged to `gone` before, and to `late` afterwards
 *   spoiled-dump  the dump ends in the midst of a record, behind one that claims all addresses
 *
 * For x86-64. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef void (*Loop)(long);

static double processor_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static uint64_t monotonic_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static const unsigned char kLoop[] = {0x48, 0xff, 0xcf, 0x75, 0xfb, 0xc3}; /* dec rdi; jnz; ret */
enum { kFirst = 0, kSecond = 64, kElsewhere = 128 };
static unsigned char* g_code;
static char g_map[64];
static FILE* g_dump;

static void write_lines(FILE* map) {
  fprintf(map, "%lx %zx first_made\n", (unsigned long)g_code + kFirst, sizeof kLoop);
  fprintf(map, "%lx %zx second_made\n", (unsigned long)g_code + kSecond, sizeof kLoop);
}

static void write_spoiled_lines(FILE* map) {
  fprintf(map, "\nno numbers\n%lx %zx before\n", (unsigned long)g_code, (size_t)4096);
  for (int i = 0; i < 3000000; ++i) fputc('1', map);
  write_lines(fputc('\n', map) == '\n' ? map : NULL);
  fprintf(map, "0 ffffffffffffffff all\n%lx ffffffffffffff00 wrapped\n", (unsigned long)g_code);
  fprintf(map, "%lx 0 nothing\n%lx 4 \n-1 -1 x\n", (unsigned long)g_code, (unsigned long)g_code);
  fprintf(map, "%lx 1000 half a li", (unsigned long)g_code);
}

static void write_map(const char* kind) {
  FILE* map = NULL;
  if (!strcmp(kind, "pipe") && mkfifo(g_map, 0600) != 0) exit(1);
  if (!strcmp(kind, "link") && (!(map = fopen("target.map", "w")) || symlink("target.map", g_map) != 0)) exit(1);
  if (!strcmp(kind, "map") || !strcmp(kind, "spoiled")) map = fopen(g_map, "w");
  if (!map) return;
  if (!strcmp(kind, "spoiled")) write_spoiled_lines(map);
  else write_lines(map);
  fclose(map);
}

struct Header {
  uint32_t magic, version, size, machine, padding, pid;
  uint64_t time, flags;
};
struct Record {
  uint32_t kind, size;
  uint64_t time;
  uint32_t pid, tid;
  uint64_t address, code[4]; /* of code that is loaded: address, size, index; moved: old and new address, size, index */
};

static void write_loaded(const char* name, int place, uint64_t size, uint64_t index) {
  const uint32_t bytes = (uint32_t)(sizeof(struct Record) - 8 + strlen(name) + 1 + sizeof kLoop);
  const uint64_t at = (uint64_t)g_code + (uint64_t)place;
  const struct Record record = {
      0, bytes, monotonic_ns(), (uint32_t)getpid(), (uint32_t)gettid(), at, {at, size, index, 0}};
  fwrite(&record, sizeof record - 8, 1, g_dump);
  fwrite(name, strlen(name) + 1, 1, g_dump);
  fwrite(kLoop, sizeof kLoop, 1, g_dump);
  fflush(g_dump);
}

static void write_moved(int from, int to, uint64_t index) {
  const uint64_t base = (uint64_t)g_code, at = base + (uint64_t)to;
  const struct Record record = {1,
                                sizeof record,
                                monotonic_ns(),
                                (uint32_t)getpid(),
                                (uint32_t)gettid(),
                                at,
                                {base + (uint64_t)from, at, sizeof kLoop, index}};
  fwrite(&record, sizeof record, 1, g_dump);
  fflush(g_dump);
}

static void open_dump(void) {
  char path[64];
  snprintf(path, sizeof path, "jit-%d.dump", (int)getpid());
  g_dump = fopen(path, "w+");
  if (!g_dump) exit(1);
  const struct Header header = {0x4a695444, 1, sizeof header, 62, 0, (uint32_t)getpid(), monotonic_ns(), 0};
  fwrite(&header, sizeof header, 1, g_dump);
  fflush(g_dump);
  if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(g_dump), 0) == MAP_FAILED) exit(77);
}

static void write_dump(const char* kind) {
  if (!strstr("dump moved reused spoiled-dump", kind)) return;
  open_dump();
  if (!strcmp(kind, "reused")) write_loaded("gone", kSecond, sizeof kLoop, 7);
  write_loaded("first_made", kFirst, sizeof kLoop, 1);
  write_loaded("second_made", strcmp(kind, "moved") ? kSecond : kElsewhere, sizeof kLoop, 2);
  if (!strcmp(kind, "moved")) write_moved(kElsewhere, kSecond, 2);
  if (strcmp(kind, "spoiled-dump")) return;
  write_loaded("all", -4096, UINT64_MAX / 2, 3);
  fwrite("\0\0\0\0\xff\xff\xff\x7f half", 13, 1, g_dump);
  fflush(g_dump);
}

/* Three quarters in the first. Its calls last many times the time between samples: short ones that repeat at a
 * multiple of it would all be hit at the same place. */
static void compute(double seconds, double* first, double* second) {
  const Loop first_made = (Loop)(void*)(g_code + kFirst), second_made = (Loop)(void*)(g_code + kSecond);
  const double end = processor_time() + seconds;
  for (double now = processor_time(); now < end;) {
    const double begin = now;
    first_made(450000000);
    const double between = processor_time();
    second_made(150000000);
    now = processor_time();
    *first += between - begin;
    *second += now - between;
  }
}

int main(int argc, char** argv) {
  const char* const kind = argc > 1 ? argv[1] : "none";
  const double begin = processor_time();
  double first = 0, second = 0;
  g_code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (g_code == MAP_FAILED) return 77;
  memcpy(g_code + kFirst, kLoop, sizeof kLoop);
  memcpy(g_code + kSecond, kLoop, sizeof kLoop);
  snprintf(g_map, sizeof g_map, "/tmp/perf-%d.map", (int)getpid());
  write_map(kind);
  write_dump(kind);
  compute(0.6, &first, &second);
  if (!strcmp(kind, "reused")) write_loaded("late", kSecond, sizeof kLoop, 8);
  printf("%d %.6f %.6f %.6f\n", (int)getpid(), first, second, processor_time() - begin);
  return 0;
}
