// log_damage.cpp -- tells the user which reports of a page are damaged.
#include "log_damage.hpp"

#include <string>

#include "base/tool/log.hpp"

namespace tarry {

bool log_damage(const std::vector<std::unique_ptr<ExploredRun>>& runs, bool is_strict) {
  bool is_any_damaged = false;
  for (const auto& run : runs) {
    const std::vector<std::string> damage = run->values().damage();
    if (damage.empty()) continue;
    for (const std::string& line : damage) log_detail(line);
    const std::string more = damage.size() > 1 ? ", and " + std::to_string(damage.size() - 1) + " more" : "";
    if (is_strict) log_error({run->path(), "is damaged: " + damage[0] + more, "-v lists everything"});
    else log_warning(run->path() + ": is damaged: " + damage[0] + more + (more.empty() ? "" : " (-v lists them)"));
    is_any_damaged = true;
  }
  return is_any_damaged;
}

}  // namespace tarry
