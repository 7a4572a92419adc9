// choose_report.cpp -- which report of an archive a tool reads when the user names the archive.
#include "archive/reading/choose_report.hpp"

#include "archive/archive.hpp"
#include "archive/files/manifest.hpp"
#include "archive/files/names.hpp"
#include "base/files/file.hpp"

namespace tarry {

std::string choose_report(const std::string& archive) {
  for (const char* name : {names::kAnalysis, names::kSummary})
    if (std::string path = archive + "/" + name; path_exists(path)) return path;
  return {};
}

Result<std::string> report_to_read(const std::string& input) {
  if (!is_directory(input)) return input;
  TARRY_TRY(check_manifest_facts(input));
  if (std::string path = choose_report(input); !path.empty()) return path;
  if (std::string why = why_nothing_recorded(input); !why.empty()) return Error{input, std::move(why), ""};
  if (is_archive(input) && path_exists(input + "/" + names::kRecording))
    return Error{input, "its recording was not closed", "run 'tarry unify " + input + "' first"};
  if (path_exists(input + "/" + names::kManifest))
    return Error{input, "holds no report yet", "run 'tarry replay " + input + "' first"};
  return Error{input, "is not an archive", "give a folder that 'tarry measure' made, or a .cubex file"};
}

}  // namespace tarry
