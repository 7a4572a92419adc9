// latest_transfer.cpp -- what calls that are like each other have in common.
#include "measure/io/latest_transfer.hpp"

#include "measure/io/wanted_files.hpp"

#include "measure/core/recorder.hpp"

namespace tarry::measure {
namespace {

void begin_without_transfer(Thread& thread) { kLatestTransfer.of(thread) = LatestTransfer(); }

void choose_files(const ProcessFacts&) { choose_file_calls(); }

}  // namespace

constinit const Adapter kFileAdapter = {.starting = choose_files, .thread_begins = begin_without_transfer};

void LatestTransfer::note(Kind kind, unsigned mode, std::uint64_t number, Sizes sizes, FilePlace place) {
  kind_ = kind;
  mode_ = mode;
  number_ = number;
  place_ = place;
  is_whole_ = sizes.moved == sizes.wanted;
  moved_ = sizes.moved;
  wanted_ = kNoBytes;
  head_.size = 0;
}

void LatestTransfer::set_wanted(Bytes bytes) {
  if (head_.size == 0)
    head_ = EventBuffer::head_of(
        {.region = kind_.region().value, .handle = handle_of(kind_.file()).value, .mode = mode_, .matching = number_});
  wanted_ = bytes;
  if (is_whole_) moved_ = bytes;
}

}  // namespace tarry::measure
