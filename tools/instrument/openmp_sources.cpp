// openmp_sources.cpp -- copies of sources that OPARI2 has instrumented.
#include "openmp_sources.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/files/file.hpp"
#include "base/processes/run_process.hpp"
#include "base/tool/log.hpp"
#include "base/text/text.hpp"
#include "dependency_file.hpp"
#include "opari_check.hpp"
#include "opari_copy.hpp"
#include "run_compiler.hpp"

namespace tarry {
namespace {

namespace fs = std::filesystem;

constexpr char kFolderName[] = "openmp";
constexpr char kTrialMessages[] = "trial.messages";

bool has_word(const std::vector<std::string>& words, std::string_view option) {
  return std::find(words.begin(), words.end(), option) != words.end();
}

// Headers beside the source are found there, and those of OPARI2 beside the copy.
std::vector<std::string> options_for(const std::string& source, const std::string& copy,
                                     const CompilerCommand& command) {
  const std::string own_folder = fs::absolute(source).parent_path().string();
  if (!is_fortran_source(source)) return {"-iquote", own_folder};
  std::vector<std::string> options = {"-I", own_folder, "-I", fs::path(copy).parent_path().string()};
  if (!has_word(command.words, "-cpp")) options.push_back("-cpp");
  return options;
}

OpariMode mode_for(const std::string& source, bool records_constructs) {
  if (records_constructs) return OpariMode::kAll;
  return marks_pomp_regions(source) ? OpariMode::kMarkedRegions : OpariMode::kNothing;
}

// Those that decide what is written where.
bool names_an_output(const std::string& word) { return is_one_of(word, {"-o", "-MF", "-MT", "-MQ"}); }
bool chooses_a_step(const std::string& word) {
  return is_one_of(word, {"-c", "-S", "-MD", "-MMD", "-MP", "-shared"}) || word.starts_with("-Wp,-M");
}

// Diagnostics go through a file first; a terminal is to have its colours all the same.
std::vector<std::string> with_colours(std::vector<std::string> words) {
  const auto chooses_colours = [](const std::string& word) { return word.starts_with("-fdiagnostics-color"); };
  if (::isatty(STDERR_FILENO) && std::none_of(words.begin(), words.end(), chooses_colours))
    words.push_back("-fdiagnostics-color=always");
  return words;
}

void print_file(const std::string& path) {
  const std::string text = text_of_file(path);
  if (::write(STDERR_FILENO, text.data(), text.size()) < 0) log_detail(path + ": " + system_error());
}

}  // namespace

Result<OpenMpSources> OpenMpSources::make(CompilerCommand& command, bool records_constructs, bool only_prints) {
  OpenMpSources sources;
  const std::vector<std::string> named = command.sources;
  for (const std::string& source : named) {
    if (!opari_reads(source) || !has_word(command.words, source)) continue;
    if (!records_constructs && !marks_pomp_regions(source) && !has_regions_of_scalea(source)) continue;
    if (sources.folder_.path().empty() && !only_prints) TARRY_TRY(sources.make_folder());
    if (!sources.add(command, source, records_constructs, only_prints)) return OpenMpSources();
  }
  if (sources.is_empty()) return OpenMpSources();
  return sources;
}

Status OpenMpSources::make_folder() {
  TARRY_TRY_ASSIGN(folder, TemporaryFolder::make(kFolderName));
  folder_ = std::move(folder);
  return {};
}

// Without a folder the command is only printed.
std::string OpenMpSources::path_of(const std::string& name) const {
  const std::string folder = folder_.path().empty() ? TemporaryFolder::pattern(kFolderName) : folder_.path();
  return folder + "/" + name;
}

// Each copy has a folder of its own, so that it keeps its name, and the object that of the source. False if OPARI2 is
// not there.
bool OpenMpSources::add(CompilerCommand& command, const std::string& source, bool records_constructs,
                        bool only_prints) {
  const std::string copy = path_of(std::to_string(copies_.size()) + "/" + fs::path(source).filename().string());
  if (!only_prints) {
    const OpariMode mode = mode_for(source, records_constructs);
    std::string reason = write_opari_copy(source, copy, mode);
    const char* what = records_constructs ? "its OpenMP constructs are" : "its regions of pomp are";
    if (!reason.empty()) log_warning(source + ": " + reason + ": " + what + " not recorded");
    if (!reason.empty() && has_regions_of_scalea(source)) reason = write_opari_copy(source, copy, OpariMode::kNothing);
    if (reason == kNoOpari) return false;
    if (!reason.empty()) return true;
  }
  std::replace(command.words.begin(), command.words.end(), source, copy);
  copies_.push_back({source, copy});
  const std::vector<std::string> options = options_for(source, copy, command);
  command.words.insert(command.words.begin() + static_cast<std::ptrdiff_t>(command.compiler) + 1, options.begin(),
                       options.end());
  return true;
}

int OpenMpSources::run(std::vector<std::string> words) const {
  words = without_misread(std::move(words));
  const std::string messages = path_of("messages");
  auto file = open_file(messages, O_WRONLY | O_CREAT | O_TRUNC);
  if (!file.ok()) return run_process(words);
  int status = run_process(with_colours(words), {.error = file->descriptor()});
  const std::vector<std::string> repaired = status == 0 || status >= kExitNotExecutable ? words : replace_broken(words);
  if (repaired == words) print_file(messages);
  else status = run_process(repaired);
  restore_dependencies(words);
  return status;
}

// The command's options with one input alone; what the compiler says goes into a file.
int OpenMpSources::run_trial(const std::vector<std::string>& words, const std::vector<std::string>& added) const {
  std::vector<std::string> trial;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto is_here = [&](const Copy& copy) { return words[i] == copy.path || words[i] == copy.source; };
    if (names_an_output(words[i])) ++i;
    else if (!chooses_a_step(words[i]) && std::none_of(copies_.begin(), copies_.end(), is_here))
      trial.push_back(words[i]);
  }
  trial.insert(trial.end(), added.begin(), added.end());
  auto said = open_file(path_of(kTrialMessages), O_WRONLY | O_CREAT | O_TRUNC);
  if (!said.ok()) return kExitNotExecutable;
  return run_process(trial, {.output = said->descriptor(), .error = said->descriptor()});
}

bool OpenMpSources::compiles(const std::vector<std::string>& words, const std::string& input) const {
  return run_trial(words, {"-c", "-o", path_of("trial.o"), input}) == 0;
}

// Fortran names the ends of its constructs. But in a kind of subprogram that OPARI2 does not know it declares nothing,
// and then its variables are what they are by default.
bool OpenMpSources::is_misread(const std::vector<std::string>& words, const Copy& copy) const {
  if (is_fortran_source(copy.source)) {
    run_trial(words, {"-fsyntax-only", "-fimplicit-none", copy.path});
    const std::string said = text_of_file(path_of(kTrialMessages));
    return said.find("'opari2_") != said.npos || said.find("'pomp2_") != said.npos ||
           said.find("‘opari2_") != said.npos || said.find("‘pomp2_") != said.npos;
  }
  const std::string preprocessed = path_of("trial.i");
  return run_trial(words, {"-E", "-o", preprocessed, copy.path}) == 0 &&
         !opari_found_all_ends(text_of_file(preprocessed));
}

std::vector<std::string> OpenMpSources::without_misread(std::vector<std::string> words) const {
  for (const Copy& copy : copies_) {
    if (!is_misread(words, copy)) continue;
    log_warning(copy.source + ": opari2 misreads it: its OpenMP constructs are not recorded");
    std::replace(words.begin(), words.end(), copy.path, copy.source);
  }
  return words;
}

std::vector<std::string> OpenMpSources::replace_broken(std::vector<std::string> words) const {
  std::vector<std::string> repaired = words;
  std::size_t broken = 0;
  for (const Copy& copy : copies_) {
    if (!has_word(words, copy.path)) continue;
    if (compiles(words, copy.path) || !compiles(words, copy.source)) continue;
    log_warning(copy.source + ": what opari2 makes of it does not compile: its OpenMP constructs are not recorded");
    std::replace(repaired.begin(), repaired.end(), copy.path, copy.source);
    ++broken;
  }
  return broken > 0 ? repaired : words;
}

void OpenMpSources::restore_dependencies(const std::vector<std::string>& words) const {
  for (const Copy& copy : copies_)
    for (const std::string& file : dependency_files(words, copy.source))
      restore_dependency_file(file, copy.path, copy.source);
}

}  // namespace tarry
