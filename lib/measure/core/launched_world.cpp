// launched_world.cpp -- the world that a launcher has started, if it may consist of several programs.
#include "measure/core/launched_world.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "base/owned_file.hpp"
#include "measure/core/settings.hpp"

namespace tarry::measure {
namespace {

constexpr int kMostAncestors = 32;     // between a process and its launcher's proxy: wrappers
constexpr long kMostProcesses = 10000;  // each of them would make a link

long number_in(const char* variable) {
  const char* const value = std::getenv(variable);
  return value ? std::strtol(value, nullptr, 10) : 0;
}

// The beginning of a file that the kernel makes.
std::string read_about(int process, const char* what) {
  auto file = OwnedFile::open("/proc/" + std::to_string(process) + "/" + what, O_RDONLY);
  char text[4096];
  const ssize_t size = file.ok() ? ::read(file->descriptor(), text, sizeof text) : -1;
  return size > 0 ? std::string(text, static_cast<std::size_t>(size)) : std::string();
}

// 0 if it has none, or cannot be looked at.
int parent_of(int process) {
  const std::string facts = read_about(process, "stat");
  const std::size_t name_end = facts.rfind(") ");
  int parent = 0;
  if (name_end == std::string::npos || facts.size() < name_end + 5) return 0;
  std::from_chars(facts.data() + name_end + 4, facts.data() + facts.size(), parent);  // behind its state
  return parent;
}

// The arguments of Hydra's processes name the world; its variables do not.
std::string hydra_world() {
  if (const long processes = number_in("PMI_SIZE"); processes < 2 || processes > kMostProcesses) return {};
  int process = ::getppid();
  for (int i = 0; i < kMostAncestors && process > 1; ++i, process = parent_of(process))
    if (std::string world = world_of_hydra_proxy(read_about(process, "cmdline")); !world.empty()) return world;
  return {};
}

std::string without_slashes(std::string name) {
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

}  // namespace

LaunchedWorld launched_world() {
  const char* const name = std::getenv("PMIX_NAMESPACE");
  // Where `tarry measure` is inside of the launcher, it may be there in some processes only.
  const char* const job = std::getenv(kJobVariable);
  if (name && (job || number_in("OMPI_NUM_APP_CTX") >= 2)) return {without_slashes(name), true};
  if (job) return {without_slashes(job), true};
  if (std::getenv("OMPI_NUM_APP_CTX")) return {};
  return {without_slashes(hydra_world()), false};
}

std::string world_of_hydra_proxy(std::string_view command) {
  std::string_view before, control_port, world;
  bool is_proxy = false;
  for (bool is_first = true; !command.empty(); is_first = false) {
    const std::string_view argument = command.substr(0, command.find('\0'));
    command.remove_prefix(std::min(command.size(), argument.size() + 1));
    if (is_first) is_proxy = argument.ends_with("pmi_proxy");
    if (before == "--control-port") control_port = argument;
    if (before == "--pgid") world = argument;
    before = argument;
  }
  if (!is_proxy || control_port.empty() || world.empty()) return {};
  return std::string(control_port) + "." + std::string(world);
}

}  // namespace tarry::measure
