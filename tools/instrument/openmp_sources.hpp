// openmp_sources.hpp -- sources with OpenMP for compilers whose runtime does not report what it does: OPARI2
// instruments copies of them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "compiler_command.hpp"

namespace tarry {

/// The instrumented copies that a command compiles; they go away with the object.
class OpenMpSources {
 public:
  OpenMpSources() = default;
  OpenMpSources(OpenMpSources&& other) noexcept : folder_(std::exchange(other.folder_, {})) {}
  OpenMpSources& operator=(OpenMpSources&& other) noexcept {
    std::swap(folder_, other.folder_);
    return *this;
  }
  ~OpenMpSources();

  /// Lets OPARI2 copy the sources of `command` and puts the copies in their place. A warning, and nothing else, if
  /// OPARI2 is not there or cannot read a source. `only_prints`: the command is changed as if.
  static Result<OpenMpSources> make(CompilerCommand& command, bool only_prints);

  bool is_empty() const { return folder_.empty(); }

 private:
  std::string folder_;
};

/// Runs a command to its end; its status, as a shell has it.
int run_command(const std::vector<std::string>& words);

}  // namespace tarry
