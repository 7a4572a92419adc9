// program_file.hpp -- what the file of a program tells of it before it runs.
#pragma once

#include <string>
#include <vector>

namespace tarry {

/// Which kinds of programs a library of ours can be loaded into.
enum class ProgramKind {
  kLoadable,  // or not known: the file cannot be read, or is no ELF file
  kStatic,    // without a dynamic linker
  k32Bit,
  kOtherProcessor,
  kMusl,  // uses musl, another C library
};

struct ProgramFile {
  ProgramKind kind = ProgramKind::kLoadable;
  std::vector<std::string> interpreter;  // of a script: the words of its first line, behind "#!"
  std::vector<std::string> libraries;    // that it names as those it needs
  bool has_other_rights = false;         // the kernel gives it more than the user has: setuid, setgid, capabilities
};

ProgramFile read_program_file(const std::string& path);

}  // namespace tarry
