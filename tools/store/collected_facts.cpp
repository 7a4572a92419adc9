// collected_facts.cpp -- what is known of a run, from its archive, its report and the user.
#include "collected_facts.hpp"

#include <algorithm>

#include "archive/files/manifest.hpp"
#include "archive/files/names.hpp"
#include "base/files/file.hpp"
#include "base/text/format.hpp"
#include "defs/run_parameters.hpp"
#include "report/tree/metric_tree.hpp"
#include "store/add_run.hpp"
#include "store/utc_time.hpp"

namespace tarry {
namespace {

using Parameters = std::vector<std::pair<std::string, std::string>>;

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

std::string attribute_of(const ReportStructure& structure, std::string_view name) {
  for (const auto& [key, value] : structure.attributes)
    if (key == name) return value;
  return "";
}

std::string setting_of(const Manifest& manifest, std::string_view name) {
  for (const auto& [key, value] : manifest.settings)
    if (key == name) return value;
  return "";
}

void set_parameters(const Parameters& given, RunFacts& facts) {
  for (const auto& [name, value] : given) {
    const auto same = std::find_if(facts.parameters.begin(), facts.parameters.end(),
                                   [&](const auto& parameter) { return parameter.first == name; });
    if (same == facts.parameters.end()) facts.parameters.emplace_back(name, value);
    else same->second = value;
  }
}

// Ticks are counted in each run; all but the first digits are its noise.
std::string clock_text(const Manifest& manifest) {
  if (manifest.ticks_per_second <= 0) return "";
  return format_number(manifest.ticks_per_second / 1e9, "%.3g") + "e9 ticks a second, " +
         format_count(std::uint64_t{manifest.clock_domains}, "clock");
}

void take_hosts(const Manifest& manifest, MachineFacts& machine) {
  machine.name = setting_of(manifest, "SLURM_CLUSTER_NAME");
  machine.mpi = manifest.mpi;
  for (const ManifestHost& host : manifest.hosts) {
    machine.nodes.push_back({host.name, {}, host.processor, host.network});
    if (host.cores > 0) machine.nodes.back().cores = host.cores;
  }
}

Status take_manifest(const std::string& archive, RunFacts& facts) {
  if (!path_exists(archive + "/" + names::kManifest)) return {};
  TARRY_TRY(check_manifest_facts(archive));
  const auto read = read_manifest(archive);
  if (!read.ok()) return {};  // the report is there all the same
  const Manifest& manifest = read.value();
  facts.program = manifest.program;
  facts.command = manifest.command;
  if (!manifest.started.empty()) facts.started = manifest.started;
  if (!manifest.ended.empty()) facts.ended = manifest.ended;
  facts.exit_status = manifest.exit_status;
  take_hosts(manifest, facts.machine);
  facts.flags = manifest.build;
  facts.machine.clocks = clock_text(manifest);
  facts.revision = setting_of(manifest, "TARRY_COMMIT");
  facts.modules = setting_of(manifest, "LOADEDMODULES");
  if (const auto noted = parse_parameters(setting_of(manifest, kParametersVariable)); noted.ok())
    set_parameters(noted.value(), facts);
  return {};
}

void take_report(const CubeSource& report, RunFacts& facts) {
  const ReportStructure& structure = report.structure();
  const std::string creator = attribute_of(structure, "Creator");
  facts.incomplete = attribute_of(structure, kIncompleteAttribute);
  const bool is_analysis =
      creator.find("replay") != std::string::npos || find_metric(structure, "mpi_latesender").is_valid();
  facts.kind = !attribute_of(structure, kPredictedAttribute).empty() ? "prediction"
               : is_analysis                                         ? "analysis"
                                                                     : "summary";
  if (const auto noted = parse_parameters(attribute_of(structure, kParametersAttribute)); noted.ok())
    set_parameters(noted.value(), facts);
}

Status take_options(const StoreOptions& options, RunFacts& facts) {
  if (!options.parameter_file.empty()) {
    TARRY_TRY_ASSIGN(listed, read_parameter_file(options.parameter_file));
    set_parameters(listed, facts);
  }
  for (const std::string& word : options.parameters) {
    TARRY_TRY_ASSIGN(given, parse_parameter(word));
    set_parameters({given}, facts);
  }
  for (const auto& [given, fact] :
       {std::pair(&options.commit, &facts.revision), std::pair(&options.flags, &facts.flags),
        std::pair(&options.modules, &facts.modules), std::pair(&options.program, &facts.program),
        std::pair(&options.machine, &facts.machine.name), std::pair(&options.network, &facts.machine.network),
        std::pair(&options.mpi, &facts.machine.mpi)})
    if (!given->empty()) *fact = *given;
  if (!options.date.empty()) facts.started = read_utc_time(options.date);
  facts.tags = options.tags;
  return {};
}

}  // namespace

Result<RunFacts> collect_facts(const std::string& input, const std::string& report_path, const CubeSource& report,
                               const StoreOptions& options) {
  RunFacts facts;
  facts.source = input;
  if (report_path != "-") TARRY_TRY(take_manifest(folder_of(report_path), facts));
  take_report(report, facts);
  TARRY_TRY(take_options(options, facts));
  complete_facts(report.structure(), facts);
  return facts;
}

}  // namespace tarry
