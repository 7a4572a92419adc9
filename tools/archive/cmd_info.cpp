// cmd_info.cpp -- tarry archive info.
#include <cstdio>

#include "archive/archive.hpp"
#include "archive/reading/contents.hpp"
#include "archive/files/manifest.hpp"
#include "archive/files/names.hpp"
#include "archive/files/unified_file.hpp"
#include "archive/finishing/unify_contents.hpp"
#include "base/tool/cli.hpp"
#include "base/text/format.hpp"
#include "base/text/printable.hpp"
#include "commands.hpp"
#include "defs/mpi_worlds.hpp"
#include "defs/sequence.hpp"
#include "defs/unify.hpp"
#include "list_topologies.hpp"

namespace tarry {
namespace {

void print_fact(const char* name, const std::string& value) {
  if (!value.empty()) print_line(pad_right(name, 14) + " " + value);
}

// With the way out where the recording was not closed.
std::string state_text(const std::string& path) {
  const ArchiveState state = state_of(path);
  const bool is_open = state == ArchiveState::kDead && !path_exists(path + "/" + names::kDefinitions);
  const bool wants_unify = is_open && why_nothing_recorded(path).empty();
  return std::string(name_of(state)) + (wants_unify ? ": run 'tarry unify " + path + "'" : "");
}

std::string number(double value, const char* format) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string host_text(const ManifestHost& host) {
  std::string text = host.name;
  if (host.cores > 0) text += ", " + format_count(std::uint64_t{host.cores}, "core");
  if (!host.processor.empty()) text += ", " + host.processor;
  if (!host.network.empty()) text += ", " + host.network;
  return text;
}

void print_manifest(const Manifest& manifest) {
  print_fact("program", manifest.program);
  print_fact("command", manifest.command);
  print_fact("ranks", std::to_string(manifest.ranks));
  print_fact("threads", std::to_string(manifest.threads) + " in all");
  print_fact("missing", manifest.missing);
  print_fact("not recorded", manifest.not_recorded);
  if (manifest.exit_status) print_fact("exit status", std::to_string(*manifest.exit_status));
  print_fact("started", manifest.started);
  print_fact("ended", manifest.ended);
  for (const ManifestHost& host : manifest.hosts) print_fact("host", host_text(host));
  print_fact("MPI", manifest.mpi);
  print_fact("build", manifest.build);
  if (manifest.ticks_per_second > 0)
    print_fact("clock",
               number(manifest.ticks_per_second, "%.9g ticks per second") +
                   (manifest.clock_domains > 1 ? ", " + std::to_string(manifest.clock_domains) + " clocks" : ""));
  print_fact("written by", "tarry " + manifest.tool_version);
  for (const auto& [name, value] : manifest.settings) print_fact("setting", name + "=" + value);
}

void print_stages(const Manifest& manifest) {
  for (const StageEntry& stage : manifest.stages) {
    std::string outputs;
    for (const FileSum& file : stage.outputs) outputs += " " + file.name;
    print_fact("stage", stage.stage + " " + stage.started + " " + number(stage.wall_seconds, "%.3f s") +
                            (outputs.empty() ? "" : ", wrote" + outputs));
  }
}

// Those of the run, also before anybody has unified them. What is damaged in them is for `verify` to tell.
Definitions definitions_of(const std::string& path, const ArchiveContents& contents) {
  auto unified = read_unified(path + "/" + names::kDefinitions);
  FaultLog faults;
  return unified.ok() ? std::move(unified->global) : unify_contents(contents, faults).global;
}

// What the run ran on, by kinds of units; where hardly two are alike, the beginning.
void print_system(const Definitions& all) {
  constexpr std::size_t kMostCharacters = 300;
  if (all.processes.empty()) return;
  if (!has_system_tree(all))
    return print_fact("system", std::to_string(all.system_nodes.size()) + " units, nested more than 60 deep");
  for (const Sequence& root : system_tree_of(all)) {
    std::string text = (root.copies > 1 ? std::to_string(root.copies) + " x " : "") + describe(root);
    if (text.size() > kMostCharacters) text = text.substr(0, kMostCharacters) + "...";
    print_fact("system", text);
  }
}

// "page-faults, task-clock [ns]", and what was asked for beside them.
void print_counters(const Definitions& all) {
  std::string line;
  for (const Counter& counter : all.counters) {
    line.append(line.empty() ? "" : ", ").append(all.text(counter.name));
    if (const std::string_view unit = all.text(counter.unit); !unit.empty()) line.append(" [").append(unit).append("]");
  }
  print_fact("counters", line);
  for (const Property& property : all.properties)
    if (all.text(property.key) == kNotCountedKey) print_fact("not counted", std::string(all.text(property.value)));
  for (const Property& property : all.properties)
    if (all.text(property.key) == kBlocksNotFollowedKey)
      print_fact("not followed", std::string(all.text(property.value)) + " blocks of the heap");
}

void print_calls_not_recorded(const Definitions& all) {
  for (const Property& property : all.properties) {
    const std::string count(all.text(property.value));
    if (all.text(property.key) == kCallsTooDeepKey) print_fact("not recorded", count + " calls nested too deep");
    if (all.text(property.key) == kCallsMissedKey)
      print_fact("not recorded", count + " calls of signal handlers that interrupted the recorder");
    if (all.text(property.key) == kCallsBehindEndKey)
      print_fact("not recorded", count + " calls of threads whose recording had ended");
  }
}

}  // namespace

Result<int> show_info(const std::string& path, bool wants_places) {
  TARRY_TRY(check_is_archive(path));
  TARRY_TRY(check_manifest_facts(path));
  print_fact("archive", path);
  print_fact("state", state_text(path));
  const auto manifest = read_manifest(path);
  if (manifest.ok()) print_manifest(manifest.value());
  else print_fact("manifest", manifest.error().why);

  FaultLog faults;
  TARRY_TRY_ASSIGN(contents, ArchiveContents::open(path, faults));
  std::uint64_t chunks = 0, events = 0;
  Bytes stored = 0, raw = 0;
  for (const Container& file : contents.files())
    for (const ChunkRef& chunk : file.chunks()) {
      ++chunks;
      if (chunk.header.kind != ChunkKind::kEvents) continue;
      events += chunk.header.event_count;
      stored += chunk.header.stored_bytes;
      raw += chunk.header.raw_bytes;
    }
  print_fact("files", std::to_string(contents.files().size()) + " with " + std::to_string(chunks) + " chunks");
  print_fact("events", std::to_string(events));
  if (events > 0)
    print_fact("per event",
               number(static_cast<double>(raw) / static_cast<double>(events), "%.3g bytes encoded, ") +
                   number(static_cast<double>(stored) / static_cast<double>(events), "%.3g bytes on disk"));
  const Definitions all = definitions_of(path, contents);
  print_fact("worlds", describe(mpi_worlds(all)));
  print_system(all);
  print_counters(all);
  print_calls_not_recorded(all);
  for (const std::string& line : list_topologies(all)) print_fact("topology", line);
  if (wants_places) print_places(all);
  print_fact("damage", faults.summary());
  if (manifest.ok()) print_stages(manifest.value());
  return kExitDone;
}

}  // namespace tarry
