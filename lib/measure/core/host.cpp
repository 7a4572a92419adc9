// host.cpp -- facts about this process, its program and its node.
#include "measure/core/host.hpp"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/files/owned_file.hpp"
#include "defs/unify.hpp"
#include "measure/core/clock.hpp"
#include "measure/core/runtime.hpp"

extern char** environ;

namespace tarry::measure {
namespace {

constexpr std::size_t kMaxArguments = 16 << 10;

// MPI's own parameters, without the ones its launcher sets to pass addresses to the processes. The address of a store
// may hold a password.
bool is_worth_recording(std::string_view variable) {
  if (variable.starts_with("TARRY_STORE=")) return false;
  if (variable.starts_with("TARRY_")) return true;
  constexpr std::string_view kPrefix = "OMPI_MCA_";
  if (!variable.starts_with(kPrefix)) return false;
  variable.remove_prefix(kPrefix.size());
  for (const char* internal : {"orte_", "ess", "plm_", "initial_wdir", "pmix", "mpi_oversubscribe", "shmem_RUNTIME"})
    if (variable.starts_with(internal)) return false;
  return true;
}

using CorePlace = std::pair<std::uint32_t, std::uint32_t>;  // socket, core in it

std::optional<CorePlace> place_of_cpu(unsigned cpu) {
  const std::string folder = "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/";
  const auto number = [&](const char* name) {
    const std::string text = read_start((folder + name).c_str(), 16);
    long value = -1;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  };
  const long socket = number("physical_package_id"), core = number("core_id");
  if (socket < 0 || core < 0) return std::nullopt;
  return CorePlace(static_cast<std::uint32_t>(socket), static_cast<std::uint32_t>(core));
}

}  // namespace

std::int64_t process_id() { return ::getpid(); }

std::string read_start(const char* path, std::size_t limit) {
  std::string text(limit, '\0');
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  const ssize_t size = file < 0 ? 0 : ::read(file, text.data(), limit);
  if (file >= 0) ::close(file);
  text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return text;
}

std::string host_name() {
  char name[256] = "";
  if (::gethostname(name, sizeof name - 1) != 0 || !name[0]) return "localhost";
  std::string host(name);
  for (char& c : host)
    if (c == '/') c = '_';
  return host;
}

std::string clock_domain() {
  std::string boot = read_start("/proc/sys/kernel/random/boot_id", 64);
  while (!boot.empty() && boot.back() == '\n') boot.pop_back();
  std::string domain = boot + " " + host_name() + " " + clock_name();
  // The system's clock differs between time namespaces; the processor's counter does not.
  char name[64];
  const ssize_t size = g_clock_kind == ClockKind::kMonotonic ? ::readlink("/proc/self/ns/time", name, sizeof name) : -1;
  if (size > 0) domain.append(" ").append(name, static_cast<std::size_t>(size));
  return domain;
}

std::string executable_path() {
  std::string path(4096, '\0');
  const ssize_t size = ::readlink("/proc/self/exe", path.data(), path.size());
  path.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return path;
}

std::string program_name() {
  const std::string path = executable_path();
  const std::string name = path.substr(path.rfind('/') + 1);
  return name.empty() ? "program" : name;
}

void define_program(LocalDefinitions& definitions, bool is_redacted, bool with_environment) {
  definitions.add_property("program", executable_path());
  if (!is_redacted) {
    std::string arguments = read_start("/proc/self/cmdline", kMaxArguments);
    while (!arguments.empty() && arguments.back() == '\0') arguments.pop_back();
    for (char& c : arguments)
      if (c == '\0') c = ' ';
    definitions.add_property("arguments", arguments);
  }
  if (!with_environment) return;
  for (char** variable = environ; variable && *variable; ++variable) {
    const std::string_view text(*variable);
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || !is_worth_recording(text)) continue;
    definitions.add_property("environment." + std::string(text.substr(0, equals)), text.substr(equals + 1));
  }
}

void define_hardware_place(LocalDefinitions& definitions, WorldRank rank) {
  cpu_set_t allowed;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  std::optional<CorePlace> place;
  for (unsigned cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &allowed)) continue;
    const auto here = place_of_cpu(cpu);
    if (!here || (place && *here != *place)) return;
    place = here;
  }
  if (!place) return;
  Interner strings;
  CartTopology cart;
  cart.name = strings.intern("Hardware");
  for (const std::string_view name : {kNodeDimension, std::string_view("socket"), std::string_view("core")})
    cart.dimensions.push_back({strings.intern(name), 0, false});
  cart.places.push_back({rank.value, {0, place->first, place->second}});
  definitions.add_cart(cart, strings);
}

}  // namespace tarry::measure
