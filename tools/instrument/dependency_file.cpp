// dependency_file.cpp -- takes copies of sources out of files of dependencies.
#include "dependency_file.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "base/files/file.hpp"
#include "base/tool/log.hpp"
#include "base/text/text.hpp"

namespace tarry {
namespace {

namespace fs = std::filesystem;

// "-Wp,-MD,deps.d" and the like.
std::string file_in_preprocessor_option(const std::string& word) {
  for (const char* option : {"-Wp,-MD,", "-Wp,-MMD,", "-Wp,-MF,"})
    if (word.starts_with(option)) return word.substr(std::string(option).size(), word.find(',', 9) - 9);
  return {};
}

bool asks_for_dependencies(const std::string& word) {
  return is_one_of(word, {"-MD", "-MMD"}) || word.starts_with("-Wp,-MD") || word.starts_with("-Wp,-MMD");
}

bool is_beside(const std::string& word, const std::string& folder) { return word.starts_with(folder + "/"); }

}  // namespace

std::vector<std::string> dependency_files(const std::vector<std::string>& words, const std::string& source) {
  std::vector<std::string> files;
  if (std::none_of(words.begin(), words.end(), asks_for_dependencies)) return files;
  const std::string name = fs::path(source).stem().string();
  files.push_back(name + ".d");
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i + 1 < words.size() && words[i] == "-MF") files.push_back(words[i + 1]);
    if (i + 1 < words.size() && words[i] == "-o") {
      files.push_back(fs::path(words[i + 1]).replace_extension(".d").string());
      files.push_back(words[i + 1] + "-" + name + ".d");
    }
    if (words[i].starts_with("-MF") && words[i].size() > 3) files.push_back(words[i].substr(3));
    if (const std::string file = file_in_preprocessor_option(words[i]); !file.empty()) files.push_back(file);
  }
  return files;
}

void restore_dependency_file(const std::string& path, const std::string& copy, const std::string& source) {
  if (path == "-") return;  // to stdout, with the copy's name
  std::istringstream text(text_of_file(path));
  if (text.str().find(copy) == std::string::npos) return;
  const std::string folder = fs::path(copy).parent_path().string();
  std::string restored;
  for (std::string line; std::getline(text, line); restored += "\n") {
    const bool goes_on = line.ends_with(" \\");
    if (goes_on) line.resize(line.size() - 2);
    std::istringstream words(line);
    std::string kept = line.starts_with(' ') ? " " : "";
    for (std::string word; words >> word;) {
      if (word == copy) word = source;
      if (word == copy + ":" || is_beside(word, folder)) continue;
      kept += (kept.empty() || kept == " " ? "" : " ") + word;
    }
    restored += kept + (goes_on ? " \\" : "");
  }
  if (const Status status = write_file(path, restored); !status.ok()) log_warning(status.error().text());
}

}  // namespace tarry
