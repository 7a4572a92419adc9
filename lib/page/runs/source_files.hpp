// source_files.hpp -- source files of the program, line by line, where they are there and as old as it.
#pragma once

#include <ctime>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tarry {

/// Reads each file once. Reports name files, and a report may come from anywhere: what is not the name of a source file
/// is not read, so that no page that is mailed holds other files.
class SourceFiles {
 public:
  /// A file that was changed after `newest` is of another program. `folders` are searched first.
  SourceFiles(std::vector<std::string> folders, std::time_t newest) : folders_(std::move(folders)), newest_(newest) {}

  /// The lines of a file; nothing if it is not there or must not be shown.
  const std::optional<std::vector<std::string>>& lines(const std::string& file);

 private:
  std::vector<std::string> folders_;
  std::time_t newest_;
  std::map<std::string, std::optional<std::vector<std::string>>> known_;
};

/// Whether the name ends as those of source files in C, C++, Fortran, Python and the like.
bool is_source_name(const std::string& file);

}  // namespace tarry
