// other_mpi_entries.hpp -- entries of MPI functions in C++.
//
// The types of arguments are not known. All are integers or pointers, each in a register or a word of the stack. So
// more words than any function has arguments are handed on: those behind the last one are whatever lies there.
//
// Calls: may block.
#pragma once

#include <cstdint>

extern "C" __attribute__((visibility("hidden"))) void* tarry_mpi_targets[];

namespace tarry::measure::processor {

using Word = std::uintptr_t;
using MpiTarget = Word (*)(Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word,
                           Word);

}  // namespace tarry::measure::processor

#define TARRY_WORDS(X) X(a), X(b), X(c), X(d), X(e), X(f), X(g), X(h), X(i), X(j), X(k), X(l), X(m), X(n), X(o), X(p)
#define TARRY_WORD(name) tarry::measure::processor::Word name
#define TARRY_SAME(name) name

// The function has that symbol, and a name of its own: mpi_entries.cpp declares the symbol as it likes.
#define TARRY_HAND_ON(function, symbol, seen, target)                                               \
  __attribute__((used, visibility(seen)))                                                           \
  tarry::measure::processor::Word function(TARRY_WORDS(TARRY_WORD)) asm(symbol);                    \
  tarry::measure::processor::Word function(TARRY_WORDS(TARRY_WORD)) {                               \
    return reinterpret_cast<tarry::measure::processor::MpiTarget>(target)(TARRY_WORDS(TARRY_SAME)); \
  }
#define TARRY_ASSEMBLED_ENTRY(number, name)                                      \
  TARRY_HAND_ON(mpi_entry_##number, #name, "default", tarry_mpi_targets[number]) \
  TARRY_HAND_ON(choose_and_enter_##number, "tarry_choose_" #number, "hidden",    \
                tarry::measure::tarry_choose_mpi_target(number, __builtin_return_address(0)))
#define TARRY_CHOOSE_CODE
