// mpi_entries.cpp -- MPI_X as programs find them, for all ABIs: the types of arguments are not known here.
//
// An entry jumps to the address in its slot, so that all arguments stay where they are, and the return address is the
// program's. While the slot holds tarry_choose_N, all registers with arguments are saved, tarry_choose_mpi_target(N,
// return address) is called, and the jump goes to what it returns. No MPI function takes floating-point arguments.
#include "measure/dispatch/mpi_entries.hpp"

// TARRY_MPI_ENTRIES(ENTRY): ENTRY(number, name) for each function of any ABI, by name.
#include "abi/mpi_entry_list.hpp"

#if defined(__x86_64__)
#define TARRY_JUMP(number) "jmp *tarry_mpi_targets+8*" #number "(%rip)\n"
#define TARRY_CHOOSE(number) "movl $" #number ", %r11d\njmp tarry_choose\n"

#define TARRY_PUSH(name) "pushq %" #name "\n.cfi_adjust_cfa_offset 8\n"
#define TARRY_POP(name) "popq %" #name "\n.cfi_adjust_cfa_offset -8\n"
// clang-format off
#define TARRY_CHOOSE_TARGET                                                                                        \
  TARRY_PUSH(rdi) TARRY_PUSH(rsi) TARRY_PUSH(rdx) TARRY_PUSH(rcx) TARRY_PUSH(r8) TARRY_PUSH(r9) TARRY_PUSH(r9)     \
  "movl %r11d, %edi\nmovq 56(%rsp), %rsi\ncall tarry_choose_mpi_target\n"                                          \
  TARRY_POP(r9) TARRY_POP(r9) TARRY_POP(r8) TARRY_POP(rcx) TARRY_POP(rdx) TARRY_POP(rsi) TARRY_POP(rdi)            \
  "jmp *%rax\n"
// clang-format on

#elif defined(__aarch64__)
#define TARRY_JUMP(number)                 \
  "adrp x16, tarry_mpi_targets+8*" #number \
  "\n"                                     \
  "ldr x16, [x16, #:lo12:tarry_mpi_targets+8*" #number "]\nbr x16\n"
#define TARRY_CHOOSE(number) "mov w16, #" #number "\nb tarry_choose\n"

#define TARRY_CHOOSE_TARGET                                                                       \
  "stp x29, x30, [sp, #-80]!\n.cfi_def_cfa_offset 80\n.cfi_offset 29, -80\n.cfi_offset 30, -72\n" \
  "stp x0, x1, [sp, #16]\nstp x2, x3, [sp, #32]\nstp x4, x5, [sp, #48]\nstp x6, x7, [sp, #64]\n"  \
  "mov w0, w16\nmov x1, x30\nbl tarry_choose_mpi_target\nmov x16, x0\n"                           \
  "ldp x0, x1, [sp, #16]\nldp x2, x3, [sp, #32]\nldp x4, x5, [sp, #48]\nldp x6, x7, [sp, #64]\n"  \
  "ldp x29, x30, [sp], #80\n.cfi_restore 30\n.cfi_restore 29\n.cfi_def_cfa_offset 0\nbr x16\n"

#else
#error "the entries of MPI functions are written for x86-64 and AArch64"
#endif

#define TARRY_FUNCTION(name, code)                                                              \
  ".p2align 4\n.globl " #name "\n.type " #name ", %function\n" #name ":\n.cfi_startproc\n" code \
  ".cfi_endproc\n.size " #name ", . - " #name "\n"
#define TARRY_HIDDEN_FUNCTION(name, code) ".hidden " #name "\n" TARRY_FUNCTION(name, code)
#define TARRY_LISTED_ENTRY(number, name)                              \
  asm(".pushsection .text\n" TARRY_FUNCTION(name, TARRY_JUMP(number)) \
          TARRY_HIDDEN_FUNCTION(tarry_choose_##number, TARRY_CHOOSE(number)) ".popsection\n");
asm(".pushsection .text\n" TARRY_HIDDEN_FUNCTION(tarry_choose, TARRY_CHOOSE_TARGET) ".popsection\n");
TARRY_MPI_ENTRIES(TARRY_LISTED_ENTRY)

// The types that the assembler's symbols have here are not theirs: only addresses are taken.
#define TARRY_DECLARE(number, name)                            \
  extern "C" __attribute__((visibility("default"))) char name; \
  extern "C" __attribute__((visibility("hidden"))) char tarry_choose_##number;
TARRY_MPI_ENTRIES(TARRY_DECLARE)

#define TARRY_TARGET(number, name) &tarry_choose_##number,
extern "C" {
__attribute__((visibility("hidden"))) constinit void* tarry_mpi_targets[] = {TARRY_MPI_ENTRIES(TARRY_TARGET) nullptr};
}

namespace tarry::measure {
namespace {

#define TARRY_LIST(number, name) {#name, &name, &tarry_choose_##number},
constexpr MpiEntry kEntries[] = {TARRY_MPI_ENTRIES(TARRY_LIST){nullptr, nullptr, nullptr}};

}  // namespace

constinit const MpiEntry* const kMpiEntryList = kEntries;
constinit const std::size_t kMpiEntryCount = sizeof kEntries / sizeof kEntries[0] - 1;

void set_mpi_target(std::size_t number, void* target) {
  __atomic_store_n(&tarry_mpi_targets[number], target, __ATOMIC_RELAXED);
}

}  // namespace tarry::measure
