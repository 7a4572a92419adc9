// dependency_file.hpp -- what a compiler writes for make about the files that a source includes (-MD).
#pragma once

#include <string>
#include <vector>

namespace tarry {

/// Where a command writes the dependencies of a source: the candidates, of which not all need be there.
std::vector<std::string> dependency_files(const std::vector<std::string>& words, const std::string& source);

/// In a file of dependencies: `source` instead of its copy, and no file that lies beside the copy.
void restore_dependency_file(const std::string& path, const std::string& copy, const std::string& source);

}  // namespace tarry
