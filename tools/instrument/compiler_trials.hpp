// compiler_trials.hpp -- which options a compiler takes: found out by compiling next to nothing, once per compiler.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tarry {

class CompilerTrials {
 public:
  /// `suffix` is that of the sources (".cu"), which decides what the compiler does with them.
  CompilerTrials(std::string compiler, std::string suffix);

  enum class Step { kCompile, kCompileHooks, kLink };

  /// The first of the choices that the compiler takes without a word; of kCompileHooks, one that puts the calls of
  /// functions in. None if it takes none. The first one if the compiler cannot even do without: then that is not our
  /// options' fault.
  std::optional<std::size_t> choose(const std::vector<std::vector<std::string>>& choices, Step step) const;

 private:
  bool takes(const std::vector<std::string>& options, Step step) const;
  char try_out(const std::vector<std::string>& options, Step step) const;
  std::string note_for(const std::vector<std::string>& options, Step step) const;

  std::string compiler_, suffix_;
  std::string identity_;                                        // differs if the compiler is another one
  mutable std::map<Step, std::optional<std::string>> without_;  // what it says without our options; none: it fails
};

}  // namespace tarry
