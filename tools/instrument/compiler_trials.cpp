// compiler_trials.cpp -- tries options of a compiler out, and remembers the outcome in the user's cache folder.
#include "compiler_trials.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "archive/files/provenance.hpp"
#include "base/files/file.hpp"
#include "base/files/temporary_file.hpp"
#include "base/processes/run_process.hpp"
#include "base/text/text.hpp"
#include "base/text/text_hash.hpp"
#include "compiler_command.hpp"
#include "opari_copy.hpp"

namespace tarry {
namespace {

namespace fs = std::filesystem;

constexpr char kTaken = 'y', kRefused = 'n', kUnknown = '?';

// $XDG_CACHE_HOME or ~/.cache; empty if there is none, and then nothing is remembered.
std::string cache_folder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache && *cache == '/') return std::string(cache) + "/tarry/compilers";
  const char* home = std::getenv("HOME");
  return home && *home == '/' ? std::string(home) + "/.cache/tarry/compilers" : "";
}

std::string find_in_path(const std::string& name) {
  if (name.find('/') != name.npos) return name;
  const char* path = std::getenv("PATH");
  std::string_view left = path ? path : "";
  while (!left.empty()) {
    const std::string file = std::string(left.substr(0, left.find(':'))) + "/" + name;
    if (::access(file.c_str(), X_OK) == 0) return file;
    left.remove_prefix(std::min(left.size(), left.find(':') == left.npos ? left.size() : left.find(':') + 1));
  }
  return name;
}

// What tells a file from another version of it; empty if there is none.
std::string version_of_file(const std::string& path) {
  struct stat facts = {};
  return ::stat(path.c_str(), &facts) == 0 ? std::to_string(facts.st_size) + "\n" + std::to_string(facts.st_mtime) : "";
}

std::string name_of_note(const std::string& facts) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash_text(facts)));
  return digits;
}

std::string program_for(const std::string& suffix, bool links) {
  if (is_fortran_source("trial" + suffix))
    return links ? "      end\n" : "      subroutine tarry_trial\n      end subroutine\n";
  return links ? "int main(void) { return 0; }\n" : "void tarry_trial(void);\nvoid tarry_trial(void) {}\n";
}

}  // namespace

CompilerTrials::CompilerTrials(std::string compiler, std::string suffix)
    : compiler_(std::move(compiler)), suffix_(std::move(suffix)) {
  const std::string file = find_in_path(compiler_);
  identity_ = file + "\n" + version_of_file(file) + "\n" + compiler_answer(compiler_, "--version");
}

std::optional<std::size_t> CompilerTrials::choose(const std::vector<std::vector<std::string>>& choices,
                                                  Step step) const {
  for (std::size_t i = 0; i < choices.size(); ++i)
    if (takes(choices[i], step)) return i;
  return {};
}

std::string CompilerTrials::note_for(const std::vector<std::string>& options, Step step) const {
  const std::string folder = cache_folder();
  if (folder.empty()) return {};
  std::string facts = identity_ + "\n" + suffix_ + std::to_string(static_cast<int>(step)) + join_command(options);
  for (const std::string& option : options) facts += "\n" + version_of_file(option);  // the recorder, for one
  return folder + "/" + name_of_note(facts);
}

bool CompilerTrials::takes(const std::vector<std::string>& options, Step step) const {
  const std::string note = note_for(options, step), known = note.empty() ? "" : text_of_file(note);
  if (known == std::string(1, kTaken) || known == std::string(1, kRefused)) return known[0] == kTaken;
  const char outcome = try_out(options, step);
  if (outcome == kUnknown || note.empty()) return outcome != kRefused;
  std::error_code ignored;  // a cache that cannot be written is no cache
  fs::create_directories(fs::path(note).parent_path(), ignored);
  static_cast<void>(replace_file(note, {reinterpret_cast<const std::uint8_t*>(&outcome), 1}));
  return outcome != kRefused;
}

// The outcome of a trial with the options, against one without.
char CompilerTrials::try_out(const std::vector<std::string>& options, Step step) const {
  auto folder = TemporaryFolder::make("trial");
  if (!folder.ok()) return kUnknown;
  const std::string source = folder->path() + "/trial" + suffix_, output = folder->path() + "/out",
                    said = folder->path() + "/said";
  const bool links = step == Step::kLink;
  if (!write_file(source, program_for(suffix_, links)).ok()) return kUnknown;
  const auto compiles = [&](const std::vector<std::string>& added) {
    std::vector<std::string> words = {compiler_};
    words.insert(words.end(), added.begin(), added.end());
    if (!links) words.push_back("-c");
    words.insert(words.end(), {source, "-o", output});
    auto file = open_file(said, O_WRONLY | O_CREAT | O_TRUNC);
    return file.ok() && run_process(words, {.output = file->descriptor(), .error = file->descriptor()}) == 0;
  };
  const bool is_compiled = compiles(options);
  const bool has_hooks = text_of_file(output).find("__cyg_profile_func_enter") != std::string::npos;
  const std::string with = text_of_file(said);
  if (is_compiled && with.empty()) return step != Step::kCompileHooks || has_hooks ? kTaken : kRefused;
  const auto [without, is_new] = without_.try_emplace(links ? Step::kLink : Step::kCompile);
  if (is_new && compiles({})) without->second = text_of_file(said);
  if (!without->second) return kUnknown;
  const bool is_silent = is_compiled && with == *without->second;
  return is_silent && (step != Step::kCompileHooks || has_hooks) ? kTaken : kRefused;
}

}  // namespace tarry
