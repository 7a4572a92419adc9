// metric_plugin.hpp -- a shared library of the user's that counts (tarry/metric_plugin.h).
//
// The recorder and `tarry measure` share this.
//
// Calls: may block.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"

struct tarry_metric_plugin;
struct tarry_plugin_metric;

namespace tarry::measure {

/// "libmine.so:eth0": a path, and what the plug-in is told.
struct PluginChoice {
  std::string path, arguments;
};

/// A list "PATH[:ARGUMENTS];...", as TARRY_METRIC_PLUGINS has it.
std::vector<PluginChoice> parse_plugins(const std::string& list);
std::string join_plugins(const std::vector<PluginChoice>& plugins);

/// One that is loaded. It stays until the process ends.
class MetricPlugin {
 public:
  /// Loads and starts it, in this process. `most`: metrics that there is room for. Fails if it is no plug-in, or has
  /// nothing to count here.
  static Result<MetricPlugin*> start(const PluginChoice& choice, std::size_t most);

  std::span<const tarry_plugin_metric> metrics() const { return metrics_; }

  /// Whether the calling thread records values: the first one of its process or not.
  bool is_read_in(bool is_first_thread) const;

  /// Nanoseconds that the thread waits until it reads again; 0: none.
  std::int64_t period_ns() const;

  /// All values now. False: the former ones stay. A plug-in that is slow again and again is read no more.
  bool read(unsigned long long* values);

  void stop() const;

 private:
  MetricPlugin(const tarry_metric_plugin& plugin, std::string name) : plugin_(plugin), name_(std::move(name)) {}

  const tarry_metric_plugin& plugin_;
  const std::string name_;
  std::span<const tarry_plugin_metric> metrics_;
  unsigned slow_reads_ = 0;
};

}  // namespace tarry::measure
