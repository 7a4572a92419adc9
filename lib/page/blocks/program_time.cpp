// program_time.cpp -- when the program of a report ran.
#include "page/blocks/program_time.hpp"

#include <sys/stat.h>

#include <filesystem>

#include "archive/archive.hpp"
#include "archive/files/manifest.hpp"

namespace tarry {
namespace {

// "2026-01-31T12:00:00Z"
std::optional<std::time_t> parse_utc(const std::string& text) {
  std::tm parts{};
  const char* end = ::strptime(text.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return end && *end == '\0' ? std::optional(::timegm(&parts)) : std::nullopt;
}

}  // namespace

std::optional<std::time_t> program_time(const std::string& report) {
  const std::string folder = std::filesystem::path(report).parent_path().string();
  if (!folder.empty() && is_archive(folder)) {
    const auto manifest = read_manifest(folder);
    if (!manifest.ok()) return std::nullopt;
    return parse_utc(manifest.value().started);
  }
  struct stat facts {};
  if (::stat(report.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) return std::nullopt;
  return facts.st_mtime;
}

}  // namespace tarry
