// history_data.hpp -- histories for people, programs, GitHub workflows and JUnit readers.
#pragma once

#include <string>
#include <vector>

#include "findings/verdicts.hpp"
#include "store/history.hpp"

namespace tarry {

struct HistoryOptions {
  std::string store, metric, region, call_path, where, only, format = "text", picture;
  std::uint32_t last = 200;
  double limit = 0.05;

  /// "time of region solve".
  std::string subject() const;
};

/// What a step means to the user: it has failed if it may be as large as the limit, in the direction that counts.
Verdict verdict_of(const History& history, const SeriesStep& step, const HistoryOptions& options);

/// For each history its size, a line of bars and its steps.
std::string history_text(const std::vector<History>& histories, const HistoryOptions& options);
std::string history_csv(const std::vector<History>& histories);
std::string history_json(const std::vector<History>& histories, const HistoryOptions& options);

}  // namespace tarry
