// metric_plugin.cpp -- loads a shared library that counts, and keeps what it does within bounds.
#include "measure/metrics/metric_plugin.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

#include "base/processes/environment_value.hpp"
#include "measure/user/tarry/metric_plugin.h"

namespace tarry::measure {
namespace {

constexpr char kEntry[] = "tarry_get_metric_plugin";
constexpr std::int64_t kSlowNs = 20'000'000;
constexpr unsigned kMostSlowReads = 3;

std::int64_t now_ns() {
  timespec time = {};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

// As launchers tell it: the first process of a node has 0, as has one that no launcher has started.
bool is_first_on_node() {
  for (const char* name : {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "PMI_LOCAL_RANK", "SLURM_LOCALID"})
    if (const char* const rank = environment_value(name); rank && *rank) return std::strcmp(rank, "0") == 0;
  return true;
}

}  // namespace

std::vector<PluginChoice> parse_plugins(const std::string& list) {
  std::vector<PluginChoice> all;
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find(';', begin), list.size());
    const std::string one = list.substr(begin, end - begin);
    const std::size_t colon = one.find(':');
    if (!one.empty()) all.push_back({one.substr(0, colon), colon == one.npos ? "" : one.substr(colon + 1)});
    begin = end + 1;
  }
  return all;
}

std::string join_plugins(const std::vector<PluginChoice>& plugins) {
  std::string list;
  for (const PluginChoice& each : plugins)
    list += (list.empty() ? "" : ";") + each.path + (each.arguments.empty() ? "" : ":" + each.arguments);
  return list;
}

Result<MetricPlugin*> MetricPlugin::start(const PluginChoice& choice, std::size_t most) {
  void* const library = ::dlopen(choice.path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) return Error{choice.path, ::dlerror(), "--metric-plugin takes the path of a shared library"};
  const auto entry = reinterpret_cast<const tarry_metric_plugin* (*)()>(::dlsym(library, kEntry));
  const tarry_metric_plugin* const plugin = entry ? entry() : nullptr;
  if (!plugin)
    return Error{choice.path, "is no plug-in: it lacks tarry_get_metric_plugin()", "see tarry/metric_plugin.h"};
  if (plugin->version != TARRY_METRIC_PLUGIN_VERSION || !plugin->start || !plugin->read)
    return Error{choice.path, "is a plug-in of another version", "compile it with tarry/metric_plugin.h of this one"};
  const tarry_plugin_metric* metrics = nullptr;
  const char* why = nullptr;
  const int count = plugin->start(choice.arguments.c_str(), &metrics, &why);
  if (count < 1 || !metrics) return Error{choice.path, why && *why ? why : "has nothing to count here", ""};
  if (static_cast<std::size_t>(count) > most)
    return Error{choice.path,
                 "has " + std::to_string(count) + " metrics, and there is room for " + std::to_string(most), ""};
  auto* const started = new MetricPlugin(*plugin, choice.path);
  started->metrics_ = {metrics, static_cast<std::size_t>(count)};
  return started;
}

bool MetricPlugin::is_read_in(bool is_first_thread) const {
  if (plugin_.place == TARRY_PLUGIN_PER_THREAD) return true;
  return is_first_thread && (plugin_.place != TARRY_PLUGIN_PER_NODE || is_first_on_node());
}

std::int64_t MetricPlugin::period_ns() const { return std::int64_t{plugin_.period_us} * 1000; }

// Threads that are slow at the same time may count one read for two.
bool MetricPlugin::read(unsigned long long* values) {
  if (__atomic_load_n(&slow_reads_, __ATOMIC_RELAXED) >= kMostSlowReads) return false;
  const std::int64_t begin = now_ns();
  const bool has_read = plugin_.read(values) == 0;
  if (now_ns() - begin > kSlowNs) __atomic_add_fetch(&slow_reads_, 1, __ATOMIC_RELAXED);
  return has_read;
}

void MetricPlugin::stop() const {
  if (plugin_.stop) plugin_.stop();
}

}  // namespace tarry::measure
