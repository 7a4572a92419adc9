// sampler.cpp -- the handler of our timers' signal.
//
// Samples are lost, and counted, in these cases:
//  * The thread is in the recorder at that moment.
//  * Another thread holds a lock that the step needs.
//  * A block of events is full and cannot be exchanged.
//  * The stack cannot be unwound.
//  * A signal comes while the one before is still waiting.
#include "measure/sampling/sampler.hpp"

#include <dlfcn.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "measure/callpath/call_path.hpp"
#include "measure/callpath/function_regions.hpp"
#include "measure/core/memory.hpp"
#include "measure/core/runtime.hpp"
#include "measure/core/say.hpp"
#include "measure/core/signal_block.hpp"

namespace tarry::measure {

__thread bool t_blocks_sample_signal __attribute__((tls_model("initial-exec"))) = false;

namespace {

constexpr std::size_t kRecordsOfVisit = 8;   // at most, when a coalesced visit is closed
constexpr Ticks kLongestSample = 1'000'000;  // what takes longer was interrupted

std::atomic<int> g_signal = 0;
std::uintptr_t g_own_begin = 0, g_own_end = 0;  // this library's code and data

Registers registers_of(const void* context) {
#if defined(__x86_64__)
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
  return {.return_address = static_cast<std::uintptr_t>(registers[REG_RIP]) + 1,
          .stack = static_cast<std::uintptr_t>(registers[REG_RSP]),
          .base = static_cast<std::uintptr_t>(registers[REG_RBP]),
          .is_interrupted = true};
#else
  static_cast<void>(context);
  return {};
#endif
}

std::uintptr_t instruction_of(const void* context) { return registers_of(context).return_address - 1; }

bool is_in_this_library(std::uintptr_t instruction) { return instruction - g_own_begin < g_own_end - g_own_begin; }

// The instruction before is the one that enters the kernel.
bool is_behind_system_call(std::uintptr_t instruction) {
  constexpr std::uintptr_t kPage = 4096;
  constexpr std::uint8_t kSyscall[] = {0x0f, 0x05};
  if (instruction % kPage < sizeof kSyscall) return false;  // the page before may not be there
  return std::memcmp(reinterpret_cast<const void*>(instruction - sizeof kSyscall), kSyscall, sizeof kSyscall) == 0;
}

// A call of MPI is open, also one of a coalesced visit.
bool is_in_recorded_call(const Thread& thread) {
  return thread.frames.is_any_call_on_top() ||
         (thread.gate.has_coalesced_visit() && __atomic_load_n(&kCoalesced.of(thread)->sum, __ATOMIC_RELAXED) < 0);
}

void set_default(int signal) {
  struct KernelAction {
    void (*handler)(int);
    unsigned long flags;
    void (*restorer)();
    unsigned long mask;
  } action = {SIG_DFL, 0, nullptr, 0};
  ::syscall(SYS_rt_sigaction, signal, &action, nullptr, kKernelMaskBytes);
}

// Somebody else has sent the signal. It does what it would do without us: ends the process when the handler returns.
void do_as_without_us(int signal) {
  set_default(signal);
  ::syscall(SYS_tgkill, ::getpid(), ::syscall(SYS_gettid), signal);
}

void on_sample(int signal, siginfo_t* info, void* context) {
  const CancelBlock no_cancel;
  const int error = errno;
  if (SampleTimer::source_of(*info) == SampleTimer::Source::kOther) do_as_without_us(signal);
  else if (Thread* const thread = t_thread; thread && kSampler.of(*thread))
    kSampler.of(*thread)->take(*thread, *info, context);
  errno = error;
}

using ChangeAction = int (*)(int, const struct sigaction*, struct sigaction*);

ChangeAction real_sigaction() {
  static const auto real = reinterpret_cast<ChangeAction>(::dlsym(RTLD_NEXT, "sigaction"));
  return real;
}

bool is_free(int signal) {
  struct sigaction there;
  return real_sigaction()(signal, nullptr, &there) == 0 && !(there.sa_flags & SA_SIGINFO) &&
         there.sa_handler == SIG_DFL;
}

// The highest ones are those that programs use least. 0: there is none.
int find_free_signal(int below) {
  for (int signal = below - 1; signal > SIGRTMIN; --signal)
    if (is_free(signal)) return signal;
  return 0;
}

// Signals of the program wait until the handler returns: they might never come back into it.
void handle(int signal) {
  struct sigaction action;
  std::memset(&action, 0, sizeof action);
  action.sa_sigaction = on_sample;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  ::sigfillset(&action.sa_mask);
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT}) ::sigdelset(&action.sa_mask, fault);
  real_sigaction()(signal, &action, nullptr);
}

void find_this_library() {
#ifdef DLFO_STRUCT_HAS_EH_DBASE
  dl_find_object found;
  if (::_dl_find_object(reinterpret_cast<void*>(&find_this_library), &found) != 0) return;
  g_own_begin = reinterpret_cast<std::uintptr_t>(found.dlfo_map_start);
  g_own_end = reinterpret_cast<std::uintptr_t>(found.dlfo_map_end);
#endif
}

// The signal of samples is another one; 0: there is none any more.
void restart_samplers(int signal) {
  visit_threads([signal](Thread& thread) {
    ThreadSampler* const sampler = kSampler.of(thread);
    if (!sampler || thread.is_finished) return;
    if (signal) sampler->timer().restart(signal);
    else sampler->timer().stop();
  });
}

// Of a thread that is new, or that has inherited another mask.
void unblock(int signal) {
  sigset_t ours, before;
  ::sigemptyset(&ours);
  ::sigemptyset(&before);
  ::sigaddset(&ours, signal);
  set_signal_mask(SIG_UNBLOCK, &ours, &before);
}

}  // namespace

int sample_signal() { return g_signal.load(std::memory_order_relaxed); }

bool prepare_sampling() {
  if (!prepare_handler_memory()) return false;
  find_this_library();
  prepare_for_handlers();
  const int signal = find_free_signal(SIGRTMAX);
  if (!signal) return false;
  handle(signal);
  g_signal.store(signal);
  return true;
}

void leave_signal_to_program(int signal) {
  int expected = signal;
  const int next = find_free_signal(signal);
  if (next) handle(next);
  if (!g_signal.compare_exchange_strong(expected, next)) return;
  restart_samplers(next);
  set_default(signal);
  if (!next) say("the program uses all signals: no more samples are taken");
}

ThreadSampler* ThreadSampler::start(const Settings& settings) {
  const int signal = sample_signal();
  if (!signal) return nullptr;
  auto* const sampler = new ThreadSampler;
  sampler->keeps_inside_ = settings.samples_inside;
  unblock(signal);
  if (sampler->timer_.start(signal, settings.sample_rate)) return sampler;
  delete sampler;
  return nullptr;
}

// Where an event counts the program's own code, the timer serves the system calls.
bool ThreadSampler::is_wanted(SampleTimer::Source source, const void* context) const {
  return source == SampleTimer::Source::kEvent || !timer_.has_event() || is_behind_system_call(instruction_of(context));
}

void ThreadSampler::take(Thread& thread, const siginfo_t& info, const void* context) {
  const SampleTimer::Source source = SampleTimer::source_of(info);
  if (thread.gate.is_closed() || thread.gate.is_paused() || !is_wanted(source, context)) return;
  if (source == SampleTimer::Source::kTimer && !timer_.has_event() && info.si_overrun > 0)
    counts_.lost += static_cast<std::uint64_t>(info.si_overrun);
  const Ticks time = now();
  if (thread.gate.is_busy() || is_in_this_library(instruction_of(context))) ++counts_.lost;
  else if (!keeps_inside_ && is_in_recorded_call(thread)) ++counts_.inside_calls;
  else if (record(thread, context, time)) ++counts_.taken;
  else ++counts_.lost;
  counts_.ticks += std::min(now() - time, kLongestSample);
}

bool ThreadSampler::record(Thread& thread, const void* context, Ticks time) {
  const InHandler here;
  if (!InHandler::has_memory()) return false;
  if (thread.gate.has_coalesced_visit()) {
    if (thread.traces && !thread.events.has_room_for(kRecordsOfVisit, time)) return false;
    end_coalesced_visit(thread);
  }
  const Guard guard(thread.gate);
  return guard && kCallPath.of(thread)->sample(thread, registers_of(context), time);
}

}  // namespace tarry::measure
