// run_compiler.hpp -- runs a compiler command so that what it builds can be recorded.
#pragma once

#include <string>
#include <vector>

#include "base/processes/run_process.hpp"
#include "base/result.hpp"

namespace tarry {

/// A compiler command, and how it is to be changed.
struct CompilerRun {
  bool only_prints = false;
  bool leaves_functions = false;
  bool records_inlined = false;
  std::string filter;
  std::vector<std::string> command;
};

/// Runs or prints the command, instrumented. Returns the exit status, the compiler's if it ran; may not return.
Result<int> run_compiler(const CompilerRun& options);

}  // namespace tarry
