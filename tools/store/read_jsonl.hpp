// read_jsonl.hpp -- runs from the JSON Lines that `tarry store export` writes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "report/tree/report.hpp"
#include "store/run_facts.hpp"

namespace tarry {

struct ReadRun {
  RunFacts facts;
  std::vector<std::uint8_t> key;
  std::uint64_t report_bytes = 0;
  Report report;
};

/// Hands each complete run to `use`. Fails, naming file and line, at the first line that is not as it must be; runs
/// before it have been used.
Status read_jsonl(const std::string& path, const std::function<Status(const ReadRun&)>& use);

}  // namespace tarry
