/* counting_plugin.c -- a metric plug-in that does what its argument tells: good ones, and all that a plug-in can do
 * wrong.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tarry/metric_plugin.h"

static __thread unsigned long long g_reads;
static const char* g_case = "";
static struct tarry_plugin_metric g_metrics[64];
static char g_long[100000];

static void pause_for(long milliseconds) {
  const struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  nanosleep(&time, 0);
}

static int is_case(const char* name) { return strcmp(g_case, name) == 0; }

static int start(const char* arguments, const struct tarry_plugin_metric** metrics, const char** why) {
  g_case = arguments;
  *metrics = g_metrics;
  memset(g_long, 'n', sizeof g_long - 1);
  if (is_case("none")) return *why = "nothing to count on Sundays", -1;
  if (is_case("silent")) return 0;
  if (is_case("null")) return *metrics = 0, 2;
  if (is_case("many")) return 64;
  if (is_case("crash")) abort();
  if (is_case("endless")) pause_for(1000000);
  g_metrics[0] = (struct tarry_plugin_metric){"reads", "", "how often this thread has read", TARRY_PLUGIN_COUNTED};
  g_metrics[1] = (struct tarry_plugin_metric){"ladder", "rungs", "a level", TARRY_PLUGIN_LEVEL};
  if (is_case("names")) g_metrics[0].name = g_long, g_metrics[1] = (struct tarry_plugin_metric){0, g_long, 0, 77};
  return 2;
}

static int read_values(unsigned long long* values) {
  static int reads = 0;
  errno = 77;
  if (is_case("refuse")) return 1;
  if (is_case("slow") && ++reads > 3) pause_for(30);
  values[0] = ++g_reads;
  values[1] = 40 + g_reads % 3;
  if (is_case("down")) values[0] = g_reads % 2 ? ~0ull : 0;
  return 0;
}

const struct tarry_metric_plugin* tarry_get_metric_plugin(void) {
  static struct tarry_metric_plugin plugin = {
      TARRY_METRIC_PLUGIN_VERSION, PLACE, PERIOD_US, start, read_values, 0};
  return &plugin;
}
