// sample_timer.cpp -- timers of a thread's processor time.
#include "measure/sampling/sample_timer.hpp"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>
#include <ctime>
#include <utility>

#include "measure/core/processor_clock.hpp"
#include "measure/sampling/sample_signal.hpp"

namespace tarry::measure {
namespace {

constexpr long kNanoseconds = 1'000'000'000;
constexpr int kLeastEventDescriptor = 600;  // programs use lower numbers

// An event stops by itself when so many of its signals wait, where the thread has blocked them.
constexpr int kMostWaiting = 32, kRenewed = kMostWaiting / 2;

// What a timer of ours gives its signals.
char g_our_timer;

long period_of(std::uint32_t hertz) { return kNanoseconds / static_cast<long>(hertz); }

// The kernel looks at timers with each tick.
bool is_rate_beyond_ticks(std::uint32_t hertz) {
  timespec tick = {};
  if (::clock_getres(CLOCK_MONOTONIC_COARSE, &tick) != 0) return false;
  return period_of(hertz) < 2 * tick.tv_nsec;
}

int open_clock_event(pid_t thread, std::uint32_t hertz) {
  perf_event_attr attributes;
  std::memset(&attributes, 0, sizeof attributes);
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.config = PERF_COUNT_SW_TASK_CLOCK;
  attributes.sample_period = static_cast<std::uint64_t>(period_of(hertz));
  attributes.wakeup_events = 1;
  attributes.disabled = 1;
  attributes.exclude_kernel = 1;  // a signal inside a system call would end it
  attributes.exclude_hv = 1;
  const int low = static_cast<int>(::syscall(SYS_perf_event_open, &attributes, thread, -1, -1, PERF_FLAG_FD_CLOEXEC));
  if (low < 0) return low;
  const int high = ::fcntl(low, F_DUPFD_CLOEXEC, kLeastEventDescriptor);
  if (high >= 0) ::close(low);
  return high >= 0 ? high : low;
}

std::uint64_t number_of_event(int descriptor) {
  std::uint64_t number = 0;
  return ::ioctl(descriptor, PERF_EVENT_IOC_ID, &number) == 0 ? number : 0;
}

}  // namespace

bool SampleTimer::start(std::uint32_t hertz, EventStart event) {
  thread_ = static_cast<pid_t>(::syscall(SYS_gettid));
  hertz_ = hertz;
  open_timer();
  if (timer_ == kNone || event == EventStart::kNever || !is_rate_beyond_ticks(hertz)) return timer_ != kNone;
  if (event == EventStart::kAtOnce) open_event();
  else is_event_waiting_ = true;
  return true;
}

void SampleTimer::open_waiting_event() {
  if (std::exchange(is_event_waiting_, false)) open_event();
}

void SampleTimer::open_timer() {
  sigevent how;
  std::memset(&how, 0, sizeof how);
  how.sigev_notify = SIGEV_THREAD_ID;
  how.sigev_signo = kSampleSignal;
  how.sigev_value.sival_ptr = &g_our_timer;
  how._sigev_un._tid = thread_;
  int timer = kNone;
  if (::syscall(SYS_timer_create, processor_clock_of(thread_), &how, &timer) != 0) return;
  timer_ = timer;
  const timespec period{period_of(hertz_) / kNanoseconds, period_of(hertz_) % kNanoseconds};
  const itimerspec times{period, period};
  ::syscall(SYS_timer_settime, timer_, 0, &times, nullptr);
}

void SampleTimer::open_event() {
  const int event = open_clock_event(thread_, hertz_);
  if (event < 0) return;
  const f_owner_ex owner{F_OWNER_TID, thread_};
  const bool is_set = ::fcntl(event, F_SETFL, O_ASYNC | O_NONBLOCK) == 0 &&
                      ::fcntl(event, F_SETSIG, kSampleSignal) == 0 && ::fcntl(event, F_SETOWN_EX, &owner) == 0;
  event_ = event;
  event_id_ = number_of_event(event);
  has_had_event_ = true;
  if (!is_set || ::ioctl(event, PERF_EVENT_IOC_REFRESH, kMostWaiting) != 0) close_event();
}

void SampleTimer::close_event() {
  is_event_waiting_ = false;
  const int event = std::exchange(event_, kNone);
  if (event >= 0 && event_id_ != 0 && number_of_event(event) == event_id_) ::close(event);
}

void SampleTimer::note_event() {
  if (++events_ % kRenewed != 0) return;
  const int event = event_;
  if (event >= 0 && number_of_event(event) == event_id_) ::ioctl(event, PERF_EVENT_IOC_REFRESH, kRenewed);
}

void SampleTimer::stop() {
  if (timer_ != kNone) ::syscall(SYS_timer_delete, std::exchange(timer_, kNone));
  close_event();
}

void SampleTimer::forget() {
  timer_ = kNone;
  close_event();
}

SampleTimer::Source SampleTimer::source_of(const siginfo_t& info) const {
  if (info.si_code == SI_TIMER && info.si_value.sival_ptr == &g_our_timer) return Source::kTimer;
  const bool is_event = info.si_code >= POLL_IN && info.si_code <= POLL_HUP && info.si_fd == event_;
  return is_event ? Source::kEvent : Source::kOther;
}

}  // namespace tarry::measure
