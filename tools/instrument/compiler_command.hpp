// compiler_command.hpp -- what a compiler's command line asks for: which steps, which sources, which kind of output.
#pragma once

#include <string>
#include <vector>

namespace tarry {

enum class CompilerFamily { kGcc, kClang };

struct CompilerCommand {
  std::vector<std::string> words;  // as given: launchers (ccache), compiler, arguments
  std::size_t compiler = 0;        // index of the compiler in `words`
  std::vector<std::string> sources;
  bool compiles = false;           // there are sources to compile
  bool links = false;              // an executable or shared library comes out
  bool makes_library = false;      // -shared
  bool preprocesses_only = false;  // -E, -M
  bool is_static = false;          // -static, -static-pie
  bool has_debug_option = false;   // any -g
  bool uses_openmp = false;
};

/// Understands the options of gcc and clang that matter here. Arguments in response files (@FILE) are looked at, too.
CompilerCommand read_compiler_command(std::vector<std::string> words);

/// The first lines of what a compiler answers to an option.
const std::string& compiler_answer(const std::string& compiler, const std::string& option);

/// By the compiler's name; by the output of `COMPILER --version` where the name does not tell (mpicc, cc).
CompilerFamily family_of(const std::string& compiler);

/// "12.2.0", of GCC or a wrapper of it; empty if the compiler cannot be asked.
std::string gcc_version(const std::string& compiler);

}  // namespace tarry
