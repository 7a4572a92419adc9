// run_object.cpp -- the facts of a run, for programs.
#include "store/run_object.hpp"

namespace tarry {

void add_run_object(JsonWriter& json, const StoredRun& run) {
  json.begin_object().member("run", run.id).member("program", run.program).member("commit", run.commit);
  json.member("kind", run.kind).member("nodes", run.nodes).member("ranks", run.ranks);
  json.member("locations", run.locations).member("date", run.date).name("wall_seconds");
  run.wall_seconds ? json.add(*run.wall_seconds) : json.add_null();
  json.name("parameters").begin_object();
  for (const auto& [name, value] : run.parameters) json.member(name, value);
  json.end().name("tags").begin_array();
  for (const std::string& tag : run.tags) json.add(tag);
  json.end().member("machine", run.machine).name("cores");
  run.cores ? json.add(*run.cores) : json.add_null();
  json.member("network", run.network)
      .member("clocks", run.clocks)
      .member("mpi", run.mpi)
      .member("creator", run.creator)
      .member("command", run.command);
  json.member("source", run.source).member("incomplete", run.incomplete).member("flags", run.flags);
  json.member("modules", run.modules).member("added", run.added).member("report_bytes", run.report_bytes);
  json.member("key", run.key).end();
}

}  // namespace tarry
