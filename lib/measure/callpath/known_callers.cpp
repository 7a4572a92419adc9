// known_callers.cpp -- keeps what walks have found around calls of functions with hooks.
#include "measure/callpath/known_callers.hpp"

#include <sys/mman.h>

#include <algorithm>

namespace tarry::measure {

void KnownCallers::open() {
  void* const memory = ::mmap(nullptr, kCalls * sizeof(Known) + kWords * sizeof(StackWord), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return;
  calls_ = static_cast<Known*>(memory);
  words_ = reinterpret_cast<StackWord*>(calls_ + kCalls);
}

// That of the same call, else a free one, else each of them in turn.
KnownCallers::Known& KnownCallers::place_for(const HookedCall& call, const Frame& top, bool is_pinned) {
  Known* const places = first_of(call);
  for (std::size_t way = 0; way < kWays; ++way)
    if (places[way].words == 0 || places[way].is_of(call, top, is_pinned)) return places[way];
  return places[replaced_++ % kWays];
}

// When the room for words is full, all calls are forgotten: those that come back are noted anew.
void KnownCallers::note(const HookedCall& call, const Frame& top, bool is_pinned, bool needs_base,
                        std::span<const StackWord> words) {
  if (!calls_ || words.empty() || words.size() > kMostWords) return;
  if (used_words_ + words.size() > kWords) forget();
  Known& known = place_for(call, top, is_pinned);
  const bool has_room = words.size() <= known.words;
  known = {.key = call.key,
           .call_site = call.call_site,
           .stack = call.stack,
           .top_key = top.key,
           .top_cfa = top.cfa,
           .top = &top,
           .base = call.base,
           .first_word = has_room ? known.first_word : used_words_,
           .words = static_cast<std::uint32_t>(words.size()),
           .is_pinned = is_pinned,
           .needs_base = needs_base};
  if (!has_room) used_words_ += known.words;
  std::ranges::copy(words, words_ + known.first_word);
}

void KnownCallers::forget() {
  if (used_words_ == 0) return;
  std::fill_n(calls_, kCalls, Known{});
  used_words_ = 0;
}

}  // namespace tarry::measure
