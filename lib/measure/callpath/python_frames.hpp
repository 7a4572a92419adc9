// python_frames.hpp -- the Python functions that are open in a thread, read without the interpreter's lock.
//
// Only the thread itself changes its chain of frames, and an open frame keeps its code alive. So a thread may read its
// own chain at each call, also after it has given the lock away.
//
// Calls: handler-safe.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "measure/callpath/call_stack.hpp"
#include "measure/callpath/python_layout.hpp"

namespace tarry::measure {

/// One open Python function.
struct PythonFrame {
  std::uintptr_t code = 0;        // its code object
  std::uint64_t identity = 0;     // another function whose code comes to lie there has another one
  std::uintptr_t stack = 0;       // an address in the stack frame of the C function that runs it
  std::uint32_t instruction = 0;  // the latest one: bytes behind the begin of its code
};

/// What a code object tells of its function.
struct PythonFunction {
  std::string name;  // "Solver.step", before CPython 3.11 "step"; of what stands outside functions: "solver.py"
  std::string file;
  std::uint32_t line = 0;

  /// Part of the interpreter: what imports modules.
  bool is_internal() const { return file.starts_with("<frozen "); }
};

class PythonInterpreter {
 public:
  static constexpr std::size_t kFailed = ~std::size_t{0};

  /// Whether an interpreter's code lies at `address`, of any version.
  static bool is_at(const void* address);

  /// The one whose code lies at `address`. False if its version is not known.
  /// Calls: may block.
  bool open(const void* address);

  /// The frames of the calling thread, innermost first, as many as `out` holds. `stack`: that of the thread, outermost
  /// first. kFailed if the interpreter's structures are not as expected. `is_uncertain`: the thread has been
  /// interrupted and may be about to change them.
  std::size_t find_frames(std::span<const StackFrame> stack, std::span<PythonFrame> out, bool is_uncertain) const;

  /// The function of a code object that is open. `is_uncertain` as above; then it may be none after all.
  std::optional<PythonFunction> describe(std::uintptr_t code, bool is_uncertain) const;

  /// The file of an open code object and the line of one of its instructions; line 0: not known. May be asked for what
  /// is open no more.
  struct Line {
    std::string file;
    std::uint32_t line = 0;
  };
  Line find_line(std::uintptr_t code, std::uint32_t instruction) const;

 private:
  template <class Memory>
  class Walk;

  template <class Memory>
  std::optional<PythonFunction> describe_in(const Memory& memory, std::uintptr_t code) const;
  template <class Memory>
  bool read_text(const Memory& memory, std::uintptr_t string, std::string& text) const;

  using GetThreadState = void* (*)();
  using IsEnding = int (*)();

  /// The interpreter ends: it gives the states of threads back that are still there.
  bool is_ending() const { return is_ending_ && is_ending_(); }

  const PythonLayout* layout_ = nullptr;
  GetThreadState get_thread_state_ = nullptr;
  IsEnding is_ending_ = nullptr;
  std::uintptr_t code_type_ = 0;                 // the type of code objects
  std::uintptr_t evaluator_ = 0;                 // the C function that runs code
  mutable std::atomic<bool> is_proven_ = false;  // its structures are as expected
};

}  // namespace tarry::measure
