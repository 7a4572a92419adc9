// main.cpp -- tarry-instrument: runs a compiler so that what it builds can be recorded.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iostream>

#include "archive/provenance.hpp"
#include "base/cli.hpp"
#include "base/file.hpp"
#include "base/limit_signals.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "base/tool_main.hpp"
#include "compiler_command.hpp"
#include "instrumentation.hpp"
#include "openmp_sources.hpp"

namespace tarry {
namespace {

constexpr int kExitNotExecutable = 126, kExitNotFound = 127;  // as a shell has it

constexpr char kExamples[] =
    "examples:\n"
    "  tarry instrument mpicc -O2 -c solve.c             compile\n"
    "  tarry instrument mpicc -o app main.o solve.o      link\n"
    "  make CC=\"tarry instrument mpicc\"                  a whole project\n"
    "  CC=tarry-cc CXX=tarry-cxx FC=tarry-fc cmake ..    wrappers for cmake and configure\n"
    "\n"
    "The program is recorded under 'tarry measure'; alone it runs as before. Functions are those of the program's own\n"
    "sources. The compiler's exit status is passed on. In the environment: TARRY_INSTRUMENT=off leaves commands as "
    "they\n"
    "are, TARRY_INSTRUMENT_FILTER names a filter file; the wrappers run $TARRY_CC (cc), $TARRY_CXX (c++), $TARRY_FC\n"
    "(gfortran).\n"
    "reads: the filter file; writes: what the compiler writes\n"
    "see also: tarry measure, tarry score";

struct Options {
  bool only_prints = false;
  bool leaves_functions = false;
  bool records_inlined = false;
  std::string filter;
  std::vector<std::string> command;
};

bool is_switched_off() {
  const char* value = std::getenv("TARRY_INSTRUMENT");
  if (!value) return false;
  const std::string text = value;
  return text == "off" || text == "0" || text == "no" || text == "false";
}

// `copies` are there as long as the command needs them.
Result<std::vector<std::string>> instrumented(const Options& options, OpenMpSources& copies) {
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
  if (command.uses_openmp && command.compiles && family == CompilerFamily::kGcc) {
    TARRY_TRY_ASSIGN(made, OpenMpSources::make(command, options.only_prints));
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

Result<int> run(const Options& options) {
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
  return copies.is_empty() ? become(words) : run_command(words);
}

// Our own options end at the first word that is none.
int count_own_words(int argc, char** argv) {
  int own = 1;
  while (own < argc && argv[own][0] == '-' && std::string(argv[own]) != "--")
    own += is_one_of(argv[own], {"-f", "--filter"}) ? 2 : 1;
  return std::min(own, argc);
}

}  // namespace
}  // namespace tarry

static int instrument_main(int argc, char** argv) {
  tarry::Cli cli("instrument",
                 "runs a compiler so that what it builds can be recorded:\n"
                 "  tarry-instrument [OPTIONS] COMPILER [ARGUMENT...]",
                 tarry::kExamples);
  tarry::Options options;
  cli.app().add_flag("-n,--dry-run", options.only_prints, "print the command and do not run it");
  cli.app()
      .add_option("-f,--filter", options.filter, "do not instrument what this filter file excludes")
      ->type_name("FILE");
  cli.app().add_flag("--user", options.leaves_functions, "record no functions, only what tarry/user.h marks (and MPI)");
  cli.app().add_flag("--inlined", options.records_inlined, "with clang: functions that it inlines, too");
  const int own = tarry::count_own_words(argc, argv);
  const int first = own < argc && std::string(argv[own]) == "--" ? own + 1 : own;
  options.command.assign(argv + first, argv + argc);
  if (const auto status = cli.parse(own, argv)) return *status;
  return cli.finish(tarry::run(options));
}

int main(int argc, char** argv) { return tarry::tool_main("instrument", argc, argv, instrument_main); }
