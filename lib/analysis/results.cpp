// results.cpp -- a table of values with a column for each thread, and how its parts come together.
#include "analysis/results.hpp"

#include <algorithm>

namespace tarry {
namespace {

void put_rows(MessageBuffer& buffer, const ValueRows& rows) {
  for (std::uint32_t m = 0; m < kMetricCount; ++m) {
    const auto metric = static_cast<Metric>(m);
    for (PathIndex path = 0; rows.has(metric) && path < rows.paths(); ++path) {
      const double* row = rows.find(metric, path);
      if (!row) continue;
      buffer.put(m);
      buffer.put(path);
      buffer.put_all(std::span(row, rows.columns()));
    }
  }
  buffer.put<std::uint32_t>(kMetricCount);
}

void get_rows(MessageBuffer& buffer, std::size_t first_column, ValueRows& rows) {
  for (std::uint32_t m; (m = buffer.get<std::uint32_t>()) < kMetricCount;) {
    const auto path = buffer.get<PathIndex>();
    const std::vector<double> row = buffer.get_all<double>();
    std::copy(row.begin(), row.end(), rows.row(static_cast<Metric>(m), path) + first_column);
  }
}

}  // namespace

Results::Results(const Trace& trace, std::size_t paths, std::size_t slots) : first_columns(trace.ranks().size(), 0) {
  for (const RankIndex index : trace.ranks().ids()) {
    if (!trace.is_hosted(index)) continue;
    first_columns[index] = static_cast<std::uint32_t>(threads.size());
    const auto& of_rank = trace.ranks()[index].threads;
    for (const ThreadIndex t : of_rank.ids()) threads.push_back({index, t, of_rank[t].location, of_rank[t].is_queue});
  }
  values = ValueRows(paths, threads.size());
  activities = ValueRows(paths, threads.size());
  iterations = ValueRows(slots, threads.size());
}

Results gather_results(Exchange& exchange, Results own) {
  if (exchange.size() == 1) return own;
  MessageBuffer buffer;
  buffer.put_all(own.threads);
  buffer.put<std::uint64_t>(own.counters.size());
  for (const auto& counters : own.counters) buffer.put_all(counters);
  put_rows(buffer, own.values);
  put_rows(buffer, own.activities);
  put_rows(buffer, own.iterations);
  std::vector<MessageBuffer> arrived = exchange.gather(std::move(buffer));
  if (arrived.empty()) return own;

  Results all;
  std::vector<std::size_t> first_columns;
  for (MessageBuffer& from : arrived) {
    first_columns.push_back(all.threads.size());
    for (const AnalysedThread& thread : from.get_all<AnalysedThread>()) all.threads.push_back(thread);
    for (auto left = from.get<std::uint64_t>(); left > 0; --left) all.counters.push_back(from.get_all<CounterValue>());
  }
  all.values = ValueRows(own.values.paths(), all.threads.size());
  all.activities = ValueRows(own.values.paths(), all.threads.size());
  all.iterations = ValueRows(own.iterations.paths(), all.threads.size());
  for (std::size_t p = 0; p < arrived.size(); ++p) {
    get_rows(arrived[p], first_columns[p], all.values);
    get_rows(arrived[p], first_columns[p], all.activities);
    get_rows(arrived[p], first_columns[p], all.iterations);
  }
  return all;
}

}  // namespace tarry
