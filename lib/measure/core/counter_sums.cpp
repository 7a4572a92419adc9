// counter_sums.cpp -- adds up the values of counters.
#include "measure/core/counter_sums.hpp"

#include <algorithm>
#include <bit>

namespace tarry::measure {
namespace {

void combine(Combination combination, std::uint64_t& into, std::uint64_t more) {
  switch (combination) {
    case Combination::kAdd: into += more; return;
    case Combination::kHighest: into = std::max(into, more); return;
    case Combination::kAddDouble:
      into = std::bit_cast<std::uint64_t>(std::bit_cast<double>(into) + std::bit_cast<double>(more));
      return;
    case Combination::kHighestSigned:
      if (into == 0 || (more != 0 && static_cast<std::int64_t>(more) > static_cast<std::int64_t>(into))) into = more;
      return;
    case Combination::kHighestDouble:
      if (into == 0 || (more != 0 && std::bit_cast<double>(more) > std::bit_cast<double>(into))) into = more;
      return;
  }
}

bool is_level(Combination combination) { return combination != Combination::kAdd; }

}  // namespace

Combination combination_of(CounterType type, bool is_level) {
  if (type == CounterType::kDouble) return is_level ? Combination::kHighestDouble : Combination::kAddDouble;
  if (!is_level) return Combination::kAdd;
  return type == CounterType::kSigned ? Combination::kHighestSigned : Combination::kHighest;
}

void CounterSums::use(std::span<const CounterId> ids, std::span<const bool> levels) {
  ids_.assign(ids.begin(), ids.end());
  combinations_.clear();
  for (const bool level : levels) combinations_.push_back(level ? Combination::kHighest : Combination::kAdd);
  counted_.assign(ids.size(), 0);
  user_begin_ = ids_.size();
}

void CounterSums::use_user_metrics() {
  user_begin_ = counted_.size();
  ids_.resize(user_begin_ + kMostUserMetrics, CounterId());
  combinations_.resize(ids_.size(), Combination::kAdd);
}

bool CounterSums::define_user_metric(std::size_t number, CounterId id, Combination combination) {
  const std::size_t place = user_begin_ + number;
  if (place >= ids_.size() || ids_[place].is_valid()) return false;
  ids_[place] = id;
  combinations_[place] = combination;
  return true;
}

void CounterSums::count_user_metric(PathNode* open, std::size_t number, std::uint64_t value) const {
  const std::size_t place = user_begin_ + number;
  if (open && place < ids_.size()) combine(combinations_[place], of(*open)[place], value);
}

void CounterSums::use_ledger(PathLedger& ledger, std::span<const CounterId> ids) {
  ledger_begin_ = ids_.size();
  ids_.insert(ids_.end(), ids.begin(), ids.end());
  combinations_.resize(ids_.size(), Combination::kAdd);
  counted_.resize(ids_.size());
  user_begin_ = ids_.size();
  ledger_ = &ledger;
  of_ledger_ = ids.size();
}

void CounterSums::read(PathNode& path, std::span<std::uint64_t> values) const {
  std::ranges::copy(of(path), values.begin());
  if (ledger_) ledger_->read(path, values.subspan(ledger_begin_, of_ledger_));
}

void CounterSums::count(PathNode* open, std::span<const std::uint64_t> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (open) {
      std::uint64_t& sum = of(*open)[i];
      sum = is_level(combinations_[i]) ? std::max(sum, values[i]) : sum + values[i] - counted_[i];
    }
    counted_[i] = values[i];
  }
}

void CounterSums::raise(PathNode* open, std::span<const std::uint64_t> values) const {
  if (!open) return;
  const auto sums = of(*open);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (is_level(combinations_[i])) sums[i] = std::max(sums[i], values[i]);
}

void CounterSums::add(PathNode& to, PathNode& from) const {
  const auto into = of(to), more = of(from);
  for (std::size_t i = 0; i < ids_.size(); ++i) combine(combinations_[i], into[i], more[i]);
  if (ledger_) ledger_->move(to, from);
}

void CounterSums::clear(PathNode& path) const {
  std::ranges::fill(of(path), 0);
  if (ledger_) ledger_->forget(path);
}

}  // namespace tarry::measure
