// full_queue.cpp -- leaves the queue of signals to a program that needs all of it.
#include "measure/sampling/full_queue.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

#include "measure/core/runtime.hpp"
#include "measure/core/say.hpp"
#include "measure/sampling/sampler.hpp"

namespace tarry::measure {
namespace {

std::atomic<bool> g_may_use_events = false;
std::atomic<bool> g_has_given_up = false;

// Somebody else has sent the signal, which ends the process when the handler returns.
void end_process_by(int signal) {
  const KernelAction by_default;
  change_action(signal, &by_default, nullptr);
  ::syscall(SYS_tgkill, ::getpid(), ::syscall(SYS_gettid), signal);
}

void on_full_queue(int signal, siginfo_t* info, void*) {
  const int error = errno;
  ThreadSampler* const sampler = t_thread ? kSampler.of(*t_thread) : nullptr;
  if (info->si_code != SI_KERNEL || !sampler || !sampler->timer().has_had_event()) end_process_by(signal);
  else sampler->timer().close_event();
  errno = error;
}

template <class Visit>
void each_timer(Visit visit) {
  visit_threads([visit](Thread& thread) {
    if (ThreadSampler* const sampler = kSampler.of(thread)) visit(sampler->timer());
  });
}

void end_events() {
  bool has_events = false;
  each_timer([&has_events](SampleTimer& timer) {
    has_events = has_events || timer.has_event();
    timer.close_event();
  });
  if (has_events) say("the program handles SIGIO: samples come with the ticks of the kernel only");
}

}  // namespace

bool guard_full_queue() {
  KernelAction there;
  if (!change_action(kFullQueueSignal, nullptr, &there)) return false;
  const auto handler = reinterpret_cast<std::uintptr_t>(there.handler);
  if (handler > 1) return false;
  const KernelAction ours = action_of_ours(on_full_queue, kSampleBit);
  g_may_use_events.store(handler == 1 || change_action(kFullQueueSignal, &ours, nullptr));
  return is_full_queue_guarded();
}

struct sigaction guard_full_queue(const struct sigaction& wanted) {
  struct sigaction ours = wanted;
  if (!is_full_queue_guarded() || wanted.sa_handler == SIG_IGN) return ours;
  if (wanted.sa_handler == SIG_DFL) {
    ours.sa_sigaction = on_full_queue;
    ours.sa_flags = SA_SIGINFO | SA_RESTART;
    return ours;
  }
  if (g_may_use_events.exchange(false)) end_events();
  return ours;
}

bool is_full_queue_guard(SignalHandler handler) { return handler == on_full_queue; }

bool is_full_queue_guarded() { return g_may_use_events.load(std::memory_order_relaxed); }

bool give_up_queue() {
  if (!is_recording() || g_has_given_up.exchange(true)) return false;
  g_may_use_events.store(false);
  each_timer([](SampleTimer& timer) { timer.stop(); });
  say("the program needs all places in the queue of signals: no more samples are taken");
  return true;
}

}  // namespace tarry::measure
