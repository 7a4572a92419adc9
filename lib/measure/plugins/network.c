/* network.c -- a metric plug-in: bytes that the node's network devices have received and sent, by /proc/net/dev.
 *
 * Its argument is a list of devices, like "eth0,ib0"; without it all but the loopback. They are those that are there
 * when the recording starts.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measure/user/tarry/metric_plugin.h"

enum { kMostDevices = 8, kNameBytes = 64, kTableBytes = 32768, kFirstDescriptor = 600 };
enum { kPeriodUs = 10000 };

struct device {
  char name[kNameBytes];
  char received[kNameBytes + 16], sent[kNameBytes + 16];
};

static struct device g_devices[kMostDevices];
static int g_device_count = 0, g_table = -1;
static struct tarry_plugin_metric g_metrics[2 * kMostDevices];

/* Its length; 0: it cannot be read. No memory of the program is taken. */
static size_t read_table(char* into, size_t room) {
  size_t length = 0;
  ssize_t more = 0;
  while (length + 1 < room && (more = pread(g_table, into + length, room - 1 - length, (off_t)length)) > 0)
    length += (size_t)more;
  into[length] = 0;
  return length;
}

/* The program finds its descriptors as they are. */
static void open_table(void) {
  const int file = open("/proc/net/dev", O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  g_table = fcntl(file, F_DUPFD_CLOEXEC, kFirstDescriptor);
  close(file);
}

static int is_chosen(const char* name, const char* list) {
  const size_t length = strlen(name);
  if (!*list) return strcmp(name, "lo") != 0;
  for (; *list; list += strcspn(list, ","), list += *list == ',')
    if (strcspn(list, ",") == length && strncmp(list, name, length) == 0) return 1;
  return 0;
}

static void add_device(const char* name) {
  struct device* const device = &g_devices[g_device_count];
  const char* const texts[] = {"bytes that the device has received", "bytes that the device has sent"};
  snprintf(device->name, sizeof device->name, "%s", name);
  snprintf(device->received, sizeof device->received, "%s_received", name);
  snprintf(device->sent, sizeof device->sent, "%s_sent", name);
  const char* const names[] = {device->received, device->sent};
  for (int i = 0; i < 2; ++i)
    g_metrics[2 * g_device_count + i] = (struct tarry_plugin_metric){names[i], "bytes", texts[i], TARRY_PLUGIN_COUNTED};
  ++g_device_count;
}

/* The name in a line "  eth0: 1 2 3 ...", and what is behind it; null: it is a heading. */
static const char* parse_line(const char* line, char* name) {
  const char* const colon = strchr(line, ':');
  if (!colon || colon > strchrnul(line, '\n')) return NULL;
  line += strspn(line, " ");
  if (colon - line >= kNameBytes) return NULL;
  memcpy(name, line, (size_t)(colon - line));
  name[colon - line] = 0;
  return colon + 1;
}

static const char* next_line(const char* line) {
  line = strchrnul(line, '\n');
  return line + (*line != 0);
}

static int start(const char* arguments, const struct tarry_plugin_metric** metrics, const char** why) {
  static char table[kTableBytes];
  char name[kNameBytes];
  open_table();
  if (read_table(table, sizeof table) == 0) return *why = "/proc/net/dev cannot be read", -1;
  for (const char* line = table; *line && g_device_count < kMostDevices; line = next_line(line))
    if (parse_line(line, name) && is_chosen(name, arguments)) add_device(name);
  if (g_device_count == 0) return *why = "there is no such network device", -1;
  *metrics = g_metrics;
  return 2 * g_device_count;
}

static int read_values(unsigned long long* values) {
  char table[kTableBytes], name[kNameBytes];
  if (read_table(table, sizeof table) == 0) return -1;
  int found = 0;
  for (const char* line = table; *line; line = next_line(line)) {
    const char* const numbers = parse_line(line, name);
    for (int i = 0; numbers && i < g_device_count; ++i)
      if (strcmp(name, g_devices[i].name) == 0)
        found += sscanf(numbers, "%llu %*u %*u %*u %*u %*u %*u %*u %llu", &values[2 * i], &values[2 * i + 1]) == 2;
  }
  return found == g_device_count ? 0 : -1;
}

static void stop(void) { close(g_table); }

const struct tarry_metric_plugin* tarry_get_metric_plugin(void) {
  static const struct tarry_metric_plugin plugin = {
      TARRY_METRIC_PLUGIN_VERSION, TARRY_PLUGIN_PER_NODE, kPeriodUs, start, read_values, stop};
  return &plugin;
}
