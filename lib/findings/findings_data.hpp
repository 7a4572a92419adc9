// findings_data.hpp -- findings for programs: CSV and JSON.
#pragma once

#include <string>

#include "findings/findings.hpp"
#include "findings/source_lines.hpp"

namespace tarry {

/// Header `kind,name,seconds,fraction,callpath,worst_rank,worst_seconds,ranks,function,file,line`; RFC 4180; 17
/// significant digits. Kinds: `total` (wall, allocation, waiting), `class`, `wait`, `callpath`. `ranks` are those that
/// wait most, by blanks. Of waits and call paths follow `function,file,line`, where the report has them.
std::string findings_csv(const Report& report, const Findings& findings);

/// One object; member "version" counts changes that break readers.
std::string findings_json(const Report& report, const Findings& findings, const SourceLines& sources);

}  // namespace tarry
