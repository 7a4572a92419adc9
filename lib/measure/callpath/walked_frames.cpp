// walked_frames.cpp -- which walks over a stack are kept.
#include "measure/callpath/walked_frames.hpp"

#include <algorithm>

namespace tarry::measure {

void WalkedFrames::keep(std::uint32_t changes, std::span<const StackFrame> frames, std::span<const StackWord> words) {
  const std::uint64_t key = key_of(frames.back().return_address, frames.back().stack);
  const std::size_t first = first_of(key);
  std::size_t way = first;
  while (way < first + kWays && keys_[way] != 0 && !(keys_[way] == key && walks_[way].overlaps(frames))) ++way;
  if (way == first + kWays) way = first + replaced_++ % kWays;
  keys_[way] = key;
  KeptWalk& walk = walks_[way];
  latest_ = &walk;
  walk.next = nullptr;
  walk.changes = changes;
  walk.size = static_cast<std::uint32_t>(frames.size());
  std::ranges::copy(frames, walk.frames);
  std::ranges::copy(words, walk.words);
}

void WalkedFrames::forget() {
  latest_ = nullptr;
  std::fill_n(keys_, kSets * kWays, 0);
}

}  // namespace tarry::measure
