// main.cpp -- tarry-instrument: runs a compiler so that what it builds can be recorded.
#include <algorithm>

#include "base/tool/cli.hpp"
#include "base/text/text.hpp"
#include "base/tool/tool_main.hpp"
#include "run_compiler.hpp"

namespace tarry {
namespace {

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
  tarry::CompilerRun options;
  cli.flag("-n,--dry-run", options.only_prints, "print the command and do not run it");
  cli.option("-f,--filter", options.filter, "do not instrument what this filter file excludes").value_name("FILE");
  cli.flag("--user", options.leaves_functions, "record no functions, only what tarry/user.h marks (and MPI)");
  cli.flag("--inlined", options.records_inlined, "with clang: functions that it inlines, too");
  const int own = tarry::count_own_words(argc, argv);
  const int first = own < argc && std::string(argv[own]) == "--" ? own + 1 : own;
  options.command.assign(argv + first, argv + argc);
  if (const auto status = cli.parse(own, argv)) return *status;
  return cli.finish(tarry::run_compiler(options));
}

int main(int argc, char** argv) { return tarry::tool_main("instrument", argc, argv, instrument_main); }
