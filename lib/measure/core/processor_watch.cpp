// processor_watch.cpp -- reads the kernel's accounts of this process and its threads.
#include "measure/core/processor_watch.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <span>
#include <string_view>
#include <utility>

namespace tarry::measure {
namespace {

// To ask takes some microseconds. Of threads that live no longer than this, the first are asked, and then one of so
// many: the others wait as long on average.
constexpr std::int64_t kShortLife = 2'000'000;
constexpr std::uint64_t kFirstAsked = 64, kOneOf = 16;

std::int64_t nanoseconds_now() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

// Of the process until now, without delay and processors.
ProcessorUse accounts() {
  ProcessorUse use;
  use.wall = static_cast<double>(nanoseconds_now()) * 1e-9;
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  use.system = seconds(usage.ru_stime);
  use.cpu = seconds(usage.ru_utime) + use.system;
  use.preemptions = static_cast<std::uint64_t>(usage.ru_nivcsw);
  use.waits = static_cast<std::uint64_t>(usage.ru_nvcsw);
  use.minor_faults = static_cast<std::uint64_t>(usage.ru_minflt);
  use.major_faults = static_cast<std::uint64_t>(usage.ru_majflt);
  return use;
}

// What a file of the kernel about a thread begins with. Signal handlers ask, so nothing is allocated.
std::string_view read_of_thread(pid_t thread, std::string_view file_name, std::span<char> text) {
  constexpr long kOwnDescriptors = 600;  // programs have lower ones
  constexpr std::string_view kFolder = "/proc/self/task/";
  char path[64];
  char* const number = std::copy(kFolder.begin(), kFolder.end(), path);
  char* const name = std::to_chars(number, number + 16, thread).ptr;
  *std::copy(file_name.begin(), file_name.end(), name) = '\0';
  const long low = ::syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  if (low < 0) return {};
  const long high = ::syscall(SYS_fcntl, low, F_DUPFD_CLOEXEC, kOwnDescriptors);
  const long file = high < 0 ? low : high;
  if (high >= 0) ::syscall(SYS_close, low);
  const long size = ::syscall(SYS_read, file, text.data(), text.size());
  ::syscall(SYS_close, file);
  return {text.data(), static_cast<std::size_t>(std::max(size, 0L))};
}

}  // namespace

// The file says "nanoseconds on a processor, nanoseconds ready to run without one, turns".
std::int64_t delay_of(pid_t thread) {
  char text[96];
  const std::string_view accounts = read_of_thread(thread, "/schedstat", text);
  const std::size_t blank = accounts.find(' ');
  std::int64_t nanoseconds = -1;
  if (blank != accounts.npos)
    std::from_chars(accounts.data() + blank + 1, accounts.data() + accounts.size(), nanoseconds);
  return nanoseconds;
}

// The file says "number (name) state", and the name may hold anything.
bool wants_processor(pid_t thread) {
  char text[96];
  const std::string_view facts = read_of_thread(thread, "/stat", text);
  const std::size_t name_end = facts.rfind(')');
  return name_end != facts.npos && facts.substr(name_end).starts_with(") R");
}

void ProcessorWatch::begin() { at_start_ = accounts(); }

ThreadDelay ProcessorWatch::begin_thread(bool is_first) {
  std::uint64_t allowed[kWords] = {};
  if (::sched_getaffinity(0, sizeof allowed, reinterpret_cast<cpu_set_t*>(allowed)) == 0)
    for (std::size_t i = 0; i < kWords; ++i) allowed_[i] |= allowed[i];
  const pid_t thread = static_cast<pid_t>(::syscall(SYS_gettid));
  return {thread, is_first ? delay_of(thread) : 0, nanoseconds_now()};
}

void ProcessorWatch::end_thread(ThreadDelay& begun) {
  const std::int64_t time = nanoseconds_now() - begun.begun;
  const bool is_short = begun.nanoseconds == 0 && time < kShortLife;
  const std::int64_t before = std::exchange(begun.nanoseconds, -1);
  if (before < 0) return;
  time_ += time;
  if (is_short && ++short_threads_ > kFirstAsked && short_threads_ % kOneOf != 0) return;
  const std::int64_t until_now = delay_of(begun.thread);
  if (until_now < before) return;
  // What a thread has waited in front of its first event is no part of its recorded time.
  const std::int64_t delay = std::min(until_now - before, time);
  (is_short ? short_delay_ : delay_) += delay;
  if (delay > worst_delay_) {
    worst_delay_ = delay;
    worst_time_ = time;
  }
  short_asked_ += is_short;
  has_delay_ = true;
}

ProcessorUse ProcessorWatch::use() const {
  ProcessorUse use = accounts();
  use.wall -= at_start_.wall;
  use.cpu -= at_start_.cpu;
  use.system -= at_start_.system;
  use.preemptions -= at_start_.preemptions;
  use.waits -= at_start_.waits;
  use.minor_faults -= at_start_.minor_faults;
  use.major_faults -= at_start_.major_faults;
  const double of_short = short_asked_ > 0 ? static_cast<double>(short_delay_) / static_cast<double>(short_asked_) : 0;
  use.threads = static_cast<double>(time_) * 1e-9;
  if (has_delay_) {
    use.delay = (static_cast<double>(delay_) + of_short * static_cast<double>(short_threads_)) * 1e-9;
    use.delay = std::min(*use.delay, use.threads);
    use.worst_delay = static_cast<double>(worst_delay_) * 1e-9;
    use.worst_time = static_cast<double>(worst_time_) * 1e-9;
  }
  for (std::uint32_t i = 0; i < kMostProcessors; ++i)
    if (allowed_[i / 64] >> (i % 64) & 1) use.processors.push_back(i);
  return use;
}

}  // namespace tarry::measure
