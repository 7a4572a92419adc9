// source_files.cpp -- source files of the program, line by line.
#include "page/runs/source_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>

#include "base/files/file.hpp"
#include "base/text/text.hpp"
#include "base/text/utf8.hpp"
#include "findings/source_lines.hpp"

namespace tarry {
namespace {

constexpr off_t kLargestSource = 16 << 20;
constexpr std::size_t kMostSourceFiles = 1000, kLongestSourceLine = 400;

// Devices and pipes are never read.
bool is_fit(const std::string& path, std::time_t newest) {
  struct stat facts {};
  return ::stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size <= kLargestSource &&
         facts.st_mtime <= newest;
}

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(valid_utf8(line.substr(0, kLongestSourceLine)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

bool is_source_name(const std::string& file) {
  const std::size_t dot = file.rfind('.');
  if (dot == file.npos || file.find('\0') != file.npos) return false;
  std::string ending = file.substr(dot + 1);
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  return is_one_of(ending, {"c",   "cc",  "cpp", "cxx", "c++", "h",   "hh",  "hpp", "hxx", "inc", "inl",  "ipp",
                            "tcc", "cu",  "cuh", "hip", "f",   "for", "ftn", "fpp", "f77", "f90", "f95",  "f03",
                            "f08", "f18", "py",  "pyx", "jl",  "rs",  "d",   "m",   "mm",  "upc", "chpl", "s"});
}

const std::optional<std::vector<std::string>>& SourceFiles::lines(const std::string& file) {
  static const std::optional<std::vector<std::string>> kNothing;
  if (!known_.contains(file) && known_.size() >= kMostSourceFiles) return kNothing;
  const auto [known, is_new] = known_.try_emplace(file);
  if (!is_new || !is_source_name(file)) return known->second;
  for (const std::string& path : source_paths(folders_, file)) {
    if (!is_fit(path, newest_)) continue;
    const auto mapped = MappedFile::open(path);
    if (!mapped.ok()) continue;
    const std::span<const std::uint8_t> bytes = mapped.value().bytes();
    known->second = split_lines({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    break;
  }
  return known->second;
}

}  // namespace tarry
