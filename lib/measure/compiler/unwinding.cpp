// unwinding.cpp -- functions that end without their exit hook: longjmp, and exceptions where the compiler calls none.
//
// A program finds longjmp and __cxa_begin_catch here first. Both know the stack pointer at which the program goes on:
// all frames below it are gone, and their leaves are recorded before it does.
//
// The C++ runtime may be there for some libraries only: a program in C or Python has opened them with RTLD_LOCAL. Then
// each caller finds its own.
#include <csetjmp>

#include "base/processes/next_function.hpp"
#include "measure/callpath/call_path.hpp"
#include "measure/callpath/gone_frames.hpp"
#include "measure/compiler/function_recorder.hpp"
#include "measure/core/loaded_object.hpp"
#include "measure/processor/processor.hpp"

#define TARRY_UNWINDING_HOOK extern "C" __attribute__((visibility("default")))

// <csetjmp> declares the jumps as functions that throw nothing. A thread may be cancelled in these, which unwinds them.
TARRY_UNWINDING_HOOK [[noreturn]] void hooked_longjmp(__jmp_buf_tag* target, int value) __asm__("longjmp");
TARRY_UNWINDING_HOOK [[noreturn]] void hooked_longjmp_without_mask(__jmp_buf_tag* target,
                                                                   int value) __asm__("_longjmp");
TARRY_UNWINDING_HOOK [[noreturn]] void hooked_siglongjmp(__jmp_buf_tag* target, int value) __asm__("siglongjmp");

namespace tarry::measure {
namespace {

using Jump = void (*)(__jmp_buf_tag*, int);
Jump g_longjmp = nullptr, g_longjmp_without_mask = nullptr, g_siglongjmp = nullptr, g_longjmp_checked = nullptr;

// A handler of signals may jump.
__attribute__((constructor)) void find_real_jumps() {
  next_function(g_longjmp, "longjmp");
  next_function(g_longjmp_without_mask, "_longjmp");
  next_function(g_siglongjmp, "siglongjmp");
  next_function(g_longjmp_checked, "__longjmp_chk");
}

[[noreturn]] void jump(Jump& real, const char* name, __jmp_buf_tag* target, int value) {
  close_frames_below(processor::stack_of_jump(target));
  next_function(real, name)(target, value);
  __builtin_unreachable();
}

using Catch = void* (*)(void*);
Catch g_begin_catch = nullptr;  // nullptr: neither the program nor a library of all has it

__attribute__((constructor)) void find_real_catch() { g_begin_catch = next_function<Catch>("__cxa_begin_catch"); }

// Of the latest object that has caught an exception in this thread.
struct RuntimeOfCaller {
  CallerDefinition of;
  std::uint32_t closed = 0;  // libraries until then
};
__thread RuntimeOfCaller t_runtime __attribute__((tls_model("initial-exec")));

Catch catch_of(const void* caller) {
  if (g_begin_catch) return g_begin_catch;
  const auto at = reinterpret_cast<std::uintptr_t>(caller);
  const std::uint32_t closed = closed_libraries();
  if (at - t_runtime.of.begin >= t_runtime.of.end - t_runtime.of.begin || t_runtime.closed != closed)
    t_runtime = {find_for_caller(caller, "__cxa_begin_catch"), closed};
  return reinterpret_cast<Catch>(t_runtime.of.address);
}

}  // namespace
}  // namespace tarry::measure

void hooked_longjmp(__jmp_buf_tag* target, int value) {
  tarry::measure::jump(tarry::measure::g_longjmp, "longjmp", target, value);
}

void hooked_longjmp_without_mask(__jmp_buf_tag* target, int value) {
  tarry::measure::jump(tarry::measure::g_longjmp_without_mask, "_longjmp", target, value);
}

void hooked_siglongjmp(__jmp_buf_tag* target, int value) {
  tarry::measure::jump(tarry::measure::g_siglongjmp, "siglongjmp", target, value);
}

// What longjmp is in programs compiled with -D_FORTIFY_SOURCE.
TARRY_UNWINDING_HOOK [[noreturn]] void __longjmp_chk(__jmp_buf_tag* target, int value) {
  tarry::measure::jump(tarry::measure::g_longjmp_checked, "__longjmp_chk", target, value);
}

// Called by the function that catches, at the beginning of the handler.
TARRY_UNWINDING_HOOK void* __cxa_begin_catch(void* exception) {
  tarry::measure::close_frames_below(reinterpret_cast<std::uintptr_t>(__builtin_dwarf_cfa()));
  return tarry::measure::catch_of(__builtin_return_address(0))(exception);
}
