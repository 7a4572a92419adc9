// severe_waits.cpp -- reads the table of single waits that a report may hold.
#include "findings/causes/severe_waits.hpp"

#include "base/text/csv.hpp"
#include "report/tables/instance_files.hpp"

namespace tarry {
std::vector<SevereWait> severe_waits(const Report& report) {
  std::vector<SevereWait> waits;
  for (const ReportFile& file : report.files) {
    if (file.name != kInstancesFile || file.bytes.empty()) continue;
    const CsvTable table = CsvTable::parse({reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()});
    for (std::size_t row = 0; row < table.size(); ++row) {
      const auto waiting = table.number(row, "waiting");
      const auto rank = table.number(row, "rank");
      const auto enter = table.number(row, "enter");
      if (!waiting || !rank || !enter) continue;
      SevereWait& wait = waits.emplace_back();
      wait.metric = table.text(row, "metric");
      wait.call_path = table.text(row, "callpath");
      wait.waiting = *waiting;
      wait.enter = *enter;
      wait.rank = ReportRank(static_cast<std::int64_t>(*rank));
      if (const auto delaying = table.number(row, "delaying_rank"))
        wait.delaying_rank = ReportRank(static_cast<std::int64_t>(*delaying));
      wait.delaying_call_path = table.text(row, "delaying_callpath");
    }
  }
  return waits;
}

}  // namespace tarry
