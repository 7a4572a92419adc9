// gates.cpp -- the items of the calls that cause gates or wait for them, process by process.
#include "prediction/simulation/gates.hpp"

#include <numeric>

namespace tarry {

void Gates::sort_items() {
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  Rows<GateItem> sorted(items_.budget());
  sorted.resize(items_.size());
  std::vector<std::uint64_t> next(first_.begin(), first_.end() - 1);
  for (const GateItem& item : items_) sorted[next[item.rank.value]++] = item;
  items_ = std::move(sorted);
}

}  // namespace tarry
