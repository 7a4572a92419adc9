// stored_runs_block.cpp -- the runs of a store as the page holds them.
#include "page/study/stored_runs_block.hpp"

#include <filesystem>
#include <unordered_map>

#include "base/text/format.hpp"
#include "base/text/json.hpp"
#include "store/run_object.hpp"

namespace tarry {
namespace {

constexpr std::size_t kLongestFact = 240, kMostFacts = 32;

}  // namespace

Result<std::string> stored_runs_block(Database& database, const std::vector<StoredRun>& runs) {
  TARRY_TRY_ASSIGN(times, find_series(database, {.metric = "time", .region = {}, .call_path = {}}));
  std::unordered_map<std::int64_t, double> time_of;
  for (const RunValue& time : times) time_of.emplace(time.run, time.value);
  JsonWriter json;
  json.begin_object(JsonWriter::Layout::kLines).name("runs").begin_array(JsonWriter::Layout::kLines);
  for (const StoredRun& run : runs) add_run_object(json, run);
  json.end().name("time").begin_array();
  for (const StoredRun& run : runs) {
    const auto time = time_of.find(run.id);
    if (time == time_of.end()) json.add_null();
    else json.add(time->second);
  }
  return json.end().end().take();
}

void redact(StoredRun& run) {
  for (std::string* text : {&run.machine, &run.modules, &run.flags, &run.command}) text->clear();
  run.source = std::filesystem::path(run.source).filename().string();
}

void shorten_texts(StoredRun& run) {
  for (std::string* text : {&run.program, &run.commit, &run.flags, &run.modules, &run.kind, &run.creator, &run.command,
                            &run.source, &run.incomplete, &run.machine})
    *text = shorten_end(*text, kLongestFact);
  if (run.parameters.size() > kMostFacts) run.parameters.resize(kMostFacts);
  for (auto& [name, value] : run.parameters)
    name = shorten_end(name, kLongestFact), value = shorten_end(value, kLongestFact);
  if (run.tags.size() > kMostFacts) run.tags.resize(kMostFacts);
  for (std::string& tag : run.tags) tag = shorten_end(tag, kLongestFact);
}

}  // namespace tarry
