// debug_files.cpp -- where the debug information of an ELF file may lie if it was split off.
#include "defs/debug_files.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/bytes/crc32.hpp"
#include "base/processes/environment_value.hpp"

namespace tarry {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{4} << 30;

// With the '/' behind it.
std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

std::string hexadecimal(std::span<const std::uint8_t> bytes) {
  std::string text;
  char digits[3];
  for (const std::uint8_t byte : bytes) {
    std::snprintf(digits, sizeof digits, "%02x", byte);
    text += digits;
  }
  return text;
}

}  // namespace

std::vector<std::string> debug_folders() {
  std::vector<std::string> folders;
  const char* const listed = environment_value("TARRY_DEBUG_PATH");
  std::string_view left = listed ? listed : "";
  while (!left.empty()) {
    const std::string_view folder = left.substr(0, left.find(':'));
    if (!folder.empty()) folders.emplace_back(folder);
    left.remove_prefix(std::min(left.size(), folder.size() + 1));
  }
  folders.emplace_back("/usr/lib/debug");
  return folders;
}

std::vector<std::string> paths_by_build_id(std::span<const std::uint8_t> id, const std::vector<std::string>& folders) {
  std::vector<std::string> paths;
  if (id.size() < 2) return paths;
  for (const std::string& folder : folders)
    paths.push_back(folder + "/.build-id/" + hexadecimal(id.first(1)) + "/" + hexadecimal(id.subspan(1)) + ".debug");
  return paths;
}

std::vector<std::string> paths_by_link(const std::string& path, std::string_view name,
                                       const std::vector<std::string>& folders) {
  std::vector<std::string> paths;
  if (name.empty() || name.find('/') != name.npos) return paths;
  const std::string own = folder_of(path), file(name);
  if (own + file != path) paths.push_back(own + file);
  paths.push_back(own + ".debug/" + file);
  if (!own.starts_with('/')) return paths;
  for (const std::string& folder : folders) paths.push_back(folder + own + file);
  return paths;
}

bool has_checksum(const File& file, std::uint32_t checksum) {
  std::vector<char> block(std::size_t{1} << 18);
  std::uint32_t sum = 0;
  std::uint64_t at = 0;
  while (at < kMostBytes) {
    const ssize_t count = ::pread(file.descriptor(), block.data(), block.size(), static_cast<off_t>(at));
    if (count < 0) return false;
    if (count == 0) return sum == checksum;
    sum = crc32(block.data(), static_cast<std::size_t>(count), sum);
    at += static_cast<std::uint64_t>(count);
  }
  return false;
}

}  // namespace tarry
