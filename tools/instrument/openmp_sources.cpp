// openmp_sources.cpp -- copies of sources that OPARI2 has instrumented.
#include "openmp_sources.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "base/file.hpp"
#include "base/limit_signals.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "run_compiler.hpp"

namespace tarry {
namespace {

namespace fs = std::filesystem;

// What the C preprocessor or its own scanner has not seen yet, in the languages that OPARI2 reads.
bool is_readable(const std::string& source) {
  return is_one_of(fs::path(source).extension().string(),
                   {".c", ".cc", ".cpp", ".cxx", ".c++", ".C", ".f", ".for", ".F", ".FOR", ".f90", ".f95", ".f03",
                    ".f08", ".F90", ".F95", ".F03", ".F08"});
}

bool is_fortran(const std::string& source) {
  const std::string extension = fs::path(source).extension().string();
  return extension.size() > 1 && (extension[1] == 'f' || extension[1] == 'F');
}

bool has_word(const CompilerCommand& command, std::string_view option) {
  return std::find(command.words.begin(), command.words.end(), option) != command.words.end();
}

}  // namespace

int run_command(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  const sigset_t defaults = changed_write_signals();
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t child = 0;
  const int cause = ::posix_spawnp(&child, arguments[0], nullptr, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  if (cause) return cause == ENOENT ? kExitNotFound : kExitNotExecutable;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : kExitSignal + WTERMSIG(status);
}

OpenMpSources::~OpenMpSources() {
  std::error_code ignored;  // a temporary folder that stays is no harm
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

// Each copy has a folder of its own, so that it keeps its name, and the object that of the source.
Result<OpenMpSources> OpenMpSources::make(CompilerCommand& command, bool only_prints) {
  OpenMpSources sources;
  std::string folder = (fs::temp_directory_path() / "tarry-openmp-XXXXXX").string();
  if (only_prints) {
    folder = (fs::temp_directory_path() / "tarry-openmp").string();
  } else {
    if (!::mkdtemp(folder.data())) return Error{folder, system_error(), "set TMPDIR to a folder that can be written"};
    sources.folder_ = folder;
  }
  std::vector<std::string> options;
  for (std::size_t i = 0; i < command.sources.size(); ++i) {
    const std::string& source = command.sources[i];
    const auto word = std::find(command.words.begin(), command.words.end(), source);
    if (!is_readable(source) || word == command.words.end()) continue;
    const fs::path copy = fs::path(folder) / std::to_string(i) / fs::path(source).filename();
    if (!only_prints) {
      std::error_code cause;
      fs::create_directory(copy.parent_path(), cause);
      if (cause) return Error{copy.parent_path().string(), cause.message(), ""};
      const int status = run_command({"opari2", source, copy.string()});
      if (status == kExitNotFound) {
        log_warning("opari2 is not installed: OpenMP is not recorded with this compiler");
        return OpenMpSources();
      }
      if (status != 0) {
        log_warning(source + ": opari2 cannot read it: its OpenMP constructs are not recorded");
        continue;
      }
    }
    // Headers beside the source are found there, and those of OPARI2 beside the copy.
    const std::string own_folder = fs::absolute(source).parent_path().string();
    for (const std::string& option : {std::string(is_fortran(source) ? "-I" : "-iquote"), own_folder})
      options.push_back(option);
    if (is_fortran(source)) {
      options.insert(options.end(), {"-I", copy.parent_path().string()});
      if (!has_word(command, "-cpp")) options.push_back("-cpp");
    }
    *word = copy.string();
  }
  command.words.insert(command.words.begin() + static_cast<std::ptrdiff_t>(command.compiler) + 1, options.begin(),
                       options.end());
  return sources;
}

}  // namespace tarry
