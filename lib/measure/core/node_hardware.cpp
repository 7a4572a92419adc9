// node_hardware.cpp -- cores, processor and network of this node, from /proc and /sys.
#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "base/processes/environment_value.hpp"
#include "defs/host_facts.hpp"
#include "measure/core/host.hpp"
#include "measure/core/runtime.hpp"

namespace tarry::measure {
namespace {

constexpr std::size_t kMostLinks = 8;  // of a node that has hundreds of virtual ones

// Names in a folder, sorted.
std::vector<std::string> names_in(const char* folder) {
  std::vector<std::string> names;
  DIR* const entries = ::opendir(folder);
  if (!entries) return names;
  while (const dirent* entry = ::readdir(entries))
    if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
  ::closedir(entries);
  std::sort(names.begin(), names.end());
  return names;
}

std::string line_of(const std::string& path) {
  std::string text = read_start(path.c_str(), 128);
  text.resize(std::min(text.size(), text.find('\n')));
  return text;
}

// The value of the first line "NAME : VALUE".
std::string field_of(const std::string& text, std::string_view name) {
  for (std::size_t at = 0; at < text.size(); at = std::min(text.find('\n', at), text.size() - 1) + 1) {
    if (text.compare(at, name.size(), name) != 0) continue;
    const std::size_t end = std::min(text.find('\n', at), text.size()), colon = text.find(':', at);
    if (colon >= end) continue;
    const std::size_t begin = text.find_first_not_of(" \t", colon + 1);
    return begin < end ? text.substr(begin, end - begin) : "";
  }
  return "";
}

// x86 and POWER name the model; ARM has numbers for it.
std::string processor_model() {
  const std::string text = read_start("/proc/cpuinfo", 4096);
  for (const char* name : {"model name", "cpu\t", "CPU part"})
    if (std::string model = field_of(text, name); !model.empty()) return model;
  return "";
}

// InfiniBand, Omni-Path and the like; then what is a device and has a link.
std::string network_links() {
  std::vector<std::string> links;
  for (const std::string& device : names_in("/sys/class/infiniband"))
    if (const std::string rate = line_of("/sys/class/infiniband/" + device + "/ports/1/rate"); !rate.empty())
      links.push_back(device + " " + rate);
  for (const std::string& device : names_in("/sys/class/net")) {
    const std::string folder = "/sys/class/net/" + device;
    if (::access((folder + "/device").c_str(), F_OK) != 0 || line_of(folder + "/operstate") != "up") continue;
    const long speed = std::strtol(line_of(folder + "/speed").c_str(), nullptr, 10);
    links.push_back(device + (speed > 0 ? " " + std::to_string(speed) + " Mb/s" : ""));
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(links.size(), kMostLinks); ++i) text += (i ? ", " : "") + links[i];
  return text;
}

// Of the processes that a launcher started on this node.
bool is_first_on_host() {
  for (const char* name : {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"})
    if (const char* value = environment_value(name)) return std::strcmp(value, "0") == 0;
  return true;
}

}  // namespace

void define_host_facts(LocalDefinitions& definitions) {
  if (!is_first_on_host()) return;
  const long cores = ::sysconf(_SC_NPROCESSORS_ONLN);
  const HostFacts facts{static_cast<std::uint32_t>(std::max(0l, cores)), processor_model(), network_links()};
  definitions.add_property(std::string(kHostFactsKey) + host_name(), host_facts_text(facts));
}

}  // namespace tarry::measure
