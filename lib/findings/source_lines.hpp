// source_lines.hpp -- lines of the program's source files, where these are there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tarry {

/// Where a file of that name may be: below each of the folders (the recorded path, and its ends), then as recorded.
std::vector<std::string> source_paths(const std::vector<std::string>& folders, const std::string& file);

/// Reads regular files of at most 16 MiB, up to the line that is wanted; devices and pipes are never read.
class SourceLines {
 public:
  /// `folders` are searched first: for the recorded path, and for its ends ("src/heat.c", "heat.c").
  explicit SourceLines(std::vector<std::string> folders) : folders_(std::move(folders)) {}

  /// Of nothing: it reads no files.
  static SourceLines none() {
    SourceLines lines({});
    lines.reads_ = false;
    return lines;
  }

  /// The line without blanks around it, at most 200 characters; empty if it is not there.
  std::string find(const std::string& file, std::int64_t line) const;

 private:
  std::vector<std::string> folders_;
  bool reads_ = true;
};

}  // namespace tarry
