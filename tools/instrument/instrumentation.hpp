// instrumentation.hpp -- what is added to a compiler's command line so that the program can be recorded.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "compiler_command.hpp"
#include "defs/region_filter.hpp"

namespace tarry {

/// The parts of this installation that instrumented programs need.
struct Installation {
  std::string library;         // path of libtarry-mpi.so
  std::string include_folder;  // holds tarry/user.h
  std::string gcc_plugin;      // of that compiler; filters functions as they are compiled; empty: there is none
};

/// Looked for beside this executable, installed or in a build tree.
Result<Installation> find_installation();

/// The plug-in for a version of GCC; empty if there is none.
std::string find_gcc_plugin(const Installation& installation, const std::string& version);

struct InstrumentOptions {
  bool records_functions = true;  // false: only what the program marks with tarry/user.h
  bool records_inlined = false;   // clang: functions that are inlined, too
  RegionFilter filter;
  std::string filter_path;  // of `filter`; empty: none
};

/// The command with what it takes to record the program. Options of the user come behind ours and so win. No option
/// changes how the program is optimised.
std::vector<std::string> instrument(const CompilerCommand& command, CompilerFamily family,
                                    const Installation& installation, const InstrumentOptions& options);

/// What the user should know about this command; empty if nothing.
std::string warning_about(const CompilerCommand& command);

}  // namespace tarry
