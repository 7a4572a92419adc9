// efficiency_table.cpp -- efficiencies of runs side by side, as CSV and JSON.
#include "efficiency/efficiency_table.hpp"

#include "base/text/csv.hpp"
#include "base/text/json.hpp"

namespace tarry {
namespace {

constexpr int kEfficiencyVersion = 1;

struct NamedModel {
  EfficiencyModel model;
  const char* name;
};
constexpr NamedModel kModels[] = {{EfficiencyModel::kStandard, "standard"},
                                  {EfficiencyModel::kMultiplicative, "multiplicative"},
                                  {EfficiencyModel::kAdditive, "additive"},
                                  {EfficiencyModel::kAccelerated, "accelerated"}};

void add_optional(JsonWriter& out, const char* name, const std::optional<double>& value) {
  out.name(name);
  if (value) out.add(*value);
  else out.add_null();
}

void add_efficiencies(JsonWriter& out, const Efficiencies& values, EfficiencyModel model) {
  out.name(name_of(model)).begin_object(JsonWriter::Layout::kLines);
  for (const EfficiencyInfo& info : efficiency_table())
    if (info.model == model) add_optional(out, info.key, values[info.id]);
  out.end();
}

void add_reasons(JsonWriter& out, const EfficiencyTable& table, std::size_t number) {
  out.name("missing").begin_object();
  for (const EfficiencyInfo& info : efficiency_table())
    if (info.model == EfficiencyModel::kStandard && !table.values[number][info.id])
      out.member(info.key, why_missing(info.id, table.runs[number].times, table.runs[0].times));
  out.end();
}

void add_efficient_run(JsonWriter& out, const EfficiencyTable& table, std::size_t number) {
  const EfficiencyRun& run = table.runs[number];
  const RunSums sums = sums_of(run.times);
  out.begin_object(JsonWriter::Layout::kLines).member("run", run.input).member("is_traced", run.is_traced);
  out.member("processes", sums.processes).member("threads", sums.threads).member("runtime", run.times.runtime);
  add_optional(out, "ideal", run.times.ideal);
  out.member("useful", sums.useful).member("mean_useful", sums.mean_useful());
  out.member("longest_useful", sums.longest_useful);
  add_optional(out, "instructions", run.times.instructions);
  add_optional(out, "cycles", run.times.cycles);
  for (const NamedModel& each : kModels)
    if (table.values[number].has(each.model)) add_efficiencies(out, table.values[number], each.model);
  add_reasons(out, table, number);
  out.name("notes").begin_array(JsonWriter::Layout::kLines);
  for (const std::string& note : run.notes) out.add(note);
  out.end().end();
}

}  // namespace

const char* name_of(EfficiencyModel model) { return kModels[static_cast<std::size_t>(model)].name; }

EfficiencyTable make_efficiency_table(std::vector<EfficiencyRun> runs, Scaling scaling, const RunPart& part) {
  EfficiencyTable table{.runs = std::move(runs), .values = {}, .scaling = scaling, .part = part};
  for (const EfficiencyRun& run : table.runs)
    table.values.push_back(efficiencies_of(run.times, table.runs[0].times, scaling));
  return table;
}

std::string efficiency_csv(const EfficiencyTable& table) {
  CsvWriter csv("run,processes,threads,model,metric,parent,value,missing");
  for (std::size_t i = 0; i < table.runs.size(); ++i) {
    const RunSums sums = sums_of(table.runs[i].times);
    for (const EfficiencyInfo& info : efficiency_table()) {
      if (info.model != EfficiencyModel::kStandard && !table.values[i].has(info.model)) continue;
      csv.add(table.runs[i].input).add(sums.processes).add(sums.threads).add(name_of(info.model)).add(info.key);
      if (info.parent == Efficiency::kNone) csv.skip();
      else csv.add(efficiency_table()[static_cast<std::size_t>(info.parent)].key);
      if (const auto& value = table.values[i][info.id]) csv.add(*value).skip();
      else csv.skip().add(why_missing(info.id, table.runs[i].times, table.runs[0].times));
      csv.end_row();
    }
  }
  return csv.take();
}

std::string efficiency_json(const EfficiencyTable& table) {
  JsonWriter json;
  json.begin_object(JsonWriter::Layout::kLines).member("version", kEfficiencyVersion);
  json.member("scaling", table.scaling == Scaling::kWeak ? "weak" : "strong");
  json.name("region");
  if (table.part.is_whole()) json.add_null();
  else json.add(table.part.region);
  json.name("iteration");
  if (table.part.iteration) json.add(*table.part.iteration);
  else json.add_null();
  json.name("runs").begin_array(JsonWriter::Layout::kLines);
  for (std::size_t i = 0; i < table.runs.size(); ++i) add_efficient_run(json, table, i);
  json.end().end();
  return json.take();
}

}  // namespace tarry
