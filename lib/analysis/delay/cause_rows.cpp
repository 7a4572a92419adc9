// cause_rows.cpp -- who caused the waits of each group, and through whose waits.
#include "analysis/delay/cause_rows.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/arrays/sum_equal.hpp"

namespace tarry {
namespace {

// Of one process and group, by how many processes there are: some hundred thousand rows in all.
std::size_t kept_rows(std::size_t processes) {
  constexpr std::size_t kMostRows = std::size_t{1} << 16, kMostPaths = 16;
  return std::clamp(kMostRows / std::max<std::size_t>(1, processes), std::size_t{1}, kMostPaths);
}

auto place_of_row(const CauseRow& row) { return std::tuple(row.group, row.kind, row.thread, row.path); }

// Rows of the same place become one.
void merge_places(std::vector<CauseRow>& rows) {
  sum_equal(rows, place_of_row, [](CauseRow& sum, const CauseRow& row) {
    sum.direct += row.direct;
    sum.indirect += row.indirect;
  });
}

}  // namespace

CauseCollector::CauseCollector(const DelayContext& context) : context_(context) { rows_.resize(context.sync.size()); }

void CauseCollector::add(RankIndex rank, const ThreadBookedCosts& booked, WaitCosts& costs) {
  std::vector<CauseRow>& rows = rows_[rank];
  for (const ThreadIndex t : booked.ids()) {
    add_delays(t, booked[t], costs, rows);
    add_passings(rank, t, costs, rows);
  }
  for (CauseRow& row : rows) row.rank = rank;
  merge_places(rows);
  keep_largest(rows);
}

void CauseCollector::add_delays(ThreadIndex thread, const BookedCosts& booked, const WaitCosts& costs,
                                std::vector<CauseRow>& into) const {
  const std::size_t kinds = costs.kinds().size();
  booked.for_each_class(kinds, [&](PathIndex path, std::size_t place, double direct, double indirect) {
    into.push_back({.group = static_cast<GroupNumber>(place - kinds),
                    .kind = CauseRow::Kind::kDelay,
                    .thread = thread,
                    .path = context_.groups.shown(path),
                    .direct = direct,
                    .indirect = indirect});
  });
}

void CauseCollector::add_passings(RankIndex rank, ThreadIndex thread, WaitCosts& costs,
                                  std::vector<CauseRow>& into) const {
  const auto& points = context_.sync[rank][thread].points;
  const std::vector<PathIndex>& to_unified = context_.tree.to_unified[rank];
  const std::size_t kinds = costs.kinds().size();
  std::map<PathIndex, CostByClass> sums;
  for (const SyncIndex at : points.ids()) {
    if (points[at].wait <= 0 || points[at].path >= to_unified.size()) continue;
    const std::span<const double> of_wait = costs.of({rank, thread, at}).subspan(kinds);
    if (std::ranges::all_of(of_wait, [](double cost) { return cost == 0; })) continue;
    CostByClass& sum = sums[context_.groups.shown(to_unified[points[at].path])];
    for (std::size_t g = 0; g < of_wait.size(); ++g) sum[g] += of_wait[g];
  }
  for (const auto& [path, sum] : sums)
    for (std::size_t g = 0; g < context_.groups.all().size(); ++g)
      if (sum[g] != 0)
        into.push_back({.group = static_cast<GroupNumber>(g),
                        .kind = CauseRow::Kind::kPassing,
                        .thread = thread,
                        .path = path,
                        .direct = sum[g]});
}

// The rest of each group becomes rows without a call path.
void CauseCollector::keep_largest(std::vector<CauseRow>& rows) const {
  const std::size_t most = kept_rows(context_.sync.size());
  std::ranges::stable_sort(rows, [](const CauseRow& a, const CauseRow& b) {
    return std::tuple(a.group, a.kind, -(a.direct + a.indirect)) <
           std::tuple(b.group, b.kind, -(b.direct + b.indirect));
  });
  std::size_t of_same = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool is_same = i > 0 && rows[i - 1].group == rows[i].group && rows[i - 1].kind == rows[i].kind;
    of_same = is_same ? of_same + 1 : 0;
    if (of_same >= most) rows[i].path = kNoPath;
  }
  merge_places(rows);
  rows.shrink_to_fit();
}

CausesOfWaits CauseCollector::gather() {
  MessageBuffer own;
  for (const std::vector<CauseRow>& rows : rows_)
    if (!rows.empty()) own.put_all(rows);
  CausesOfWaits all;
  for (MessageBuffer& arrived : context_.trace.exchange().gather(std::move(own)))
    while (!arrived.is_read()) {
      const auto rows = arrived.get_all<CauseRow>();
      all.rows.insert(all.rows.end(), rows.begin(), rows.end());
    }
  if (!all.rows.empty()) all.groups = context_.groups.all();
  return all;
}

}  // namespace tarry
