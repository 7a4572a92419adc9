// run_compiler.cpp -- runs a compiler command so that what it builds can be recorded.
#include "run_compiler.hpp"

#include <unistd.h>

#include <cerrno>
#include <iostream>

#include "archive/files/provenance.hpp"
#include "base/tool/cli.hpp"
#include "base/files/file.hpp"
#include "base/files/limit_signals.hpp"
#include "base/tool/log.hpp"
#include "base/text/text.hpp"
#include "compiler_command.hpp"
#include "instrumentation.hpp"
#include "openmp_sources.hpp"

namespace tarry {
namespace {

bool is_switched_off() {
  const char* value = std::getenv("TARRY_INSTRUMENT");
  if (!value) return false;
  const std::string text = value;
  return text == "off" || text == "0" || text == "no" || text == "false";
}

// `copies` are there as long as the command needs them.
Result<std::vector<std::string>> instrumented(const CompilerRun& options, OpenMpSources& copies) {
  if (is_switched_off()) return options.command;
  CompilerCommand command = read_compiler_command(options.command);
  if (!command.compiles && !command.links) return options.command;
  TARRY_TRY_ASSIGN(installation, find_installation());
  InstrumentOptions wanted;
  wanted.records_functions = !options.leaves_functions;
  wanted.records_inlined = options.records_inlined;
  wanted.filter_path = options.filter;
  if (const char* filter = std::getenv("TARRY_INSTRUMENT_FILTER"); filter && *filter && options.filter.empty())
    wanted.filter_path = filter;
  if (!wanted.filter_path.empty()) {
    TARRY_TRY_ASSIGN(filter, RegionFilter::read(wanted.filter_path));
    wanted.filter = std::move(filter);
  }
  if (const std::string warning = warning_about(command); !warning.empty()) log_warning(warning);
  const std::string& compiler = command.words[command.compiler];
  const CompilerFamily family = family_of(compiler);
  if (!wanted.filter.is_empty() && command.compiles) {
    if (family == CompilerFamily::kGcc) installation.gcc_plugin = find_gcc_plugin(installation, gcc_version(compiler));
    if (installation.gcc_plugin.empty())
      log_detail("functions cannot be left out by name with this compiler: give the filter to 'tarry measure', too");
  }
  // What instrument() is told of are the sources themselves: filters name these.
  if (command.compiles && !command.is_static && !command.preprocesses_only) {
    const bool records_constructs = command.uses_openmp && family == CompilerFamily::kGcc;
    TARRY_TRY_ASSIGN(made, OpenMpSources::make(command, records_constructs, options.only_prints));
    copies = std::move(made);
  }
  return instrument(command, family, installation, wanted);
}

// Becomes the compiler; comes back only if there is none.
int become(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  restore_write_signals();
  ::execvp(arguments[0], arguments.data());
  const int cause = errno;
  log_error({words[0], system_error(), "nothing was compiled"});
  return cause == ENOENT ? kExitNotFound : kExitNotExecutable;
}

}  // namespace

Result<int> run_compiler(const CompilerRun& options) {
  if (options.command.empty()) {
    log_error({"usage", "there is no command to run", "tarry instrument [OPTIONS] COMPILER ARGUMENT..."});
    return kExitUsage;
  }
  OpenMpSources copies;
  TARRY_TRY_ASSIGN(words, instrumented(options, copies));
  if (options.only_prints) {
    std::cout << join_command(words) << "\n";
    return kExitDone;
  }
  log_detail(join_command(words));
  return copies.is_empty() ? become(words) : copies.run(words);
}

}  // namespace tarry
