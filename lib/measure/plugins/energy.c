/* energy.c -- a metric plug-in: the energy that processors and memory of the node have used, by RAPL's counters.
 *
 * The kernel shows them in /sys/class/powercap, one folder for each zone. Only the administrator may read them as a
 * rule. A counter begins anew when it reaches max_energy_range_uj. Its argument is another folder than that one.
 */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measure/user/tarry/metric_plugin.h"

enum { kMostZones = 16, kFirstDescriptor = 600 };
enum { kPeriodUs = 10000 };

struct zone {
  int file; /* energy_uj */
  char name[128];
  unsigned long long range, latest, sum;
};

static struct zone g_zones[kMostZones];
static int g_zone_count = 0;
static struct tarry_plugin_metric g_metrics[kMostZones];

static int read_text(int file, char* into, size_t room) {
  const ssize_t length = pread(file, into, room - 1, 0);
  if (length <= 0) return -1;
  into[length] = 0;
  into[strcspn(into, "\n")] = 0;
  return 0;
}

static int read_number(int file, unsigned long long* number) {
  char text[32], *end;
  if (read_text(file, text, sizeof text) != 0) return -1;
  *number = strtoull(text, &end, 10);
  return end == text ? -1 : 0;
}

static int open_in(const char* folder, const char* zone, const char* name) {
  char path[PATH_MAX];
  if (snprintf(path, sizeof path, "%s/%s/%s", folder, zone, name) >= (int)sizeof path) return -1;
  return open(path, O_RDONLY | O_CLOEXEC);
}

/* The program finds its descriptors as they are. */
static int out_of_the_way(int file) {
  const int far = file < 0 ? -1 : fcntl(file, F_DUPFD_CLOEXEC, kFirstDescriptor);
  if (file >= 0) close(file);
  return far;
}

static void read_text_of(const char* folder, const char* zone, const char* name, char* into, size_t room) {
  const int file = open_in(folder, zone, name);
  into[0] = 0;
  if (file < 0) return;
  if (read_text(file, into, room) != 0) into[0] = 0;
  close(file);
}

/* "intel-rapl:0:1" of the name "dram" is energy_dram_0_1. */
static void name_zone(struct zone* zone, const char* folder, const char* name) {
  char label[48];
  const char* const number = strchr(name, ':');
  read_text_of(folder, name, "name", label, sizeof label);
  snprintf(zone->name, sizeof zone->name, "energy_%.40s_%.60s", label, number ? number + 1 : "0");
  for (char* at = zone->name; *at; ++at)
    if (*at == ':') *at = '_';
}

static int add_zone(const char* folder, const char* name) {
  struct zone* const zone = &g_zones[g_zone_count];
  char range[32];
  zone->file = out_of_the_way(open_in(folder, name, "energy_uj"));
  if (zone->file < 0) return -1;
  if (read_number(zone->file, &zone->latest) != 0) return close(zone->file), -1;
  read_text_of(folder, name, "max_energy_range_uj", range, sizeof range);
  zone->range = strtoull(range, NULL, 10);
  name_zone(zone, folder, name);
  g_metrics[g_zone_count++] =
      (struct tarry_plugin_metric){zone->name, "uJ", "energy that the node has used there", TARRY_PLUGIN_COUNTED};
  return 0;
}

static int start(const char* arguments, const struct tarry_plugin_metric** metrics, const char** why) {
  const char* const folder = *arguments ? arguments : "/sys/class/powercap";
  DIR* const all = opendir(folder);
  int refused = 0;
  if (!all) return *why = "this machine shows no energy: there is no /sys/class/powercap", -1;
  for (const struct dirent* entry = readdir(all); entry && g_zone_count < kMostZones; entry = readdir(all))
    if (strchr(entry->d_name, ':')) refused += add_zone(folder, entry->d_name) != 0;
  closedir(all);
  if (g_zone_count == 0)
    return *why = refused ? "energy_uj may not be read: the administrator can allow it"
                          : "this machine shows no energy: /sys/class/powercap is empty", -1;
  *metrics = g_metrics;
  return g_zone_count;
}

static int read_values(unsigned long long* values) {
  int outcome = 0;
  for (int i = 0; i < g_zone_count; ++i) {
    struct zone* const zone = &g_zones[i];
    unsigned long long now = 0;
    if (read_number(zone->file, &now) != 0) outcome = -1;
    else zone->sum += now >= zone->latest ? now - zone->latest : now + zone->range - zone->latest, zone->latest = now;
    values[i] = zone->sum;
  }
  return outcome;
}

static void stop(void) {
  for (int i = 0; i < g_zone_count; ++i) close(g_zones[i].file);
}

const struct tarry_metric_plugin* tarry_get_metric_plugin(void) {
  static const struct tarry_metric_plugin plugin = {
      TARRY_METRIC_PLUGIN_VERSION, TARRY_PLUGIN_PER_NODE, kPeriodUs, start, read_values, stop};
  return &plugin;
}
