// write_summary.cpp -- collates the profiles of an archive.
#include "summary/write_summary.hpp"

#include "archive/reading/contents.hpp"
#include "archive/files/names.hpp"
#include "archive/files/provenance.hpp"
#include "archive/files/unified_file.hpp"
#include "defs/properties.hpp"
#include "defs/processor_use.hpp"
#include "defs/run_parameters.hpp"
#include "defs/unify.hpp"
#include "report/cubex/cubex_file.hpp"
#include "report/cubex/cubex_writer.hpp"
#include "summary/collate_summary.hpp"

namespace tarry {
namespace {

RecordingFacts facts_of(const Definitions& all, bool has_events) {
  RecordingFacts facts;
  facts.mode = has_events ? RecordingMode::kBoth : RecordingMode::kSummary;
  facts.is_filtered = !first_property(all, "environment.TARRY_FILTER").empty();
  facts.lookups = static_cast<double>(number_property(all, kCallPathStacksKey));
  facts.lookup_seconds = static_cast<double>(number_property(all, kCallPathTimeKey)) * 1e-9;
  Seconds ran = 0, waited = 0;
  for (const Property& property : all.properties) {
    if (!all.text(property.key).starts_with(kProcessorUseKey)) continue;
    const auto use = parse_processor_use(all.text(property.value));
    if (!use || !use->delay) continue;
    ran += use->cpu;
    waited += *use->delay;
  }
  if (ran > 0) facts.stretch = (ran + waited) / ran;
  return facts;
}

}  // namespace

Result<std::unique_ptr<CubeSource>> write_summary(const std::string& archive, const std::string& missing,
                                                  const std::string& tool, const RecordingCosts* costs) {
  FaultLog faults;
  TARRY_TRY_ASSIGN(contents, ArchiveContents::open(archive, faults));
  TARRY_TRY_ASSIGN(unified, read_unified(archive + "/" + names::kDefinitions));
  SummaryCube summary(unified.global, [&](const auto& visit) { for_each_profile(contents, unified, faults, visit); });
  if (summary.is_empty()) return std::unique_ptr<CubeSource>();
  if (!missing.empty()) summary.add_attribute(kIncompleteAttribute, missing);
  RecordingFacts facts = facts_of(unified.global, contents.has_events());
  if (costs) facts.costs = *costs;
  ReportAttributes attributes;
  add_recording_facts(facts, attributes);
  if (const std::string parameters = first_property(unified.global, kParametersProperty); !parameters.empty())
    attributes.emplace_back(kParametersAttribute, parameters);
  for (auto& [key, value] : attributes) summary.add_attribute(std::move(key), std::move(value));
  StageRecorder stage("summary", tool);
  const std::string file = archive + "/" + names::kSummary;
  TARRY_TRY(write_cubex(summary, file));
  stage.add_output(names::kSummary);
  TARRY_TRY(stage.add_to_archive(archive));
  TARRY_TRY_ASSIGN(written, CubexFile::open(file));
  return std::unique_ptr<CubeSource>(std::move(written));
}

}  // namespace tarry
