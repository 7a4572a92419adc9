// cmd_list_runs.cpp -- tarry store list.
#include <unistd.h>

#include "base/text/csv.hpp"
#include "base/text/format.hpp"
#include "base/text/json.hpp"
#include "base/text/text.hpp"
#include "run_tables.hpp"
#include "store/run_object.hpp"
#include "store_commands.hpp"

namespace tarry {
namespace {

std::string tags_text(const StoredRun& run) {
  std::string text;
  for (const std::string& tag : run.tags) text += (text.empty() ? "" : " ") + tag;
  return text;
}

std::string runs_as_csv(const std::vector<StoredRun>& runs) {
  CsvWriter csv("run,program,commit,kind,nodes,ranks,locations,date,wall_seconds,parameters,tags,source,key");
  for (const StoredRun& run : runs) {
    csv.add(run.id).add(run.program).add(run.commit).add(run.kind).add(run.nodes).add(run.ranks).add(run.locations);
    csv.add(run.date);
    run.wall_seconds ? csv.add(*run.wall_seconds) : csv.skip();
    csv.add(parameters_text(run)).add(tags_text(run)).add(run.source).add(run.key).end_row();
  }
  return csv.take();
}

std::string runs_as_json(const std::vector<StoredRun>& runs) {
  JsonWriter json;
  json.begin_object(JsonWriter::Layout::kLines).member("version", 1).name("runs");
  json.begin_array(JsonWriter::Layout::kLines);
  for (const StoredRun& run : runs) add_run_object(json, run);
  return json.end().end().take();
}

std::string runs_as_text(const std::vector<StoredRun>& runs) {
  TextTable table({"run", "program", "ranks", "date", "wall", "kind", "commit", "parameters", "tags"}, {0, 2, 4});
  for (const StoredRun& run : runs)
    table.add({std::to_string(run.id), shorten_middle(run.program, 30), std::to_string(run.ranks), run.date,
               run.wall_seconds ? format_seconds(*run.wall_seconds) : "-", run.kind, shorten_end(run.commit, 12),
               parameters_text(run), tags_text(run)});
  return table.text();
}

}  // namespace

Result<int> list_runs(const StoreOptions& options) {
  TARRY_TRY_ASSIGN(database, open_store_of(options, StoreAccess::kRead));
  TARRY_TRY_ASSIGN(runs, chosen_runs(*database, options));
  if (options.format == "csv") TARRY_TRY(print_text(runs_as_csv(runs)));
  else if (options.format == "json") TARRY_TRY(print_text(runs_as_json(runs)));
  else TARRY_TRY(print_text(runs_as_text(runs)));
  return 0;
}

}  // namespace tarry
