// code_places.hpp -- functions of executables and shared libraries by their addresses: name, source file, line.
//
// From debug information and symbol tables, read by elfutils (libdw). That library is loaded when the first address is
// looked up: most processes that could ask never do.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tarry {

/// A function in the source.
struct CodePlace {
  std::string name;          // demangled; Fortran: "module::procedure"
  std::string mangled_name;  // of the linker
  std::string file;          // empty: not known
  std::uint32_t line = 0;    // 0: not known
};

/// A function that the compiler has put in the place of its call, and that place.
struct InlinedCall {
  CodePlace function;
  std::string call_file;
  std::uint32_t call_line = 0;
};

class CodePlaces {
 public:
  /// Asked where no debug information is found, by build ID: a descriptor, or -1. Never in a measured process.
  using AskServers = int (*)(std::span<const std::uint8_t> build_id);
  explicit CodePlaces(AskServers ask = nullptr);
  ~CodePlaces();
  CodePlaces(const CodePlaces&) = delete;
  CodePlaces& operator=(const CodePlaces&) = delete;

  /// The function that begins at `address` of the ELF file `path` (an address as it is in the file). What cannot be
  /// found out is empty; the name is then "FILE+0xADDRESS".
  CodePlace find(const std::string& path, std::uint64_t address);

  /// File and line of the code at `address` of the ELF file `path`; the line is 0 if they are not known.
  CodePlace find_line(const std::string& path, std::uint64_t address);

  /// File and line of the code at `address`. Code that a compiler has added has no line: then those of the nearest code
  /// before it that has one.
  CodePlace find_line_or_before(const std::string& path, std::uint64_t address);

  /// The inlined functions that the code at `address` of the ELF file `path` is in, the outermost first.
  std::vector<InlinedCall> find_inlined(const std::string& path, std::uint64_t address);

  /// What compilers say of the ELF file `path`: their names and options, each once, a few at most.
  std::vector<std::string> compilers(const std::string& path);

  /// False if libdw is not installed: then nothing is ever found.
  bool can_look_up();

 private:
  class Module;
  Module* open(const std::string& path);

  const AskServers ask_;
  std::map<std::string, std::unique_ptr<Module>> modules_;
};

/// A linker name without what compilers append to copies and parts of a function: .isra.0, .part.0, .cold and so on.
std::string without_clone_suffix(std::string name);

/// Readable name of a C++ function or a Fortran module procedure; any other name as it is.
std::string demangle(const std::string& name);

/// "module::procedure" of a Fortran procedure, by its linker name and its own; that may be the linker name, too.
std::string fortran_name(const std::string& mangled, const std::string& procedure);

/// "app+0x1139", for a function of which nothing else is known.
std::string address_name(const std::string& path, std::uint64_t address);
bool is_address_name(std::string_view name);

}  // namespace tarry
