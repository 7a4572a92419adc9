/* otf2_noop.c -- the yardstick of our speed: reads all events of an OTF2 trace with OTF2's own library, only counting.
 *
 *   cc -O2 -std=c99 -o build/bench/otf2_noop bench/otf2_noop.c -lotf2
 *   build/bench/otf2_noop run/traces.otf2
 *
 * One thread, local event readers, one location after the other, callbacks on Enter and Leave only. Opening and
 * definitions are part of the time. Prints one line: `events N enter E leave L seconds S peak_rss_kb R`. */
#define _POSIX_C_SOURCE 200809L

#include <inttypes.h>
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

struct locations {
  size_t count;
  size_t room;
  OTF2_LocationRef* refs;
};

struct counts {
  uint64_t enter;
  uint64_t leave;
};

static void require(bool is_fine, const char* what) {
  if (is_fine) return;
  fprintf(stderr, "otf2_noop: %s failed\n", what);
  exit(1);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static OTF2_CallbackCode on_location(void* data, OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type,
                                     uint64_t events, OTF2_LocationGroupRef group) {
  (void)name, (void)type, (void)events, (void)group;
  struct locations* all = data;
  if (all->count == all->room) {
    all->room = all->room ? 2 * all->room : 64;
    all->refs = realloc(all->refs, all->room * sizeof *all->refs);
    require(all->refs != NULL, "allocation");
  }
  all->refs[all->count++] = self;
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_enter(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void* data,
                                  OTF2_AttributeList* attributes, OTF2_RegionRef region) {
  (void)location, (void)time, (void)position, (void)attributes, (void)region;
  ((struct counts*)data)->enter++;
  return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_leave(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void* data,
                                  OTF2_AttributeList* attributes, OTF2_RegionRef region) {
  (void)location, (void)time, (void)position, (void)attributes, (void)region;
  ((struct counts*)data)->leave++;
  return OTF2_CALLBACK_SUCCESS;
}

static void read_global_definitions(OTF2_Reader* reader, struct locations* locations) {
  OTF2_GlobalDefReader* definitions = OTF2_Reader_GetGlobalDefReader(reader);
  require(definitions != NULL, "opening the global definitions");
  OTF2_GlobalDefReaderCallbacks* callbacks = OTF2_GlobalDefReaderCallbacks_New();
  OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_location);
  OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, locations);
  OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
  uint64_t count = 0;
  require(OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &count) == OTF2_SUCCESS, "reading definitions");
}

/* Reads the local definitions, which activate the mapping of ids and clocks; not every trace has them. */
static void read_local_definitions(OTF2_Reader* reader, OTF2_LocationRef location) {
  OTF2_DefReader* definitions = OTF2_Reader_GetDefReader(reader, location);
  if (!definitions) return;
  uint64_t count = 0;
  require(OTF2_Reader_ReadAllLocalDefinitions(reader, definitions, &count) == OTF2_SUCCESS, "local definitions");
  OTF2_Reader_CloseDefReader(reader, definitions);
}

static uint64_t read_location(OTF2_Reader* reader, OTF2_LocationRef location, bool has_definitions,
                              const OTF2_EvtReaderCallbacks* callbacks, struct counts* counts) {
  if (has_definitions) read_local_definitions(reader, location);
  OTF2_EvtReader* events = OTF2_Reader_GetEvtReader(reader, location);
  require(events != NULL, "opening a location");
  OTF2_Reader_RegisterEvtCallbacks(reader, events, callbacks, counts);
  uint64_t count = 0;
  require(OTF2_Reader_ReadAllLocalEvents(reader, events, &count) == OTF2_SUCCESS, "reading events");
  OTF2_Reader_CloseEvtReader(reader, events);
  return count;
}

int main(int argc, char** argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: otf2_noop TRACES.otf2\n");
    return 2;
  }
  const double begin = now();
  OTF2_Reader* reader = OTF2_Reader_Open(argv[1]);
  require(reader != NULL, "opening the anchor file");
  OTF2_Reader_SetSerialCollectiveCallbacks(reader);
  struct locations locations = {0, 0, NULL};
  read_global_definitions(reader, &locations);
  for (size_t i = 0; i < locations.count; ++i) OTF2_Reader_SelectLocation(reader, locations.refs[i]);
  const bool has_definitions = OTF2_Reader_OpenDefFiles(reader) == OTF2_SUCCESS;
  require(OTF2_Reader_OpenEvtFiles(reader) == OTF2_SUCCESS, "opening the event files");

  OTF2_EvtReaderCallbacks* callbacks = OTF2_EvtReaderCallbacks_New();
  OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, on_enter);
  OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, on_leave);
  struct counts counts = {0, 0};
  uint64_t events = 0;
  for (size_t i = 0; i < locations.count; ++i)
    events += read_location(reader, locations.refs[i], has_definitions, callbacks, &counts);
  OTF2_EvtReaderCallbacks_Delete(callbacks);
  if (has_definitions) OTF2_Reader_CloseDefFiles(reader);
  OTF2_Reader_CloseEvtFiles(reader);
  OTF2_Reader_Close(reader);
  free(locations.refs);

  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("events %" PRIu64 " enter %" PRIu64 " leave %" PRIu64 " seconds %.6f peak_rss_kb %ld\n", events, counts.enter,
         counts.leave, now() - begin, usage.ru_maxrss);
  return 0;
}
