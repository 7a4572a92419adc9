// sample_signal.cpp -- handles a signal that the C library keeps to itself.
#include "measure/sampling/sample_signal.hpp"

#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>

#include "measure/core/signal_mask.hpp"
#include "measure/processor/handler_entries.hpp"
#include "measure/processor/processor.hpp"

// What the newest sample of the thread has interrupted, as the kernel keeps it.
extern "C" {
__thread void* tarry_sample_context __attribute__((visibility("hidden"), tls_model("initial-exec"))) = nullptr;
}

namespace tarry::measure {
namespace {

std::atomic<SignalHandler> g_of_c_library = nullptr;

template <class Code>
std::uintptr_t address_of(Code* code) {
  return reinterpret_cast<std::uintptr_t>(code);
}

}  // namespace

bool change_action(int signal, const KernelAction* action, KernelAction* before) {
  return ::syscall(SYS_rt_sigaction, signal, action, before, kKernelMaskBytes) == 0;
}

KernelAction action_of_ours(SignalHandler handler, std::uint64_t mask) {
  KernelAction action{.handler = handler, .flags = SA_SIGINFO | SA_RESTART, .mask = mask};
  action.flags |= processor::kHasRestorer;
  action.restorer = tarry_return_from_sigaction;
  return action;
}

bool handle_sample_signal() {
  if (g_of_c_library.load(std::memory_order_relaxed)) return true;  // it has put its own there once
  KernelAction there;
  if (!change_action(kSampleSignal, nullptr, &there)) return false;
  if (there.handler == tarry_sample_handler) return true;
  if (reinterpret_cast<std::uintptr_t>(there.handler) > 1) g_of_c_library.store(there.handler);
  const KernelAction ours = action_of_ours(tarry_sample_handler, kCancelBit);
  return change_action(kSampleSignal, &ours, nullptr);
}

std::uintptr_t instruction_of(const void* context) {
  return processor::instruction_of(*static_cast<const ucontext_t*>(context));
}

bool is_in_sample_handler(const void* context) {
  const std::uintptr_t at = instruction_of(context);
  return at >= address_of(tarry_sample_handler) && at < address_of(tarry_sample_handler_end);
}

void* sample_context(const void* context) {
  const std::uintptr_t at = instruction_of(context);
  if (at >= address_of(tarry_sample_handler) && at < address_of(tarry_sample_context_kept))
    return reinterpret_cast<void*>(processor::third_argument_of(*static_cast<const ucontext_t*>(context)));
  return tarry_sample_context;
}

bool send_signal(pid_t thread, const siginfo_t& info) {
  return ::syscall(SYS_rt_tgsigqueueinfo, ::getpid(), thread, info.si_signo, &info) == 0;
}

void hand_on_signal(int signal, siginfo_t* info, void* context) {
  if (const SignalHandler handler = g_of_c_library.load()) handler(signal, info, context);
}

void unblock_sample_signal() {
  const std::uint64_t ours = kSampleBit;
  ::syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, &ours, nullptr, kKernelMaskBytes);
}

}  // namespace tarry::measure
