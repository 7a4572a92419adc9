// ompt_words.cpp -- the pairs of words, and where their memory comes from.
#include "measure/openmp/ompt_words.hpp"

#include <sys/mman.h>

#include <atomic>
#include <cstddef>

namespace tarry::measure {
namespace {

struct WordPair {
  ompt::Data ours, theirs;
  WordPair* next_free;
};

constexpr std::size_t kSlabPairs = 2048;

std::atomic<WordPair*> g_free_pairs = nullptr;
WordPair g_lost_pair;  // of all that find no memory

// Of this thread: pairs that are free, and new ones.
__thread WordPair* t_free_pairs __attribute__((tls_model("initial-exec"))) = nullptr;
__thread WordPair* t_new_pairs __attribute__((tls_model("initial-exec"))) = nullptr;
__thread std::size_t t_new_count __attribute__((tls_model("initial-exec"))) = 0;

WordPair* new_pair() {
  if (t_new_count == 0) {
    void* slab =
        ::mmap(nullptr, kSlabPairs * sizeof(WordPair), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (slab == MAP_FAILED) return &g_lost_pair;
    t_new_pairs = static_cast<WordPair*>(slab);
    t_new_count = kSlabPairs;
  }
  return &t_new_pairs[--t_new_count];
}

// A thread that has none takes all that are free, so that no other thread sees one of them come back.
WordPair* take_pair() {
  if (!t_free_pairs) t_free_pairs = g_free_pairs.exchange(nullptr, std::memory_order_acquire);
  WordPair* pair = t_free_pairs;
  if (pair) t_free_pairs = pair->next_free;
  else pair = new_pair();
  pair->ours = pair->theirs = {};
  return pair;
}

// The initial parallel region and task begin unseen.
WordPair& pair_of(ompt::Data& word) {
  if (!word.pointer) begin_words(word);
  return *static_cast<WordPair*>(word.pointer);
}

template <class Owner>
Owner* part_of(Owner* word, ompt::Data WordPair::*part) {
  return word ? reinterpret_cast<Owner*>(&(pair_of(word->data).*part)) : nullptr;
}

}  // namespace

void begin_words(ompt::Data& word) { word.pointer = take_pair(); }

void end_words(ompt::Data& word) {
  auto* const pair = static_cast<WordPair*>(word.pointer);
  word.pointer = nullptr;
  if (!pair || pair == &g_lost_pair) return;
  pair->next_free = g_free_pairs.load(std::memory_order_relaxed);
  while (
      !g_free_pairs.compare_exchange_weak(pair->next_free, pair, std::memory_order_release, std::memory_order_relaxed))
    continue;
}

ompt::Parallel* our_word(ompt::Parallel* word) { return part_of(word, &WordPair::ours); }
ompt::Task* our_word(ompt::Task* word) { return part_of(word, &WordPair::ours); }
ompt::Parallel* their_word(ompt::Parallel* word) { return part_of(word, &WordPair::theirs); }
ompt::Task* their_word(ompt::Task* word) { return part_of(word, &WordPair::theirs); }

}  // namespace tarry::measure
