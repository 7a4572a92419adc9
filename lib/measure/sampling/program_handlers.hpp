// program_handlers.hpp -- the program's signal handlers, which must not run while a sample is taken.
//
// The program would notice blocked signals: where the main thread has a signal of the process blocked, the kernel gives
// it to another thread. So signals stay as they are. What the kernel calls is a small function of ours, which goes on
// with the program's handler. If the signal has interrupted the taking of a sample, the function sends it again as it
// came. Then the handler is called when the sample is there. It sees the program, and may do what it likes: jump out,
// change the context, end the thread.
//
// Handlers of faults are called as they are.
//
// Calls: handler-safe.
#pragma once

#include <csignal>
#include <cstddef>
#include <cstdint>

#include "measure/sampling/sample_signal.hpp"

namespace tarry::measure {

/// Goes in front of all handlers that the program has.
void stand_before_handlers();

/// What is to be installed where the program wants that action.
struct sigaction stand_before(int signal, const struct sigaction& wanted);

/// The C library has installed a handler without asking for information about its signals.
void ask_for_information(int signal);

/// Where the program asks what is installed.
class ProgramAction {
 public:
  /// Before the change that tells it.
  explicit ProgramAction(int signal);

  /// What the program has installed, where `told` is the kernel's answer.
  void correct(struct sigaction& told) const;

  /// The change has failed.
  void restore() const;

 private:
  int signal_;
  SignalHandler handler_;
  std::uint64_t mask_;
  int flags_;
};

}  // namespace tarry::measure
