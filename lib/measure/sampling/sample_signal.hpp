// sample_signal.hpp -- the signal of our timers: one that programs cannot block, handle or wait for.
//
// The C library keeps signal 33 (SIGSETXID) to itself: it sends it to all threads where the program changes its user.
// Its functions leave it out of every mask and refuse a handler for it. So a program that blocks, reads or handles all
// signals sees none of ours. What the C library sends is handed on to its own handler.
//
// Calls: handler-safe.
#pragma once

#include <csignal>
#include <cstdint>

#include "measure/core/signal_block.hpp"

namespace tarry::measure {

inline constexpr int kSampleSignal = 33;

/// A signal in a mask of the kernel.
constexpr std::uint64_t bit_of(int signal) { return std::uint64_t{1} << (signal - 1); }

/// The signals of the C library: the one that cancels a thread, and ours.
inline constexpr std::uint64_t kCancelBit = bit_of(32), kSampleBit = bit_of(kSampleSignal);

/// What the kernel reads and writes of a set of the C library, which has more bits.
inline std::uint64_t& kernel_mask(sigset_t& set) { return *reinterpret_cast<std::uint64_t*>(&set); }

using SignalHandler = void (*)(int, siginfo_t*, void*);

/// What a signal does, as the kernel keeps it.
struct KernelAction {
  SignalHandler handler = nullptr;
  unsigned long flags = 0;
  void (*restorer)() = nullptr;
  std::uint64_t mask = 0;
};

/// sigaction(), past everything that stands in front of it, and for all signals. False if the kernel refuses.
bool change_action(int signal, const KernelAction* action, KernelAction* before);

/// An action with a handler of ours, which blocks the signals of `mask` and needs nothing behind it.
KernelAction action_of_ours(SignalHandler handler, std::uint64_t mask);

/// Has our signal handled by tarry_take_sample(), for the whole process. Once more where the C library may have put its
/// own handler there: with the first thread that it starts. False if the kernel refuses.
/// Calls: may block.
bool handle_sample_signal();

/// Where a signal has interrupted the thread, which `context` (ucontext_t) tells. 0 where the machine is not known.
std::uintptr_t instruction_of(const void* context);

/// Whether a signal has interrupted the outermost part of that handler, in which no variable tells.
bool is_in_sample_handler(const void* context);

/// What the sample has interrupted: the ucontext_t of our handler, which another signal has interrupted in its turn.
void* sample_context(const void* context);

/// Sends a signal to a thread of this process, with that information. False if the kernel refuses.
bool send_signal(pid_t thread, const siginfo_t& info);

/// What the C library would do with its signal.
void hand_on_signal(int signal, siginfo_t* info, void* context);

/// In the calling thread, which may have inherited another mask.
/// Calls: may block.
void unblock_sample_signal();

}  // namespace tarry::measure

/// The signal has come.
extern "C" __attribute__((visibility("hidden"))) void tarry_take_sample(int signal, siginfo_t* info, void* context);
