// calling_code.hpp -- tells calls of the program from those of the libraries that run it.
//
// Calls: handler-safe.
#pragma once

#include <cstdint>
#include <optional>

namespace tarry::measure {

enum class CallingCode : unsigned char {
  kProgram,     // the program and libraries of its own
  kCxxLibrary,  // C++'s: threads and conditions are the program's, locks are the library's own
  kPython,      // the interpreter: threads are the program's; with the rest it takes turns
  kOpenMp,      // OpenMP runtimes: threads run the program's code
  kFortran,     // Fortran's library: files are the program's
  kRuntime,     // MPI and language runtimes, the C library, the recorder
};

/// OpenMP has devices: libraries of compilers are parts of their drivers.
void note_omp_devices();

/// What lies at `address`. Takes no lock and allocates nothing.
CallingCode calling_code(const void* address);

/// The same for a function on a stack: what is known of its object has to be forgotten when that is unloaded.
CallingCode calling_code_on_stack(const void* address);

/// The addresses of the program or of a library.
struct CodeRange {
  std::uintptr_t begin, end;
};

/// Looks on from object number `at`, and counts it on, for one that calling_code_on_stack() has seen and that is
/// unloaded now. Nothing: there is none.
std::optional<CodeRange> forget_unloaded_object(unsigned& at);

}  // namespace tarry::measure
