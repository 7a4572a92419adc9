// choose_report.cpp -- which report of an archive a tool reads when the user names the archive.
#include "archive/choose_report.hpp"

#include "archive/names.hpp"
#include "base/file.hpp"

namespace tarry {

std::string choose_report(const std::string& archive) {
  for (const char* name : {names::kAnalysis, names::kSummary})
    if (std::string path = archive + "/" + name; path_exists(path)) return path;
  return {};
}

}  // namespace tarry
