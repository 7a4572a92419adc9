// command_text.cpp -- the command that has made a page, as the page shows it.
#include "command_text.hpp"

#include <filesystem>
#include <vector>

#include "archive/files/provenance.hpp"

namespace tarry {
namespace {

// "run" of a/run and a/run/
std::string last_part_of(const std::filesystem::path& path) {
  return (path.has_filename() ? path : path.parent_path()).filename().string();
}

}  // namespace

std::string command_text(int argc, char** argv, bool is_redacted) {
  std::vector<std::string> words = {"tarry", "explore"};
  for (int i = 1; i < argc; ++i) words.push_back(is_redacted ? last_part_of(argv[i]) : argv[i]);
  return join_command(words);
}

}  // namespace tarry
