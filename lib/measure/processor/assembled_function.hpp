// assembled_function.hpp -- functions that are written in assembler.
//
// Calls: handler-safe.
#pragma once

#define TARRY_FUNCTION(name, code)                                                              \
  ".p2align 4\n.globl " #name "\n.type " #name ", %function\n" #name ":\n.cfi_startproc\n" code \
  ".cfi_endproc\n.size " #name ", . - " #name "\n"
#define TARRY_HIDDEN_FUNCTION(name, code) ".hidden " #name "\n" TARRY_FUNCTION(name, code)

// Of the entries of MPI functions.
#define TARRY_ASSEMBLED_ENTRY(number, name)                           \
  asm(".pushsection .text\n" TARRY_FUNCTION(name, TARRY_JUMP(number)) \
          TARRY_HIDDEN_FUNCTION(tarry_choose_##number, TARRY_CHOOSE(number)) ".popsection\n");
#define TARRY_CHOOSE_CODE \
  asm(".pushsection .text\n" TARRY_HIDDEN_FUNCTION(tarry_choose, TARRY_CHOOSE_TARGET) ".popsection\n");
