// main_thread.cpp -- sends signals of the process to the main thread.
#include "measure/sampling/main_thread.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <initializer_list>

#include "measure/sampling/sample_signal.hpp"

namespace tarry::measure {
namespace {

constexpr std::uint64_t kNone = ~std::uint64_t{0};
constexpr std::size_t kMostUnderWay = 16;

struct UnderWay {
  std::atomic<bool> is_used = false;
  siginfo_t info;
};
UnderWay g_under_way[kMostUnderWay];

// Signals that the main thread has blocked when they were sent. kNone: nothing is sent.
std::atomic<std::uint64_t> g_refused = kNone;
std::atomic<bool> g_has_thread_timers = false, g_has_thread_queues = false;

// As far as the code of a signal tells. Some that the kernel raises may be for a single thread.
bool is_for_process(const siginfo_t& info) {
  for (const int signal : {SIGIO, SIGURG, SIGPIPE, SIGXFSZ})
    if (info.si_signo == signal) return false;
  switch (info.si_code) {
    case SI_USER:
    case SI_KERNEL: return true;
    case SI_TIMER: return !g_has_thread_timers.load(std::memory_order_relaxed);
    case SI_QUEUE: return !g_has_thread_queues.load(std::memory_order_relaxed);
    default: return info.si_signo == SIGCHLD && info.si_code > 0;
  }
}

}  // namespace

void begin_main_thread() { g_refused.store(0); }

void note_mask_of_main_thread(std::uint64_t mask) {
  const std::uint64_t refused = g_refused.load(std::memory_order_relaxed);
  if (refused != 0 && refused != kNone) g_refused.fetch_and(mask);
}

void forget_main_thread() { g_refused.store(kNone); }

bool send_to_main_thread(const siginfo_t& info) {
  if (g_refused.load(std::memory_order_relaxed) & bit_of(info.si_signo) || !is_for_process(info)) return false;
  const pid_t main_thread = ::getpid();
  if (::syscall(SYS_gettid) == main_thread) return false;
  for (UnderWay& place : g_under_way) {
    if (place.is_used.exchange(true)) continue;
    place.info = info;
    siginfo_t word = {};
    word.si_signo = kSampleSignal;
    word.si_code = SI_QUEUE;
    word.si_pid = main_thread;
    word.si_uid = ::getuid();
    word.si_value.sival_ptr = &place;
    if (send_signal(main_thread, word)) return true;
    place.is_used.store(false);
    return false;
  }
  return false;
}

// If the main thread blocks it by now, the kernel may choose another one.
bool take_sent_signal(const siginfo_t& info, std::uint64_t mask) {
  auto* const place = static_cast<UnderWay*>(info.si_value.sival_ptr);
  if (info.si_code != SI_QUEUE || place < g_under_way || place >= g_under_way + kMostUnderWay) return false;
  const siginfo_t sent = place->info;
  place->is_used.store(false);
  if (!(mask & bit_of(sent.si_signo))) return send_signal(::getpid(), sent), true;
  g_refused.fetch_or(bit_of(sent.si_signo));
  ::syscall(SYS_rt_sigqueueinfo, ::getpid(), sent.si_signo, &sent);
  return true;
}

void note_signals_for_threads(int code) {
  if (code == SI_TIMER) g_has_thread_timers.store(true);
  if (code == SI_QUEUE) g_has_thread_queues.store(true);
}

}  // namespace tarry::measure
