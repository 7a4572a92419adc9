// program_handlers.cpp -- what stands in front of the program's signal handlers.
#include "measure/sampling/program_handlers.hpp"

#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

#include "measure/core/signal_block.hpp"
#include "measure/core/signal_mask.hpp"
#include "measure/processor/handler_entries.hpp"
#include "measure/processor/processor.hpp"
#include "measure/sampling/full_queue.hpp"
#include "measure/sampling/main_thread.hpp"

extern "C" {
[[gnu::visibility("hidden")]] tarry::measure::SignalHandler tarry_choose_handler(int signal, siginfo_t* info,
                                                                                 void* context);
// Of the program.
[[gnu::visibility("hidden")]] std::atomic<tarry::measure::SignalHandler> tarry_program_handlers[NSIG] = {};
}

namespace tarry::measure {
namespace {

// Of the handlers in the table above.
std::atomic<std::uint64_t> g_masks[NSIG] = {};
std::atomic<int> g_flags[NSIG] = {};

constexpr std::uint64_t kFaults = bit_of(SIGSEGV) | bit_of(SIGBUS) | bit_of(SIGFPE) | bit_of(SIGILL) | bit_of(SIGTRAP) |
                                  bit_of(SIGABRT) | bit_of(SIGSYS);

// No constant as SIG_DFL, SIG_IGN, SIG_HOLD and SIG_ERR are.
bool is_function(SignalHandler handler) {
  const auto address = reinterpret_cast<std::uintptr_t>(handler);
  return address > 2 && address != ~std::uintptr_t{0};
}

bool is_signal(int signal) { return signal > 0 && signal < NSIG; }
bool is_held_up(int signal) { return !(kFaults & bit_of(signal)); }

void remember(int signal, SignalHandler handler, int flags, std::uint64_t mask) {
  g_masks[signal].store(mask);
  g_flags[signal].store(flags);
  tarry_program_handlers[signal].store(handler);
}

// A handler on an alternate stack, which may be small, is not sampled: two handlers need more of it.
std::uint64_t mask_with(int flags, std::uint64_t mask) { return flags & SA_ONSTACK ? mask | kSampleBit : mask; }

// The program has wanted its handler for one time only, which is still to come.
void restore_handler(int signal) {
  KernelAction there;
  change_action(signal, nullptr, &there);
  there.handler = tarry_stand_before_handler;
  change_action(signal, &there, nullptr);
}

// A call that waits with another mask (sigsuspend, pselect, ppoll, epoll_pwait) has ended with a sample and a signal of
// the program at once. The kernel restores the thread's own mask with the first handler that it calls, which is ours.
// That mask may block the signal. So the sample returns to the mask of the wait, and the program's handler to its own.
struct WaitMask {
  bool is_to_restore = false;
  std::uint64_t mask = 0;       // the program's own
  const void* stack = nullptr;  // where the wait was
};
__thread WaitMask t_wait_mask __attribute__((tls_model("initial-exec")));

const void* stack_of(const ucontext_t& context) { return reinterpret_cast<const void*>(processor::stack_of(context)); }

void return_to_wait_mask(int signal, ucontext_t& context) {
  auto& wait = *static_cast<ucontext_t*>(sample_context(&context));
  std::uint64_t& mask = kernel_mask(wait.uc_sigmask);
  if (!(mask & bit_of(signal))) return;
  t_wait_mask = {.is_to_restore = true, .mask = mask, .stack = stack_of(wait)};
  mask = kernel_mask(context.uc_sigmask) & ~(kCancelBit | kSampleBit);
}

void return_to_program_mask(ucontext_t& context) {
  if (!t_wait_mask.is_to_restore || stack_of(context) != t_wait_mask.stack) return;
  t_wait_mask.is_to_restore = false;
  kernel_mask(context.uc_sigmask) = t_wait_mask.mask;
}

// The signal is blocked until the sample is there, as it would be in the program's handler. Where the queue is full,
// the kernel takes a signal without its information.
void send_later(int signal, siginfo_t& info, void* context) {
  return_to_wait_mask(signal, *static_cast<ucontext_t*>(context));
  const std::uint64_t blocked = bit_of(signal) | g_masks[signal].load();
  kernel_mask(static_cast<ucontext_t*>(context)->uc_sigmask) |= blocked;
  ::syscall(SYS_rt_sigprocmask, SIG_BLOCK, &blocked, nullptr, kKernelMaskBytes);
  if (g_flags[signal].load() & static_cast<int>(SA_RESETHAND)) restore_handler(signal);
  if (send_signal(::gettid(), info)) return;
  info.si_code = SI_USER;
  send_signal(::gettid(), info);
}

}  // namespace

void stand_before_handlers() {
  for (int signal = 1; signal < NSIG; ++signal) {
    KernelAction action;
    if (signal == kSampleSignal || !change_action(signal, nullptr, &action)) continue;
    if (!is_function(action.handler) || action.handler == tarry_stand_before_handler) continue;
    const int flags = static_cast<int>(action.flags);
    remember(signal, action.handler, flags, action.mask);
    action.mask = mask_with(flags, action.mask);
    if (is_held_up(signal)) action.handler = tarry_stand_before_handler, action.flags |= SA_SIGINFO;
    change_action(signal, &action, nullptr);
  }
}

struct sigaction stand_before(int signal, const struct sigaction& wanted) {
  struct sigaction ours = wanted;
  if (!is_signal(signal)) return ours;
  if (signal == kFullQueueSignal) ours = guard_full_queue(wanted);
  if (!is_function(wanted.sa_sigaction)) return ours;
  std::uint64_t& mask = kernel_mask(ours.sa_mask);
  remember(signal, wanted.sa_sigaction, wanted.sa_flags, mask);
  mask = mask_with(wanted.sa_flags, mask);
  if (!is_held_up(signal)) return ours;
  ours.sa_sigaction = tarry_stand_before_handler;
  ours.sa_flags |= SA_SIGINFO;
  return ours;
}

ProgramAction::ProgramAction(int signal)
    : signal_(is_signal(signal) ? signal : 0),
      handler_(tarry_program_handlers[signal_].load()),
      mask_(g_masks[signal_].load()),
      flags_(g_flags[signal_].load()) {}

void ProgramAction::correct(struct sigaction& told) const {
  if (is_full_queue_guard(told.sa_sigaction)) std::memset(&told, 0, sizeof told);
  if (told.sa_sigaction == tarry_stand_before_handler) {
    told.sa_sigaction = handler_;
    told.sa_flags = (told.sa_flags & ~SA_SIGINFO) | (flags_ & SA_SIGINFO);
  }
  if (!is_function(told.sa_sigaction) || told.sa_sigaction != handler_ || !(flags_ & SA_ONSTACK)) return;
  std::uint64_t& mask = kernel_mask(told.sa_mask);
  mask = (mask & ~kSampleBit) | (mask_ & kSampleBit);
}

void ask_for_information(int signal) {
  KernelAction action;
  if (!is_signal(signal) || !change_action(signal, nullptr, &action)) return;
  if (action.handler != tarry_stand_before_handler) return;
  remember(signal, tarry_program_handlers[signal].load(), static_cast<int>(action.flags), action.mask);
  action.flags |= SA_SIGINFO;
  change_action(signal, &action, nullptr);
}

void ProgramAction::restore() const { remember(signal_, handler_, flags_, mask_); }

}  // namespace tarry::measure

using namespace tarry::measure;

SignalHandler tarry_choose_handler(int signal, siginfo_t* info, void* context) {
  if (tarry_signal_state & kTakesSample || is_in_sample_handler(context)) {
    const int error = errno;
    send_later(signal, *info, context);
    errno = error;
    return nullptr;
  }
  return_to_program_mask(*static_cast<ucontext_t*>(context));
  if (tarry_signal_state & kIsNotMain) {
    const int error = errno;
    const bool is_sent = send_to_main_thread(*info);
    errno = error;
    if (is_sent) return nullptr;
  }
  return tarry_program_handlers[signal].load(std::memory_order_relaxed);
}
