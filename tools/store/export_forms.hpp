// export_forms.hpp -- runs of a store as text for other programs.
#pragma once

#include <functional>
#include <string_view>

#include "base/result.hpp"
#include "report/algebra/cube_source.hpp"
#include "store/run_facts.hpp"
#include "store/runs.hpp"

namespace tarry {

/// A run that is written out; without names if the user wants that.
struct ExportedRun {
  const StoredRun& run;
  const RunFacts& facts;
  const CubeSource& report;
};

using TextSink = std::function<Status(std::string_view)>;

/// Lines `run,metric,callpath,rank,thread,value`, as `tarry cube dump --csv` has them behind the number of the run.
Status export_csv(const ExportedRun& exported, const TextSink& sink);
inline constexpr char kCsvHeader[] = "run,metric,callpath,rank,thread,value\n";

/// Objects, one a line, from which `import` makes the run again.
Status export_jsonl(const ExportedRun& exported, const TextSink& sink);

/// An element <experiment>, with the elements of SCALEA's performance data repository.
Status export_xml(const ExportedRun& exported, const TextSink& sink);
inline constexpr char kXmlBegin[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<performanceDataRepository>\n";
inline constexpr char kXmlEnd[] = "</performanceDataRepository>\n";

}  // namespace tarry
