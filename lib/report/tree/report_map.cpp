// report_map.cpp -- where the parts of reports went in a report made of them.
#include "report/tree/report_map.hpp"

#include <numeric>

namespace tarry {

PathLists::PathLists(const std::vector<std::uint32_t>& places, std::size_t result_size) : first_(result_size + 1) {
  for (const std::uint32_t place : places)
    if (place != kNowhere) ++first_[place + 1];
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  list_.resize(first_.back());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (std::uint32_t path = 0; path < places.size(); ++path)
    if (places[path] != kNowhere) list_[next[places[path]]++] = path;
}

}  // namespace tarry
