// plugin_trial.cpp -- starts metric plug-ins in a process of its own.
#include "plugin_trial.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <vector>

#include "base/files/file.hpp"
#include "base/tool/own_library.hpp"
#include "measure/metrics/metric_list.hpp"
#include "measure/metrics/metric_plugin.hpp"

namespace tarry {
namespace {

constexpr unsigned kMostSeconds = 10;
constexpr int kReads = 3;

[[noreturn]] void try_in_child(const measure::PluginChoice& choice) {
  const rlimit no_core = {};
  ::setrlimit(RLIMIT_CORE, &no_core);
  for (const int signal : {SIGALRM, SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL}) ::signal(signal, SIG_DFL);
  ::alarm(kMostSeconds);
  auto plugin = measure::MetricPlugin::start(choice, measure::kMaxMetrics);
  unsigned long long values[measure::kMaxMetrics];
  for (int i = 0; plugin.ok() && i < kReads; ++i) (*plugin)->read(values);
  if (plugin.ok()) (*plugin)->stop();
  ::_exit(0);
}

Status try_plugin(const measure::PluginChoice& choice) {
  const pid_t child = ::fork();
  if (child < 0) return Error{choice.path, system_error(), ""};
  if (child == 0) try_in_child(choice);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (!WIFSIGNALED(status)) return {};
  if (WTERMSIG(status) == SIGALRM)
    return Error{choice.path, "does not end within " + std::to_string(kMostSeconds) + " seconds when it is tried out",
                 "nothing was run"};
  return Error{choice.path, "crashes when it is tried out: signal " + std::to_string(WTERMSIG(status)),
               "nothing was run"};
}

Result<std::string> full_path(const std::string& name) {
  if (name.find('/') != name.npos) return std::filesystem::absolute(name).string();
  const auto found = find_own_library("libtarry-metrics-" + name + ".so");
  if (found.ok()) return found;
  return Error{name, "is no plug-in of Tarry's", "a path has a slash: ./" + name};
}

}  // namespace

Result<std::string> find_plugins(const std::string& list) {
  std::vector<measure::PluginChoice> plugins = measure::parse_plugins(list);
  for (measure::PluginChoice& each : plugins) {
    TARRY_TRY_ASSIGN(path, full_path(each.path));
    each.path = path;
    if (!path_exists(path)) return Error{path, "is not there", "--metric-plugin takes the path of a shared library"};
    TARRY_TRY(try_plugin(each));
  }
  return measure::join_plugins(plugins);
}

}  // namespace tarry
