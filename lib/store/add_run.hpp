// add_run.hpp -- puts a run into the store, whole or not at all.
#pragma once

#include <cstdint>
#include <span>

#include "base/result.hpp"
#include "report/algebra/cube_source.hpp"
#include "store/database.hpp"
#include "store/run_facts.hpp"

namespace tarry {

struct AddedRun {
  std::int64_t id = 0;
  bool is_new = false;  // else the same report is there already
};

/// `key` is the SHA-256 of the report's file, of which no two are added; `report_bytes` its size.
Result<AddedRun> add_run(Database& database, const CubeSource& report, const RunFacts& facts,
                         std::span<const std::uint8_t> key, std::uint64_t report_bytes);

/// Name and hosts of the machine, and the program, as the report tells them; for what nothing else tells.
void complete_facts(const ReportStructure& structure, RunFacts& facts);

/// The longest of all locations; nothing if the report has no metric `time`.
std::optional<Seconds> wall_seconds_of(const CubeSource& report);

}  // namespace tarry
