/* metric_plugin.h -- counters of your own for `tarry measure --metric-plugin LIBRARY[:ARGUMENTS]` (docs/COUNTERS.md).
 *
 * A plug-in is a shared library with the function tarry_get_metric_plugin(). The recorder loads it into each process
 * that it records, and reads its values at enters and leaves. Nothing of the recorder has to be linked.
 *
 *   static const struct tarry_plugin_metric metrics[] = {{"reads", "", "reads of my device", TARRY_PLUGIN_COUNTED}};
 *   static int start(const char* arguments, const struct tarry_plugin_metric** all, const char** why) {
 *     *all = metrics;
 *     return 1;
 *   }
 *   static int read(unsigned long long* values) { return values[0] = my_reads(), 0; }
 *   const struct tarry_metric_plugin* tarry_get_metric_plugin(void) {
 *     static const struct tarry_metric_plugin plugin = {TARRY_METRIC_PLUGIN_VERSION, TARRY_PLUGIN_PER_THREAD, 0, start,
 *                                                       read, 0};
 *     return &plugin;
 *   }
 */
#ifndef TARRY_METRIC_PLUGIN_H
#define TARRY_METRIC_PLUGIN_H

#define TARRY_METRIC_PLUGIN_VERSION 1

#ifdef __cplusplus
extern "C" {
#endif

/* Counted values grow, and what they grow by belongs to the call path that is open. Of levels the highest counts. */
enum tarry_plugin_kind { TARRY_PLUGIN_COUNTED = 0, TARRY_PLUGIN_LEVEL = 1 };

struct tarry_plugin_metric {
  const char* name; /* 200 bytes count */
  const char* unit;
  const char* description;
  unsigned kind;
};

/* Whose values they are: of the thread that reads, of the process, or of the node. Those of a process are recorded in
 * its first thread, those of a node in the first process there. */
enum tarry_plugin_place { TARRY_PLUGIN_PER_THREAD = 0, TARRY_PLUGIN_PER_PROCESS = 1, TARRY_PLUGIN_PER_NODE = 2 };

struct tarry_metric_plugin {
  unsigned version; /* TARRY_METRIC_PLUGIN_VERSION */
  unsigned place;

  /* 0: strictly synchronous, values are read at each enter and leave. Else sampled: values are read at an enter or
   * leave if so many microseconds have passed since the thread last did. Behind that a plug-in may have a thread of its
   * own, which takes the samples. */
  unsigned period_us;

  /* Called once, before all else. `arguments` is what stands behind the colon, or "". Returns how many metrics there
   * are here, and where they are; less than 1: none, and `why` may tell. Texts must last. */
  int (*start)(const char* arguments, const struct tarry_plugin_metric** metrics, const char** why);

  /* All values now, in the order of the metrics. Not 0: there are none now, the former ones stay. Those of threads are
   * read by all of them, also at the same time. The program may be in a signal handler, or anywhere else: no allocator,
   * no lock. No exception may leave it. */
  int (*read)(unsigned long long* values);

  /* Called once when the recording ends, or null. */
  void (*stop)(void);
};

#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
const struct tarry_metric_plugin* tarry_get_metric_plugin(void);

#ifdef __cplusplus
}
#endif

#endif
