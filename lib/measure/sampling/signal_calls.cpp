// signal_calls.cpp -- functions about signals, in front of those of the C library.
//
// While samples are taken, something of ours stands before the program's handlers (program_handlers.hpp). The program
// is told what it has installed. A set of signals that the program has made bit by bit may contain ours; it is read
// without. Without sampling all calls go through.
#include <mqueue.h>
#include <sys/signalfd.h>

#include <cerrno>
#include <cstring>
#include <ctime>

#include "base/processes/next_function.hpp"
#include "measure/core/signal_mask.hpp"
#include "measure/sampling/full_queue.hpp"
#include "measure/sampling/main_thread.hpp"
#include "measure/sampling/program_handlers.hpp"
#include "measure/sampling/sampler.hpp"

#define TARRY_SIGNAL_ENTRY extern "C" __attribute__((visibility("default")))

namespace tarry::measure {
namespace {

using Handler = void (*)(int);
using Change = Handler (*)(int, Handler);

// What the program's handlers may call is found when the library is loaded.
struct {
  int (*sigaction)(int, const struct sigaction*, struct sigaction*);
  int (*sigqueue)(pid_t, int, sigval);
  Change signal, ssignal, bsd_signal, sysv_signal, __sysv_signal, sigset;
} g_real_calls;

__attribute__((constructor)) void find_signal_calls() {
  next_function(g_real_calls.sigaction, "sigaction");
  next_function(g_real_calls.sigqueue, "sigqueue");
  next_function(g_real_calls.signal, "signal");
  next_function(g_real_calls.ssignal, "ssignal");
  next_function(g_real_calls.bsd_signal, "bsd_signal");
  next_function(g_real_calls.sysv_signal, "sysv_signal");
  next_function(g_real_calls.__sysv_signal, "__sysv_signal");
  next_function(g_real_calls.sigset, "sigset");
}

// Of the functions that take nothing but a handler, and have masks and flags of their own.
Handler change_handler(Change& real, const char* name, int signal, Handler handler) {
  const Change next = next_function(real, name);
  if (!is_sampling()) return next(signal, handler);
  const ProgramAction before(signal);
  struct sigaction action;
  std::memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_handler = next(signal, stand_before(signal, action).sa_handler);
  if (action.sa_handler == SIG_ERR) before.restore();
  else ask_for_information(signal);
  before.correct(action);
  return action.sa_handler;
}

// What a program may wait for: never for a signal of ours.
class WaitSet {
 public:
  explicit WaitSet(const sigset_t* set) : set_(set) {
    if (!set || !is_sampling()) return;
    std::memcpy(&others_, set, kKernelMaskBytes);
    others_ &= ~kSampleBit;
    set_ = reinterpret_cast<const sigset_t*>(&others_);
  }
  WaitSet(const WaitSet&) = delete;
  WaitSet& operator=(const WaitSet&) = delete;

  const sigset_t* get() const { return set_; }

 private:
  const sigset_t* set_;
  std::uint64_t others_ = 0;  // the kernel reads no more
};

// Does once more what the full queue of signals has made impossible, if we had places in it.
template <class Call>
auto with_whole_queue(Call call) {
  const auto outcome = call();
  return outcome != 0 && is_sampling() && give_up_queue() ? call() : outcome;
}

}  // namespace
}  // namespace tarry::measure

using namespace tarry::measure;

TARRY_SIGNAL_ENTRY int sigaction(int signal, const struct sigaction* action, struct sigaction* before) noexcept {
  const auto next = tarry::next_function(g_real_calls.sigaction, "sigaction");
  if (!is_sampling()) return next(signal, action, before);
  const ProgramAction there(signal);
  struct sigaction ours;
  if (action) ours = stand_before(signal, *action);
  const int outcome = next(signal, action ? &ours : nullptr, before);
  if (outcome != 0 && action) there.restore();
  if (outcome == 0 && before) there.correct(*before);
  return outcome;
}

#define TARRY_HANDLER_ENTRY(name)                                                   \
  TARRY_SIGNAL_ENTRY sighandler_t name(int signal, sighandler_t handler) noexcept { \
    return change_handler(g_real_calls.name, #name, signal, handler);               \
  }
TARRY_HANDLER_ENTRY(signal)
TARRY_HANDLER_ENTRY(ssignal)
TARRY_HANDLER_ENTRY(bsd_signal)
TARRY_HANDLER_ENTRY(sysv_signal)
TARRY_HANDLER_ENTRY(__sysv_signal)
TARRY_HANDLER_ENTRY(sigset)

TARRY_SIGNAL_ENTRY int sigwait(const sigset_t* set, int* signal) {
  static const auto next = tarry::next_function<int (*)(const sigset_t*, int*)>("sigwait");
  return next(WaitSet(set).get(), signal);
}
TARRY_SIGNAL_ENTRY int sigwaitinfo(const sigset_t* set, siginfo_t* info) {
  static const auto next = tarry::next_function<int (*)(const sigset_t*, siginfo_t*)>("sigwaitinfo");
  return next(WaitSet(set).get(), info);
}
TARRY_SIGNAL_ENTRY int sigtimedwait(const sigset_t* set, siginfo_t* info, const timespec* limit) {
  static const auto next = tarry::next_function<int (*)(const sigset_t*, siginfo_t*, const timespec*)>("sigtimedwait");
  return next(WaitSet(set).get(), info, limit);
}
TARRY_SIGNAL_ENTRY int signalfd(int descriptor, const sigset_t* set, int flags) noexcept {
  static const auto next = tarry::next_function<int (*)(int, const sigset_t*, int)>("signalfd");
  return next(descriptor, WaitSet(set).get(), flags);
}

TARRY_SIGNAL_ENTRY int sigqueue(pid_t process, int signal, const sigval value) noexcept {
  const auto next = tarry::next_function(g_real_calls.sigqueue, "sigqueue");
  return with_whole_queue([&] { return next(process, signal, value); });
}
TARRY_SIGNAL_ENTRY int pthread_sigqueue(pthread_t thread, int signal, const sigval value) noexcept {
  static const auto next = tarry::next_function<int (*)(pthread_t, int, sigval)>("pthread_sigqueue");
  note_signals_for_threads(SI_QUEUE);
  return with_whole_queue([&] { return next(thread, signal, value); });
}
TARRY_SIGNAL_ENTRY int timer_create(clockid_t clock, sigevent* event, timer_t* timer) noexcept {
  static const auto next = tarry::next_function<int (*)(clockid_t, sigevent*, timer_t*)>("timer_create");
  if (event && event->sigev_notify == SIGEV_THREAD_ID) note_signals_for_threads(SI_TIMER);
  return with_whole_queue([&] { return next(clock, event, timer); });
}
