// verdicts.hpp -- what moved or failed, for people, GitHub workflows and JUnit readers.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"

namespace tarry {

struct Verdict {
  std::string group;    // the metric
  std::string name;     // the call path, or what was asserted
  std::string message;  // "1.2 -> 1.4 sec, +16.7%"
  bool has_failed = false;
  double size = 0;  // how much moved, in the metric's unit
};

/// In a format: "text" (failures only), "github" (annotations of failures), "junit" (XML with all of them, `suite` is
/// its name). `summary` is the last line of the first two, `notices` are their first ones.
std::string verdicts_text(const std::vector<Verdict>& verdicts, const std::string& summary, const std::string& format,
                          const std::vector<std::string>& notices, const std::string& suite);

/// 1 if one has failed, else 0.
int status_of(const std::vector<Verdict>& verdicts);

}  // namespace tarry
