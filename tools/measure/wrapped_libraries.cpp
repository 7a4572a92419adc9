// wrapped_libraries.cpp -- finds the libraries of --wrap, and has those of --wrap-header made.
#include "wrapped_libraries.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/files/file.hpp"
#include "base/files/temporary_file.hpp"
#include "base/processes/run_process.hpp"
#include "base/text/text.hpp"
#include "base/tool/log.hpp"

namespace tarry {
namespace {

constexpr char kTablePrefix[] = "libtarry-preload-wrap-", kScript[] = "wrap_header.py";

// Python of the system has libclang where another one, further in front in PATH, has not.
constexpr const char* kPythons[] = {"python3", "/usr/bin/python3"};

#if defined(__aarch64__)
constexpr char kProcessor[] = "aarch64";
#else
constexpr char kProcessor[] = "x86_64";
#endif

std::string folder_with(const std::string& path) { return path.substr(0, path.rfind('/')); }

std::string known_names(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().stem();
    if (name.starts_with(kTablePrefix)) names.push_back(name.substr(sizeof kTablePrefix - 1));
  }
  std::ranges::sort(names);
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "nothing: it was built for another processor" : text;
}

Result<std::string> folder_for_headers() {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  const char* const home = std::getenv("HOME");
  if (cache && *cache == '/') return std::string(cache) + "/tarry/wrap";
  if (home && *home == '/') return std::string(home) + "/.cache/tarry/wrap";
  return Error{"--wrap-header", "there is no folder for what it makes", "set HOME or XDG_CACHE_HOME"};
}

// What the script prints: the path, and a line about functions that are left out.
Result<std::string> run_script(const std::vector<std::string>& words) {
  TARRY_TRY_ASSIGN(folder, TemporaryFolder::make("wrap"));
  const std::string output = folder.path() + "/output", said = folder.path() + "/said";
  std::string why;
  for (const char* const python : kPythons) {
    TARRY_TRY_ASSIGN(out, open_file(output, O_WRONLY | O_CREAT | O_TRUNC));
    TARRY_TRY_ASSIGN(errors, open_file(said, O_WRONLY | O_CREAT | O_TRUNC));
    std::vector<std::string> command = {python};
    command.insert(command.end(), words.begin(), words.end());
    if (run_process(command, {.output = out.descriptor(), .error = errors.descriptor()}) == 0)
      return text_of_file(output);
    why = text_of_file(said);
  }
  const std::string last = why.empty() ? "python3 cannot be run" : why.substr(0, why.find('\n'));
  return Error{"--wrap-header", last, "it needs a compiler and libclang for Python (Debian: python3-clang)"};
}

Result<std::string> make_header_library(const std::string& header, const std::string& library,
                                        const std::string& script) {
  TARRY_TRY_ASSIGN(folder, folder_for_headers());
  if (!path_exists(header)) return Error{header, "is not there", "--wrap-header takes the path of a header"};
  std::vector<std::string> words = {script, folder, kProcessor, header};
  if (!library.empty()) words.push_back(library);
  TARRY_TRY_ASSIGN(text, run_script(words));
  const std::size_t end = text.find('\n');
  if (end != text.npos && end + 1 < text.size()) log_info(header + ": " + text.substr(end + 1, text.size() - end - 2));
  return text.substr(0, end);
}

}  // namespace

Result<std::vector<std::string>> find_wrapped_libraries(const std::string& list, const std::string& preload_library) {
  std::vector<std::string> found;
  for (const std::string& name : list.empty() ? std::vector<std::string>() : split_list(list)) {
    const std::string path = folder_with(preload_library) + "/" + kTablePrefix + name + ".so";
    if (name.find('/') != name.npos || !path_exists(path))
      return Error{"--wrap", "does not know '" + name + "'", "it knows " + known_names(folder_with(preload_library))};
    found.push_back(path);
  }
  return found;
}

Result<std::vector<std::string>> make_header_libraries(const std::string& headers, const std::string& preload_library) {
  std::vector<std::string> made;
  for (std::size_t begin = 0; begin < headers.size();) {
    const std::size_t end = std::min(headers.find(';', begin), headers.size());
    const std::string one = headers.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t comma = one.find(',');
    const std::string library = comma == one.npos ? "" : one.substr(comma + 1);
    TARRY_TRY_ASSIGN(path,
                     make_header_library(one.substr(0, comma), library, folder_with(preload_library) + "/" + kScript));
    made.push_back(path);
  }
  return made;
}

}  // namespace tarry
