// source_lines.cpp -- lines of the program's source files, where these are there.
#include "findings/source_lines.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

#include "base/text/format.hpp"
#include "base/text/utf8.hpp"

namespace tarry {
namespace {

constexpr off_t kLargestFile = 16 << 20;
constexpr std::size_t kLongestLine = 200;
constexpr std::size_t kMostParts = 32;  // of a path, that are tried below a folder

struct Closer {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using OpenFile = std::unique_ptr<std::FILE, Closer>;

// Files in /proc are regular, and empty for stat().
OpenFile open_source_file(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) return nullptr;
  struct stat facts {};
  const bool is_fit =
      ::fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size > 0 && facts.st_size <= kLargestFile;
  std::FILE* file = is_fit ? ::fdopen(descriptor, "r") : nullptr;
  if (!file) ::close(descriptor);
  return OpenFile(file);
}

std::string trimmed(const std::string& line) {
  const std::size_t first = line.find_first_not_of(" \t\r\f\v");
  if (first == line.npos) return {};
  return line.substr(first, line.find_last_not_of(" \t\r\f\v") - first + 1);
}

// Nothing if there is no such file. Of a line only as much is kept as is shown, and some blanks in front.
std::optional<std::string> line_of(const std::string& path, std::int64_t wanted) {
  const OpenFile file = open_source_file(path);
  if (!file) return std::nullopt;
  std::string line;
  std::int64_t number = 1;
  off_t size = 0;
  for (int c = 0; number <= wanted && size++ <= kLargestFile && (c = std::fgetc(file.get())) != EOF;) {
    if (c == '\n') ++number;
    else if (number == wanted && line.size() < 8 * kLongestLine) line.push_back(static_cast<char>(c));
  }
  return shorten_middle(valid_utf8(trimmed(line)), kLongestLine);
}

// Below a folder: the whole path, and its ends from the longest on.
std::vector<std::string> paths_below(const std::string& folder, const std::string& file) {
  std::vector<std::string> paths;
  std::size_t at = file.find_first_not_of('/');
  for (std::size_t part = 0; at != file.npos && part < kMostParts; ++part) {
    paths.push_back(folder + "/" + file.substr(at));
    const std::size_t slash = file.find('/', at);
    at = slash == file.npos ? file.npos : file.find_first_not_of('/', slash);
  }
  return paths;
}

}  // namespace

std::vector<std::string> source_paths(const std::vector<std::string>& folders, const std::string& file) {
  std::vector<std::string> paths;
  for (const std::string& folder : folders)
    for (std::string& path : paths_below(folder, file)) paths.push_back(std::move(path));
  paths.push_back(file);
  return paths;
}

std::string SourceLines::find(const std::string& file, std::int64_t line) const {
  if (!reads_ || file.empty() || line <= 0 || file.find('\0') != file.npos) return {};
  for (const std::string& path : source_paths(folders_, file))
    if (auto found = line_of(path, line)) return *found;
  return {};
}

}  // namespace tarry
