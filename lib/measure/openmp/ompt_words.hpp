// ompt_words.hpp -- two tools share the word that the OpenMP runtime keeps for each parallel region and task.
//
// Only where there is another tool (measure/openmp/other_omp_tool.hpp). The runtime's word then leads to two words, and
// each tool is given the address of its own.
//
// Calls: may block.
#pragma once

#include "measure/openmp/ompt_abi.hpp"

namespace tarry::measure {

/// The words of a region or task that begins, before any tool is told. Both are 0.
void begin_words(ompt::Data& word);

/// When all tools have been told of its end.
void end_words(ompt::Data& word);

/// Where our tool, and the other one, keep their words of a region or task.
ompt::Parallel* our_word(ompt::Parallel* word);
ompt::Task* our_word(ompt::Task* word);
ompt::Parallel* their_word(ompt::Parallel* word);
ompt::Task* their_word(ompt::Task* word);

/// Other arguments of a callback are the same for both tools.
template <class Argument>
Argument our_word(Argument argument) {
  return argument;
}
template <class Argument>
Argument their_word(Argument argument) {
  return argument;
}

}  // namespace tarry::measure
