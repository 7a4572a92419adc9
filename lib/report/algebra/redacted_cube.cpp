// redacted_cube.cpp -- a report without what tells of machines, users and folders.
#include "report/algebra/redacted_cube.hpp"

#include <algorithm>
#include <utility>

#include "base/text/text.hpp"
#include "defs/processor_use.hpp"
#include "report/tables/instance_files.hpp"

namespace tarry {
namespace {

constexpr std::string_view kBesidePaths = " \t\r\n\"'`()<>[]{}|,;:=@";

using AttributeList = std::vector<std::pair<std::string, std::string>>;

void keep_attributes(AttributeList& attributes, std::initializer_list<std::string_view> kept) {
  std::erase_if(attributes, [&](const auto& attribute) { return !is_one_of(attribute.first, kept); });
}

// A sentence on what is missing may name files of hosts.
void redact_attributes(AttributeList& attributes) {
  keep_attributes(attributes,
                  {"Creator", "CUBE_CT_AGGR", kIncompleteAttribute, kCoveredAttribute, kUnreceivedAttribute,
                   kLeftOutAttribute, kCallsLeftOutAttribute, kUnseenOpenMpAttribute, kUnfollowedBlocksAttribute});
  for (auto& [key, value] : attributes)
    if (key == kIncompleteAttribute) value = "parts of the run are missing";
    else value = without_folders(value);
}

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

std::string without_folders(std::string_view text) {
  std::string shorter;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.size(), text.find_first_of(kBesidePaths, at));
    const std::string_view word = text.substr(at, end - at);
    const bool is_path = word.starts_with('/') && word.find('/', 1) != word.npos;
    shorter += is_path ? word.substr(word.rfind('/') + 1) : word;
    if (end < text.size()) shorter.push_back(text[end]);
    at = end + 1;
  }
  return shorter;
}

RedactedCube::RedactedCube(std::unique_ptr<CubeSource> source)
    : source_(std::move(source)), structure_(source_->structure()) {
  redact_attributes(structure_.attributes);
  structure_.mirrors.clear();
  redact_regions();
  redact_system();
  for (const ReportFile& file : source_->files()) {
    const bool has_names = is_one_of(file.name, {kInstancesFile, kStatisticsFile});
    if (is_one_of(file.name, {"messages.matrix", "waits.causes", "iterations.table"}) ||
        (has_names && !has_changed_names_))
      files_.push_back(file);
  }
}

void RedactedCube::redact_regions() {
  for (ReportRegion& region : structure_.regions) {
    std::string name = without_folders(region.name);
    has_changed_names_ |= name != region.name;
    region.name = std::move(name);
    region.mangled_name = without_folders(region.mangled_name);
    region.module = base_name(region.module);
    region.url.clear();
    region.description.clear();
    region.attributes.clear();
  }
  for (ReportCallPath& path : structure_.call_paths) {
    path.module = base_name(path.module);
    path.attributes.clear();
    for (auto& [key, value] : path.string_parameters) value = without_folders(value);
  }
}

void RedactedCube::redact_system() {
  for (std::size_t i = 0; i < structure_.system_nodes.size(); ++i) {
    ReportSystemNode& node = structure_.system_nodes[i];
    node.name = std::to_string(i);
    node.description.clear();
    node.attributes.clear();
  }
  for (ReportProcess& process : structure_.processes) {
    process.name = "rank " + std::to_string(process.rank);
    keep_attributes(process.attributes, {kProcessorUseAttribute});
  }
  for (ReportLocation& location : structure_.locations) {
    location.name = "thread " + std::to_string(location.rank);
    location.attributes.clear();
  }
  for (ReportTopology& topology : structure_.topologies) topology.name = without_folders(topology.name);
}

}  // namespace tarry
