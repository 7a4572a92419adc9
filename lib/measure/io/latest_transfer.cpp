// latest_transfer.cpp -- encodes what calls that are like each other have in common.
#include "measure/io/latest_transfer.hpp"

namespace tarry::measure {

void LatestTransfer::note(Kind kind, unsigned mode, std::uint64_t number, Sizes sizes, ProfileTree::FilePlace place) {
  kind_ = kind;
  mode_ = mode;
  number_ = number;
  place_ = place;
  is_whole_ = sizes.moved == sizes.wanted;
  moved_ = sizes.moved;
  wanted_ = kNoBytes;
  head_bytes_ = 0;
}

void LatestTransfer::set_wanted(Bytes bytes) {
  if (head_bytes_ == 0) {
    const CallPattern pattern{
        .region = kind_.region() - 1, .handle = kind_.file() - 1, .mode = mode_, .matching = number_};
    head_bytes_ = static_cast<std::size_t>(encode_pattern_head(pattern_, pattern) - pattern_);
  }
  wanted_ = bytes;
  if (is_whole_) moved_ = bytes;
  const std::uint64_t wanted = bytes == 0 ? kNoField : bytes;
  pattern_bytes_ = static_cast<std::size_t>(encode_pattern_bytes(pattern_ + head_bytes_, wanted, moved_) - pattern_);
}

}  // namespace tarry::measure
