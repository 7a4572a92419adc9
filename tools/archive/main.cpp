// main.cpp -- tarry-archive: what is in an experiment archive, and is it whole.
#include "base/tool/cli.hpp"
#include "base/tool/tool_main.hpp"
#include "commands.hpp"

using namespace tarry;

static const char kFooter[] = R"(
Examples:
  tarry archive info tarry-lmp-1
  tarry archive dump tarry-lmp-1 --rank 3 | grep MPI_SEND
  tarry archive verify tarry-lmp-1 && echo whole

dump prints: rank thread seconds KIND field=value ...; defined things as number:"name", an absent field as "-".
verify ends with 0 if the archive is intact and complete, with 1 otherwise, saying how much can be read.

Files: reads manifest.xml, definitions.tdef and events/ of the archive; writes nothing.
See also: tarry measure, tarry unify, tarry merge)";

static int archive_main(int argc, char** argv) {
  Cli cli("archive", "Shows and checks what an experiment archive holds.", kFooter);
  cli.needs_operation();
  std::string path;
  DumpOptions dump;
  bool is_quick = false, wants_places = false;
  const auto command = [&](const char* name, const char* purpose) {
    CliOptions operation = cli.operation(name, purpose);
    operation.option("ARCHIVE", path, "folder made by 'tarry measure' or 'tarry merge'").required();
    return operation;
  };
  const CliOptions ls = command("ls", "list the files and what is in them");
  CliOptions info = command("info", "print the state, facts about the run and the stages");
  info.flag("--places", wants_places, "and the positions in grids and graphs of processes");
  CliOptions dump_app = command("dump", "print the events, one per line");
  dump_app.option("--rank", dump.rank, "only this rank");
  dump_app.option("--thread", dump.thread, "only this thread of each rank");
  CliOptions verify = command("verify", "check that everything is there and undamaged");
  verify.flag("--quick", is_quick, "do not read the events, only framing and checksums of headers");
  if (const auto status = cli.parse(argc, argv)) return *status;

  if (ls.is_chosen()) return cli.finish(list_archive(path));
  if (info.is_chosen()) return cli.finish(show_info(path, wants_places));
  if (dump_app.is_chosen()) return cli.finish(dump_events(path, dump));
  return cli.finish(verify_and_tell(path, is_quick));
}

int main(int argc, char** argv) { return tarry::tool_main("archive", argc, argv, archive_main); }
