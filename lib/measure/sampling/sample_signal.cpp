// sample_signal.cpp -- handles a signal that the C library keeps to itself.
#include "measure/sampling/sample_signal.hpp"

#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>

#include "measure/core/signal_mask.hpp"

// What the newest sample of the thread has interrupted, as the kernel keeps it.
extern "C" {
__thread void* tarry_sample_context __attribute__((visibility("hidden"), tls_model("initial-exec"))) = nullptr;
}

#if defined(__x86_64__)
// What the kernel calls, and what that returns to. A signal may interrupt it anywhere: where the variable does not
// tell, the interrupted instruction does. Unwinders and debuggers know the end of a handler by its instructions. They
// look one byte further in front.
extern "C" __attribute__((visibility("hidden"))) void tarry_sample_handler(int signal, siginfo_t* info, void* context);
extern "C" __attribute__((visibility("hidden"))) void tarry_return_from_sample();
extern "C" __attribute__((visibility("hidden"))) const char tarry_sample_context_kept[];
extern "C" __attribute__((visibility("hidden"))) const char tarry_sample_handler_end[];
asm(".pushsection .text\n"
    ".p2align 4\n"
    ".globl tarry_sample_handler, tarry_sample_context_kept, tarry_return_from_sample, tarry_sample_handler_end\n"
    ".hidden tarry_sample_handler, tarry_sample_context_kept, tarry_return_from_sample, tarry_sample_handler_end\n"
    ".type tarry_sample_handler, @function\n"
    ".type tarry_return_from_sample, @function\n"
    "tarry_sample_handler:\n"
    "  .cfi_startproc\n"
    "  movq tarry_sample_context@gottpoff(%rip), %rax\n"
    "  movq %rdx, %fs:(%rax)\n"
    "tarry_sample_context_kept:\n"
    "  movq tarry_signal_state@gottpoff(%rip), %rax\n"
    "  orb $1, %fs:(%rax)\n"
    "  subq $8, %rsp\n"
    "  .cfi_def_cfa_offset 16\n"
    "  call tarry_take_sample\n"
    "  addq $8, %rsp\n"
    "  .cfi_def_cfa_offset 8\n"
    "  movq tarry_signal_state@gottpoff(%rip), %rax\n"
    "  andb $~1, %fs:(%rax)\n"
    "  ret\n"
    "  .cfi_endproc\n"
    "  nop\n"
    "tarry_return_from_sample:\n"
    "  movq $15, %rax\n"
    "  syscall\n"
    "tarry_sample_handler_end:\n"
    ".size tarry_sample_handler, tarry_return_from_sample - tarry_sample_handler\n"
    ".size tarry_return_from_sample, .-tarry_return_from_sample\n"
    ".popsection\n");

extern "C" __attribute__((visibility("hidden"))) void tarry_call_on_stack(void (*function)(void*), void* argument,
                                                                          void* top);
asm(".pushsection .text\n"
    ".globl tarry_call_on_stack\n"
    ".hidden tarry_call_on_stack\n"
    ".type tarry_call_on_stack, @function\n"
    "tarry_call_on_stack:\n"
    "  .cfi_startproc\n"
    "  pushq %rbp\n"
    "  .cfi_def_cfa_offset 16\n"
    "  .cfi_offset %rbp, -16\n"
    "  movq %rsp, %rbp\n"
    "  .cfi_def_cfa_register %rbp\n"
    "  movq %rdx, %rsp\n"
    "  movq %rdi, %rax\n"
    "  movq %rsi, %rdi\n"
    "  callq *%rax\n"
    "  leave\n"
    "  .cfi_def_cfa %rsp, 8\n"
    "  ret\n"
    "  .cfi_endproc\n"
    ".size tarry_call_on_stack, .-tarry_call_on_stack\n"
    ".popsection\n");
#else
static void tarry_sample_handler(int signal, siginfo_t* info, void* context) {
  tarry_sample_context = context;
  tarry_signal_state |= kTakesSample;
  tarry_take_sample(signal, info, context);
  tarry_signal_state &= static_cast<unsigned char>(~kTakesSample);
}
#endif

namespace tarry::measure {
namespace {

std::atomic<SignalHandler> g_of_c_library = nullptr;

#if defined(__x86_64__)
constexpr unsigned long kHasRestorer = 0x04000000;

template <class Code>
std::uintptr_t address_of(Code* code) {
  return reinterpret_cast<std::uintptr_t>(code);
}
#endif

}  // namespace

bool change_action(int signal, const KernelAction* action, KernelAction* before) {
  return ::syscall(SYS_rt_sigaction, signal, action, before, kKernelMaskBytes) == 0;
}

KernelAction action_of_ours(SignalHandler handler, std::uint64_t mask) {
  KernelAction action{.handler = handler, .flags = SA_SIGINFO | SA_RESTART, .mask = mask};
#if defined(__x86_64__)
  action.flags |= kHasRestorer;
  action.restorer = tarry_return_from_sample;
#endif
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

std::uintptr_t instruction_of([[maybe_unused]] const void* context) {
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#else
  return 0;
#endif
}

bool is_in_sample_handler([[maybe_unused]] const void* context) {
#if defined(__x86_64__)
  const std::uintptr_t at = instruction_of(context);
  return at >= address_of(tarry_sample_handler) && at < address_of(tarry_sample_handler_end);
#else
  return false;
#endif
}

void* sample_context([[maybe_unused]] const void* context) {
#if defined(__x86_64__)
  const std::uintptr_t at = instruction_of(context);
  if (at >= address_of(tarry_sample_handler) && at < address_of(tarry_sample_context_kept))
    return reinterpret_cast<void*>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RDX]);
#endif
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

void call_on_stack(void (*function)(void*), void* argument, [[maybe_unused]] void* top) {
#if defined(__x86_64__)
  tarry_call_on_stack(function, argument, top);
#else
  function(argument);
#endif
}

}  // namespace tarry::measure
