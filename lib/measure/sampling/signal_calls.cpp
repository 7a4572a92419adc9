// signal_calls.cpp -- functions about signals, in front of those of the C library.
//
// A program that wants the signal of our timers gets it: ours becomes another one. The program may block all signals;
// ours is not blocked in truth, and the program is told what it expects. Without sampling all calls go through.
#include <dlfcn.h>

#include <cerrno>
#include <cstring>

#include "measure/sampling/sampler.hpp"

#define TARRY_SIGNAL_ENTRY extern "C" __attribute__((visibility("default")))

namespace tarry::measure {
namespace {

using Handler = void (*)(int);

template <class Function>
Function next_function(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

bool is_our_signal(int signal) { return signal != 0 && signal == sample_signal(); }

// Before the program changes what a signal does. To leave it as it is by default needs nothing: our handler does that
// for signals of others.
bool is_done_by_us(int signal, Handler handler) {
  if (!is_our_signal(signal)) return false;
  if (handler == SIG_DFL) return true;
  leave_signal_to_program(signal);
  return false;
}

Handler change_handler(const char* name, int signal, Handler handler) {
  if (is_done_by_us(signal, handler)) return SIG_DFL;
  return next_function<Handler (*)(int, Handler)>(name)(signal, handler);
}

using ChangeMask = int (*)(int, const sigset_t*, sigset_t*);

bool blocks_afterwards(int how, bool is_named, bool before) {
  if (how == SIG_BLOCK) return before || is_named;
  return how == SIG_SETMASK ? is_named : before && !is_named;
}

int change_mask(ChangeMask next, int how, const sigset_t* set, sigset_t* before) {
  const int ours = sample_signal();
  if (!ours) return next(how, set, before);
  const bool blocked = t_blocks_sample_signal;
  const bool is_named = set && ::sigismember(set, ours) == 1;
  sigset_t others;
  if (set) others = *set;
  if (is_named) ::sigdelset(&others, ours);
  const int outcome = next(how, set ? &others : nullptr, before);
  if (outcome != 0) return outcome;
  if (set) t_blocks_sample_signal = blocks_afterwards(how, is_named, blocked);
  if (before && blocked) ::sigaddset(before, ours);
  return outcome;
}

// What a program may wait for: never for a signal of ours.
class WaitSet {
 public:
  explicit WaitSet(const sigset_t* set) : set_(set) {
    const int ours = sample_signal();
    if (!set || !ours || ::sigismember(set, ours) != 1) return;
    others_ = *set;
    ::sigdelset(&others_, ours);
    set_ = &others_;
  }
  WaitSet(const WaitSet&) = delete;
  WaitSet& operator=(const WaitSet&) = delete;

  const sigset_t* get() const { return set_; }

 private:
  const sigset_t* set_;
  sigset_t others_;
};

}  // namespace
}  // namespace tarry::measure

using namespace tarry::measure;

TARRY_SIGNAL_ENTRY int sigaction(int signal, const struct sigaction* action, struct sigaction* before) noexcept {
  static const auto next = next_function<int (*)(int, const struct sigaction*, struct sigaction*)>("sigaction");
  const bool is_default = !action || (!(action->sa_flags & SA_SIGINFO) && action->sa_handler == SIG_DFL);
  if (!is_our_signal(signal) || !is_done_by_us(signal, is_default ? SIG_DFL : action->sa_handler))
    return next(signal, action, before);
  if (before) std::memset(before, 0, sizeof *before);
  return 0;
}

TARRY_SIGNAL_ENTRY sighandler_t signal(int signal, sighandler_t handler) noexcept {
  return change_handler("signal", signal, handler);
}
TARRY_SIGNAL_ENTRY sighandler_t sysv_signal(int signal, sighandler_t handler) noexcept {
  return change_handler("sysv_signal", signal, handler);
}
TARRY_SIGNAL_ENTRY sighandler_t __sysv_signal(int signal, sighandler_t handler) noexcept {
  return change_handler("__sysv_signal", signal, handler);
}

TARRY_SIGNAL_ENTRY int sigprocmask(int how, const sigset_t* set, sigset_t* before) noexcept {
  static const auto next = next_function<ChangeMask>("sigprocmask");
  return change_mask(next, how, set, before);
}
TARRY_SIGNAL_ENTRY int pthread_sigmask(int how, const sigset_t* set, sigset_t* before) noexcept {
  static const auto next = next_function<ChangeMask>("pthread_sigmask");
  return change_mask(next, how, set, before);
}

TARRY_SIGNAL_ENTRY int sigwait(const sigset_t* set, int* signal) {
  static const auto next = next_function<int (*)(const sigset_t*, int*)>("sigwait");
  return next(WaitSet(set).get(), signal);
}
TARRY_SIGNAL_ENTRY int sigwaitinfo(const sigset_t* set, siginfo_t* info) {
  static const auto next = next_function<int (*)(const sigset_t*, siginfo_t*)>("sigwaitinfo");
  return next(WaitSet(set).get(), info);
}
TARRY_SIGNAL_ENTRY int sigtimedwait(const sigset_t* set, siginfo_t* info, const timespec* limit) {
  static const auto next = next_function<int (*)(const sigset_t*, siginfo_t*, const timespec*)>("sigtimedwait");
  return next(WaitSet(set).get(), info, limit);
}
