// severity.cpp -- the values of one metric.
#include "report/severity.hpp"

#include <algorithm>

namespace tarry {
namespace {

// Small rows share an allocation of about this many numbers; large ones have their own.
constexpr std::size_t kBlockLength = 512;

}  // namespace

std::span<double> Severity::row(std::uint32_t path) {
  if (path >= slots_.size()) {
    if (path >= slots_.capacity()) slots_.reserve(std::max<std::size_t>(path + 1, slots_.size() * 2));
    slots_.resize(path + 1, kAbsent);
  }
  if (slots_[path] == kAbsent) {
    if (used_ == 0) rows_per_block_ = std::max<std::size_t>(1, kBlockLength / std::max<std::size_t>(1, row_length_));
    if (used_ % rows_per_block_ == 0)
      blocks_.push_back(std::make_unique_for_overwrite<double[]>(rows_per_block_ * row_length_));
    slots_[path] = used_++;
    fill_neutral(format_, {at(slots_[path]), row_length_});
  }
  return {at(slots_[path]), row_length_};
}

std::span<const double> Severity::find_row(std::uint32_t path) const {
  if (path >= slots_.size() || slots_[path] == kAbsent) return {};
  return {at(slots_[path]), row_length_};
}

}  // namespace tarry
