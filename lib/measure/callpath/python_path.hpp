// python_path.hpp -- the Python functions that a thread has open, each in the C frame that runs it.
//
// Calls: handler-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "measure/callpath/python_frames.hpp"

namespace tarry::measure {

/// What a function in the interpreter's code, or in what belongs to it, means to the path.
enum class PythonRole : std::uint8_t {
  kFollowed,            // part of the interpreter whose functions are followed
  kUnknownInterpreter,  // of a version that is not known: its functions are like others
  kUncertain,           // a signal handler cannot tell
};

/// Asked for each function of that kind once. Looks for the interpreter the first time.
PythonRole python_role_of(std::uintptr_t function);

/// Looks for an interpreter among all that is loaded: signal handlers cannot.
/// Calls: may block.
void find_python();

/// The interpreter of this process; nullptr as long as none has been found.
const PythonInterpreter* followed_python();

/// It may have been unloaded with the code between two addresses.
void forget_python(std::uintptr_t begin, std::uintptr_t end);

class PythonPath {
 public:
  static constexpr std::size_t kFailed = PythonInterpreter::kFailed;

  /// Takes memory for `limit` functions. False if there is none.
  bool open(const PythonInterpreter& python, std::size_t limit);

  /// Looks at the calling thread, whose stack is `stack`, outermost first. Of that, the first `kept` frames are as at
  /// the last look. Returns how many of these run the same Python functions, too.
  /// kFailed if that cannot be told: a signal may interrupt the interpreter while it enters a function. `is_uncertain`:
  /// that may be so.
  std::size_t update(std::span<const StackFrame> stack, std::size_t kept, bool is_uncertain);

  /// Whether the innermost of the functions that the latest look found again is at another instruction.
  bool has_moved() const { return has_moved_; }

  /// How many there are.
  std::size_t size() const { return size_; }

  /// The next update() finds all anew.
  void forget() { size_ = 0; }

  struct Function {
    std::uintptr_t key = 0;         // of the function; no address
    std::uintptr_t code = 0;        // its code object
    std::size_t frame = 0;          // of the stack
    std::uint32_t instruction = 0;  // as in PythonFrame
  };

  /// The functions that a frame of the stack runs, outermost first.
  std::span<const Function> in(std::size_t frame) const;

 private:
  std::size_t count_same(std::size_t new_size) const;

  const PythonInterpreter* python_ = nullptr;
  PythonFrame* found_ = nullptr;   // innermost first, during a look
  Function* functions_ = nullptr;  // outermost first
  Function* latest_ = nullptr;     // those of the look before, during a look
  bool has_moved_ = false;
  std::size_t size_ = 0;
  std::size_t limit_ = 0;
};

}  // namespace tarry::measure
