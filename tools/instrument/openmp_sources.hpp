// openmp_sources.hpp -- sources with OpenMP for compilers whose runtime does not report what it does, and sources with
// regions of POMP: OPARI2 instruments copies of them.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/files/temporary_file.hpp"
#include "compiler_command.hpp"

namespace tarry {

/// The instrumented copies that a command compiles; they go away with the object.
class OpenMpSources {
 public:
  /// Lets OPARI2 copy those sources of `command` that need it, and puts the copies in their place. A warning, and
  /// nothing else, if OPARI2 is not there or cannot read a source. `records_constructs`: OpenMP's, besides regions that
  /// the source marks. `only_prints`: the command is changed as if.
  static Result<OpenMpSources> make(CompilerCommand& command, bool records_constructs, bool only_prints);

  bool is_empty() const { return copies_.empty(); }

  /// Runs the command, which has the copies. A source whose copy does not compile, although it does itself, takes the
  /// place of its copy. Returns the compiler's status.
  int run(std::vector<std::string> words) const;

 private:
  struct Copy {
    std::string source, path;
  };

  Status make_folder();
  std::string path_of(const std::string& name) const;
  bool add(CompilerCommand& command, const std::string& source, bool records_constructs, bool only_prints);
  int run_trial(const std::vector<std::string>& words, const std::vector<std::string>& added) const;
  bool compiles(const std::vector<std::string>& words, const std::string& input) const;
  bool is_misread(const std::vector<std::string>& words, const Copy& copy) const;
  std::vector<std::string> without_misread(std::vector<std::string> words) const;
  std::vector<std::string> replace_broken(std::vector<std::string> words) const;
  void restore_dependencies(const std::vector<std::string>& words) const;

  TemporaryFolder folder_;
  std::vector<Copy> copies_;
};

}  // namespace tarry
