// scale_data.cpp -- models and studies, for programs.
#include "scaling/scale_data.hpp"

#include "base/text/csv.hpp"
#include "base/text/json.hpp"
#include "base/text/printable.hpp"
#include "scaling/model/reference_choice.hpp"

namespace tarry {
namespace {

void add_terms(JsonWriter& json, const ScalingModel& model, const std::vector<std::string>& parameters) {
  json.begin_array();
  for (const ModelTerm& term : model.terms) {
    json.begin_object().member("c", term.coefficient);
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      const Growth& growth = term.growths[k];
      if (growth.is_constant()) continue;
      json.name(parameters[k]).begin_array().add(growth.power.text()).add(std::to_string(growth.log)).end();
    }
    json.end();
  }
  json.end();
}

void add_optional(JsonWriter& json, const std::optional<double>& value) {
  if (value) json.add(*value);
  else json.add_null();
}

void add_points(JsonWriter& json, const MeasuredSeries& series) {
  json.name("points").begin_array();
  for (const MeasuredPoint& point : series.points) {
    json.begin_object().name("at").begin_array();
    for (const double value : point.at) json.add(value);
    json.end().name("values").begin_array();
    for (const double value : point.values) json.add(value);
    json.end().end();
  }
  json.end();
}

void add_model(JsonWriter& json, const ModelledRow& row) {
  const ScalingModel& model = *row.model;
  json.name("model").begin_object().member("constant", model.constant).name("terms");
  add_terms(json, model, row.series.parameters);
  json.member("text", model.text(row.series.parameters)).member("rss", model.figures.rss);
  json.member("smape", model.figures.smape).member("adjusted_r2", model.figures.adjusted_r2);
  if (row.choice) json.member("support", row.choice->support);
  json.end().name("predicted").begin_object().name("at").begin_array();
  for (const double value : row.at) json.add(value);
  json.end().member("value", row.prediction);
  if (row.band) json.member("lower", row.band->lower).member("upper", row.band->upper);
  json.member("share", row.share).end();
}

void add_configuration(JsonWriter& json, const Configuration& configuration) {
  json.begin_object().name("parameters").begin_object();
  for (const auto& [name, value] : configuration.parameters) json.member(name, value);
  json.end().member("runs", configuration.runs.size()).member("runtime", configuration.runtime);
  json.member("reference", configuration.reference).member("speedup", configuration.speedup);
  json.member("efficiency", configuration.efficiency).name("runtimes").begin_array();
  for (const Seconds runtime : configuration.runtimes) json.add(runtime);
  json.end().name("pop").begin_object();
  for (const EfficiencyInfo& info : efficiency_table())
    if (info.model == EfficiencyModel::kStandard && configuration.pop[info.id])
      json.member(info.key, *configuration.pop[info.id]);
  json.end().end();
}

std::string name_in_csv(const std::string& name, CsvNames names) {
  return names == CsvNames::kRaw ? name : printable(name);
}

}  // namespace

void add_row_object(JsonWriter& json, const ModelledRow& row) {
  json.begin_object().member("callpath", row.series.call_path).member("metric", row.series.metric);
  json.name("parameters").begin_array();
  for (const std::string& name : row.series.parameters) json.add(name);
  json.end();
  add_points(json, row.series);
  if (row.model) add_model(json, row);
  else json.name("model").add_null().member("why", row.why_none);
  json.end();
}

void add_study(JsonWriter& json, const Study& study) {
  json.member("scaling", study.scaling == Scaling::kWeak ? "weak" : "strong");
  json.name("configurations").begin_array(JsonWriter::Layout::kLines);
  for (const Configuration& configuration : study.configurations) add_configuration(json, configuration);
  json.end().name("regions").begin_array(JsonWriter::Layout::kLines);
  for (const RegionScaling& region : study.regions) {
    json.begin_object().member("name", region.name).member("metric", region.metric).name("times").begin_array();
    for (const double time : region.times) json.add(time);
    json.end().name("speedups").begin_array();
    for (const auto& speedup : region.speedups) add_optional(json, speedup);
    json.end().name("efficiencies").begin_array();
    for (const auto& efficiency : region.efficiencies) add_optional(json, efficiency);
    json.end().end();
  }
  json.end().name("parts").begin_array(JsonWriter::Layout::kLines);
  for (const PartScaling& part : study.parts) {
    json.begin_object().member("name", part.name).member("title", part.title).name("seconds").begin_array();
    for (const double seconds : part.seconds) json.add(seconds);
    json.end().end();
  }
  json.end();
}

std::string terms_json(const ScalingModel& model, const std::vector<std::string>& parameters) {
  JsonWriter json;
  add_terms(json, model, parameters);
  std::string text = json.take();
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

std::string models_csv(const std::vector<ModelledRow>& rows, CsvNames names) {
  CsvWriter csv("callpath,metric,constant,terms,rss,smape,adjusted_r2");
  for (const ModelledRow& row : rows) {
    csv.add(name_in_csv(row.series.call_path, names)).add(name_in_csv(row.series.metric, names));
    if (row.model) {
      csv.add(row.model->constant).add(terms_json(*row.model, row.series.parameters)).add(row.model->figures.rss);
      csv.add(row.model->figures.smape).add(row.model->figures.adjusted_r2);
    } else {
      csv.skip(5);
    }
    csv.end_row();
  }
  return csv.take();
}

std::string hypotheses_csv(const std::vector<MeasuredSeries>& series, CsvNames names) {
  CsvWriter csv("callpath,metric,parameter,i,j,constant,coefficient,rss,smape,adjusted_r2,counts");
  for (const MeasuredSeries& one : series) {
    for (std::size_t k = 0; k < one.parameters.size(); ++k) {
      const ParameterLine line = longest_line(one.points, k);
      for (const ReferenceHypothesis& hypothesis : reference_hypotheses(line.at, line.values)) {
        for (const std::string& name : {one.call_path, one.metric, one.parameters[k]})
          csv.add(name_in_csv(name, names));
        csv.add(hypothesis.growth.power.text()).add(hypothesis.growth.log);
        csv.add(hypothesis.constant).add(hypothesis.coefficient);
        csv.add(hypothesis.figures.rss).add(hypothesis.figures.smape).add(hypothesis.figures.adjusted_r2);
        csv.add(hypothesis.counts ? 1 : 0).end_row();
      }
    }
  }
  return csv.take();
}

std::string scale_json(const Study* study, const std::vector<ModelledRow>& rows) {
  JsonWriter json;
  json.begin_object(JsonWriter::Layout::kLines).member("version", 1);
  if (study) add_study(json, *study);
  json.name("models").begin_array(JsonWriter::Layout::kLines);
  for (const ModelledRow& row : rows) add_row_object(json, row);
  return json.end().end().take();
}

}  // namespace tarry
