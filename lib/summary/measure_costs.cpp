// measure_costs.cpp -- a child process that times the recorder's entry points, and reports through a pipe.
#include "summary/measure_costs.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "base/files/file.hpp"
#include "base/tool/own_library.hpp"
#include "base/files/temporary_file.hpp"

namespace tarry {
namespace {

constexpr int kPatienceMs = 3000;
constexpr char kLibrary[] = "libtarry-mpi.so", kFunction[] = "tarry_measure_costs";

using CostTable = double[kCostKinds][kRecordingModes];
using Measure = bool (*)(double (*costs)[kRecordingModes]);

// Nothing of the launcher's, nor what the user has asked of the recorder beside the clock and the counters.
void set_variables(const std::string& folder, const std::string& clock, const std::string& metrics) {
  ::clearenv();
  ::setenv("TARRY_ARCHIVE", folder.c_str(), 1);
  for (const char* on : {"TARRY_TRACE", "TARRY_SUMMARY"}) ::setenv(on, "1", 1);
  ::setenv("TARRY_CALLPATHS", "0", 1);
  ::setenv("TARRY_THROTTLE", "off", 1);
  ::setenv("TARRY_SPOOL", "memory", 1);
  if (!clock.empty()) ::setenv("TARRY_CLOCK", clock.c_str(), 1);
  if (!metrics.empty()) ::setenv("TARRY_METRICS", metrics.c_str(), 1);
}

// What the recorder prints is of no use here. It is ended without its exit handlers, which would write.
[[noreturn]] void measure_in_child(const std::string& library, int writing) {
  const int nowhere = ::open("/dev/null", O_RDWR);
  for (const int stream : {0, 1, 2}) ::dup2(nowhere, stream);
  void* const recorder = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  const auto measure = recorder ? reinterpret_cast<Measure>(::dlsym(recorder, kFunction)) : nullptr;
  CostTable costs{};
  const bool is_measured = measure && measure(costs);
  const bool is_told = is_measured && ::write(writing, costs, sizeof costs) == ssize_t{sizeof costs};
  ::_exit(is_told ? 0 : 1);
}

// The whole table fits into a pipe at once.
bool read_table(int reading, CostTable& costs) {
  pollfd waiting{reading, POLLIN, 0};
  int ready = 0;
  while ((ready = ::poll(&waiting, 1, kPatienceMs)) < 0 && errno == EINTR) continue;
  if (ready != 1 || ::read(reading, costs, sizeof costs) != ssize_t{sizeof costs}) return false;
  for (const auto& of_kind : costs)
    for (const double cost : of_kind)
      if (!std::isfinite(cost) || cost < 0) return false;
  return true;
}

std::string machine_name() {
  char host[256] = "";
  ::gethostname(host, sizeof host - 1);
  return host;
}

}  // namespace

Result<RecordingCosts> measure_recording_costs(const std::string& clock, const std::string& metrics) {
  TARRY_TRY_ASSIGN(library, find_own_library(kLibrary));
  TARRY_TRY_ASSIGN(scratch, TemporaryFolder::make("costs"));  // the recorder takes it for an archive
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return Error{"costs of recording", system_error(), ""};
  const File reading(ends[0]);
  File writing(ends[1]);
  const pid_t child = ::fork();
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // it must not outlive the tool
    set_variables(scratch.path(), clock, metrics);
    measure_in_child(library, writing.descriptor());
  }
  writing = File();
  CostTable table{};
  const bool is_told = child > 0 && read_table(reading.descriptor(), table);
  if (child > 0) ::kill(child, SIGKILL);
  while (child > 0 && ::waitpid(child, nullptr, 0) < 0 && errno == EINTR) continue;
  if (!is_told) return Error{library, "does not tell what recording costs", "run 'make', or install again"};
  RecordingCosts costs;
  for (std::size_t kind = 0; kind < kCostKinds; ++kind)
    for (std::size_t mode = 0; mode < kRecordingModes; ++mode) costs.seconds[kind][mode] = table[kind][mode];
  costs.machine = machine_name();
  return costs;
}

}  // namespace tarry
