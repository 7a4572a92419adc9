// software_events.cpp -- perf_event_open for software events.
#include "measure/metrics/software_events.hpp"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/files/file.hpp"
#include "measure/metrics/metric_list.hpp"

namespace tarry::measure {
namespace {

// Programs close the descriptors they inherit, and use the numbers again: theirs are lower than this.
constexpr int kLeastDescriptor = 600;

int open_event(std::uint64_t code, int leader, bool counts_kernel) {
  perf_event_attr attributes;
  std::memset(&attributes, 0, sizeof attributes);
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.config = code;
  attributes.read_format = PERF_FORMAT_GROUP;
  attributes.exclude_kernel = !counts_kernel;
  attributes.exclude_hv = 1;
  const int low = static_cast<int>(::syscall(SYS_perf_event_open, &attributes, 0, -1, leader, PERF_FLAG_FD_CLOEXEC));
  if (low < 0) return low;
  const int high = ::fcntl(low, F_DUPFD_CLOEXEC, kLeastDescriptor);
  if (high < 0) return low;
  ::close(low);
  return high;
}

// What happens while the kernel runs for the thread is not seen without its permission.
bool is_of_kernel(std::uint64_t code) {
  return code == PERF_COUNT_SW_CONTEXT_SWITCHES || code == PERF_COUNT_SW_CPU_MIGRATIONS;
}

std::string why_not(std::uint64_t code) {
  const std::string reason = "the kernel does not allow perf_event_open: " + system_error();
  if (errno == EACCES || (errno == EPERM && is_of_kernel(code)))
    return reason + ", see kernel.perf_event_paranoid; getrusage's counters (--metrics rusage) need no permission";
  return errno == EACCES || errno == EPERM || errno == ENOSYS
             ? reason + "; getrusage's counters (--metrics rusage) need no permission"
             : "perf_event_open: " + system_error();
}

std::uint64_t id_of(int descriptor) {
  std::uint64_t id = 0;
  return ::ioctl(descriptor, PERF_EVENT_IOC_ID, &id) == 0 ? id : 0;
}

}  // namespace

bool SoftwareEvents::OpenEvent::is_ours() const { return id != 0 && id_of(descriptor) == id; }

SoftwareEvents::~SoftwareEvents() {
  for (const OpenEvent& event : events_)
    if (event.is_ours()) ::close(event.descriptor);
}

// An event that counts nothing leads the group: with a clock as the leader, the kernel counts nothing but clocks.
std::string SoftwareEvents::open(std::span<const std::uint64_t> codes) {
  std::string failure = add(PERF_COUNT_SW_DUMMY);
  for (const std::uint64_t code : codes)
    if (failure.empty()) failure = add(code);
  return failure;
}

std::string SoftwareEvents::add(std::uint64_t code) {
  const int leader = events_.empty() ? -1 : events_.front().descriptor;
  int descriptor = open_event(code, leader, true);
  if (descriptor < 0 && errno == EACCES && !is_of_kernel(code)) descriptor = open_event(code, leader, false);
  if (descriptor < 0) return why_not(code);
  events_.push_back({descriptor, id_of(descriptor)});
  return "";
}

bool SoftwareEvents::read(std::uint64_t* values) const {
  constexpr std::size_t kHead = 2;  // number of events, and the leader's value
  std::uint64_t data[kHead + kMaxMetrics];
  const std::size_t bytes = (1 + events_.size()) * sizeof *data;
  if (!events_.front().is_ours()) return false;
  if (::read(events_.front().descriptor, data, bytes) != static_cast<ssize_t>(bytes)) return false;
  std::memcpy(values, data + kHead, bytes - kHead * sizeof *data);
  return true;
}

}  // namespace tarry::measure
