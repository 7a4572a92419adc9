// severity.cpp -- the values of one metric.
#include "report/tree/severity.hpp"

#include <algorithm>
#include <bit>

namespace tarry {
namespace {

// Small rows share an allocation of about this many numbers; large ones have their own.
constexpr std::size_t kBlockLength = 512;

unsigned shift_for(std::size_t row_length) {
  const std::size_t rows = kBlockLength / std::max<std::size_t>(1, row_length);
  return rows > 1 ? static_cast<unsigned>(std::bit_width(rows)) - 1 : 0;
}

}  // namespace

Severity::Severity(ValueFormat format, std::size_t locations)
    : format_(format), row_length_(locations * format.components()), block_shift_(shift_for(row_length_)) {}

std::span<double> Severity::row(std::uint32_t path) {
  make_slot(path);
  if (slots_[path] == kAbsent) {
    const std::uint32_t rows = 1u << block_shift_;
    if (used_ % rows == 0) blocks_.push_back(std::make_unique_for_overwrite<double[]>(rows * row_length_));
    slots_[path] = used_++;
    fill_neutral(format_, {at(slots_[path]), row_length_});
  }
  return {at(slots_[path]), row_length_};
}

void Severity::put_row(std::uint32_t path, std::unique_ptr<double[]> row) {
  if (block_shift_ > 0) {
    std::copy_n(row.get(), row_length_, this->row(path).begin());
    return;
  }
  make_slot(path);
  slots_[path] = used_++;
  blocks_.push_back(std::move(row));
}

void Severity::make_slot(std::uint32_t path) {
  if (path < slots_.size()) return;
  if (path >= slots_.capacity()) slots_.reserve(std::max<std::size_t>(path + 1, slots_.size() * 2));
  slots_.resize(path + 1, kAbsent);
}

std::span<const double> Severity::find_row(std::uint32_t path) const {
  if (path >= slots_.size() || slots_[path] == kAbsent) return {};
  return {at(slots_[path]), row_length_};
}

}  // namespace tarry
