// processor.hpp -- what the recorder has to know of the processor: one folder for each, behind this header.
//
// Each folder defines the same names in the namespace `processor`:
//
//   X_counter.hpp      the counter of time stamps, steps that no signal divides, the C library's oldest version
//   X_registers.hpp    numbers of registers, and what is where when a signal has interrupted a thread
//   X_calls.hpp        where a function was called from, and which instructions call
//   X_mpi_entries.hpp  the code of the entries of MPI functions, for mpi_entry_code.hpp
//   *.cpp              the rest of this header; functions that programs or the kernel call and that jump on
//
// `other` is for processors of which nothing is known: without call paths and samples, by the clock of the kernel.
//
// Calls: handler-safe.
#pragma once

#include <csetjmp>
#include <cstdint>

#if defined(__x86_64__)
#include "measure/processor/x86_64/x86_64_calls.hpp"
#include "measure/processor/x86_64/x86_64_counter.hpp"
#include "measure/processor/x86_64/x86_64_registers.hpp"
#elif defined(__aarch64__)
#include "measure/processor/aarch64/aarch64_calls.hpp"
#include "measure/processor/aarch64/aarch64_counter.hpp"
#include "measure/processor/aarch64/aarch64_registers.hpp"
#else
#include "measure/processor/other/other_calls.hpp"
#include "measure/processor/other/other_counter.hpp"
#include "measure/processor/other/other_registers.hpp"
#endif

namespace tarry::measure::processor {

/// Whether the counter runs at one rate on all cores.
/// Calls: may block.
bool has_steady_counter();

/// The stack pointer at which longjmp() goes on; 0: it cannot be read.
std::uintptr_t stack_of_jump(const __jmp_buf_tag* target);

}  // namespace tarry::measure::processor
