// launched_world.cpp -- the world that a launcher has started, if it may consist of several programs.
#include "measure/core/launched_world.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/processes/ancestors.hpp"
#include "base/processes/environment_value.hpp"
#include "measure/core/settings.hpp"

namespace tarry::measure {
namespace {

constexpr long kMostProcesses = 10000;  // each of them would make a link

long number_in(const char* variable) {
  const char* const value = environment_value(variable);
  return value ? std::strtol(value, nullptr, 10) : 0;
}

// The arguments of Hydra's processes name the world; its variables do not.
std::string hydra_world() {
  if (const long processes = number_in("PMI_SIZE"); processes < 2 || processes > kMostProcesses) return {};
  return find_in_ancestors(world_of_hydra_proxy);
}

std::string without_slashes(std::string name) {
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

}  // namespace

LaunchedWorld launched_world() {
  const char* const name = environment_value("PMIX_NAMESPACE");
  // Where `tarry measure` is inside of the launcher, it may be there in some processes only.
  const char* const job = environment_value(kJobVariable);
  if (name && (job || number_in("OMPI_NUM_APP_CTX") >= 2)) return {without_slashes(name), true};
  if (job) return {without_slashes(job), true};
  if (environment_value("OMPI_NUM_APP_CTX")) return {};
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
