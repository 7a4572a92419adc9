// main.cpp -- tarry-unify: closes a recording that was not closed, and writes the global definitions and the summary.
#include "archive/files/provenance.hpp"
#include "base/tool/cli.hpp"
#include "base/tool/tool_main.hpp"
#include "collect.hpp"
#include "run_unify.hpp"

using namespace tarry;

static const char kFooter[] = R"(
Examples:
  tarry unify tarry-lmp-1               after the batch system killed the job
  tarry unify -v tarry-lmp-1            with details
  mpirun -np 8 tarry unify tarry-lmp-1  the same on 8 processes, whatever the number of ranks recorded

'tarry measure' does the same when the run is over; where that happened, nothing is left to do. What killed processes
recorded is moved into containers first. It may be interrupted and run again. The definitions are unified over a tree of
all processors, under mpirun or srun of all processes.

Files: reads and writes events/, definitions.tdef, summary.cubex and manifest.xml of the archive.
See also: tarry measure, tarry archive verify, tarry replay)";

static int unify_main(int argc, char** argv) {
  Cli cli("unify", "Writes the global definitions of an archive, after salvaging what killed processes left.", kFooter);
  std::string path;
  cli.option("ARCHIVE", path, "folder made by 'tarry measure'").required();
  const std::string command = join_command(std::vector<std::string>(argv, argv + argc));
  if (const auto status = cli.parse(argc, argv)) return *status;
  Exchange exchange;
  if (const Status joined = exchange.join_job(&argc, &argv); !joined.ok())
    return exchange.rank() == 0 ? cli.finish(joined) : kExitFailed;
  JobGroup group(exchange);
  return cli.finish(run_unify(path, command, group));
}

int main(int argc, char** argv) { return tarry::tool_main("unify", argc, argv, unify_main); }
