// structure_of.cpp -- the system tree and the regions of a report, from the definitions of a run.
#include "report/tree/structure_of.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>

#include "defs/cut_stacks.hpp"
#include "defs/lost_samples.hpp"
#include "defs/processor_use.hpp"
#include "defs/properties.hpp"
#include "defs/unify.hpp"
#include "defs/unseen_openmp.hpp"
#include "report/tree/topologies_of.hpp"

namespace tarry {
namespace {

ReportRegion region_of(const Definitions& definitions, const Region& region) {
  ReportRegion copy;
  copy.name = definitions.text(region.name);
  copy.mangled_name = definitions.text(region.mangled_name);
  copy.module = definitions.text(region.file);
  copy.paradigm = name_of(region.paradigm);
  copy.role = name_of(region.role);
  if (region.begin_line) copy.begin_line = region.begin_line;
  if (region.end_line) copy.end_line = region.end_line;
  return copy;
}

// Node of a process; where the definitions name none, the last one.
std::uint32_t node_of(const Process& process, std::size_t nodes) {
  return process.node.value < nodes ? process.node.value : static_cast<std::uint32_t>(nodes - 1);
}

// Gives each process what it recorded of its use of processors.
void add_processor_use(const Definitions& definitions, ReportStructure& structure) {
  std::unordered_map<std::int64_t, StringId> uses;  // by rank
  for (const Property& property : definitions.properties) {
    std::string_view key = definitions.text(property.key);
    if (!key.starts_with(kProcessorUseKey)) continue;
    key.remove_prefix(kProcessorUseKey.size());
    std::int64_t rank = 0;
    if (std::from_chars(key.data(), key.data() + key.size(), rank).ptr == key.data() + key.size())
      uses.emplace(rank, property.value);
  }
  for (ReportProcess& process : structure.processes)
    if (const auto use = uses.find(process.rank); use != uses.end())
      process.attributes.emplace_back(kProcessorUseAttribute, definitions.text(use->second));
}

// What became of all samples, if any were asked for.
void add_samples(const Definitions& definitions, ReportStructure& structure) {
  if (first_property(definitions, kSamplesKey).empty()) return;
  std::string numbers = std::to_string(number_property(definitions, kSamplesKey)) + " " +
                        std::to_string(number_property(definitions, kSamplesInsideKey));
  for (const LostSampleInfo& lost : kLostSamples)
    numbers += " " + std::to_string(number_property(definitions, lost.key));
  structure.attributes.emplace_back(kSamplesAttribute, std::move(numbers));
}

// The module that most of the stacks end in, of all processes: "COUNT FILE".
std::string worst_module(const Definitions& definitions) {
  std::map<std::string, std::uint64_t, std::less<>> counts;
  for (const Property& property : definitions.properties) {
    if (!definitions.text(property.key).starts_with(kCutInModuleKey)) continue;
    const std::string_view value = definitions.text(property.value);
    std::uint64_t count = 0;
    const auto end = std::from_chars(value.data(), value.data() + value.size(), count).ptr;
    const std::string_view file = value.substr(static_cast<std::size_t>(end - value.data()));
    if (file.size() > 1) counts[std::string(file)] += count;
  }
  const auto most = std::ranges::max_element(counts, {}, [](const auto& module) { return module.second; });
  return most == counts.end() ? "" : std::to_string(most->second) + most->first;
}

// Where stacks lack their outermost functions, or functions their names.
void add_stacks(const Definitions& definitions, ReportStructure& structure) {
  if (number_property(definitions, kCallPathsTruncatedKey) > 0) {
    std::string numbers = std::to_string(number_property(definitions, kCallPathStacksKey));
    for (const CutStackInfo& cut : kCutStacks) numbers += " " + std::to_string(number_property(definitions, cut.key));
    structure.attributes.emplace_back(kStacksAttribute, numbers + ":" + worst_module(definitions));
  }
  if (const std::uint64_t processes = number_property(definitions, kNoLibdwKey))
    structure.attributes.emplace_back(kNoLibdwAttribute, std::to_string(processes));
}

void add_left_out(const Definitions& definitions, ReportStructure& structure) {
  if (const std::string text = first_property(definitions, kLeftOutKey); !text.empty())
    structure.attributes.emplace_back(kLeftOutAttribute, text);
  if (const std::string text = first_property(definitions, kCallsLeftOutKey); !text.empty())
    structure.attributes.emplace_back(kCallsLeftOutAttribute, text);
}

void add_unseen_openmp(const Definitions& definitions, ReportStructure& structure) {
  if (const std::uint64_t processes = number_property(definitions, kUnseenOpenMpKey))
    structure.attributes.emplace_back(kUnseenOpenMpAttribute, unseen_openmp_text(processes));
}

// Of all processes together.
void add_throttled(const Definitions& definitions, ReportStructure& structure) {
  std::map<std::string, std::uint64_t, std::less<>> calls;
  for (const Property& property : definitions.properties) {
    if (!definitions.text(property.key).starts_with(kThrottledKey)) continue;
    for (std::string_view rest = definitions.text(property.value); !rest.empty();) {
      const std::string_view line = rest.substr(0, rest.find(';'));
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
      std::uint64_t count = 0;
      const char* const name = std::from_chars(line.data(), line.data() + line.size(), count).ptr;
      if (const auto begin = static_cast<std::size_t>(name - line.data()) + 1; begin < line.size())
        calls[std::string(line.substr(begin))] += count;
    }
  }
  std::vector<std::pair<std::uint64_t, std::string>> most;
  for (auto& [name, count] : calls) most.emplace_back(count, name);
  std::ranges::sort(most, std::greater());
  std::string text;
  for (const auto& [count, name] : most) text += std::to_string(count) + " " + name + ";";
  if (!text.empty()) structure.attributes.emplace_back(kThrottledAttribute, text);
}

// Where more was allocated than could be followed, or by more threads than were kept.
void add_unfollowed_blocks(const Definitions& definitions, ReportStructure& structure) {
  if (const std::uint64_t blocks = number_property(definitions, kBlocksNotFollowedKey))
    structure.attributes.emplace_back(kUnfollowedBlocksAttribute,
                                      std::to_string(blocks) + " blocks of the heap were not followed to their frees");
}

}  // namespace

void set_call_site(const Definitions& definitions, const Region& region, ReportCallPath& path) {
  path.module = definitions.text(region.site_file);
  path.line = region.site_line ? static_cast<std::int64_t>(region.site_line) : -1;
}

std::vector<std::uint32_t> report_regions(const Definitions& definitions) {
  std::vector<std::uint32_t> numbers;
  std::uint32_t next = 0;
  for (const Region& region : definitions.regions)
    numbers.push_back(region.base.value < numbers.size() ? numbers[region.base.value] : next++);
  return numbers;
}

ReportStructure structure_of(const Definitions& definitions) {
  ReportStructure structure;
  for (const Region& region : definitions.regions)
    if (!region.base.is_valid()) structure.regions.push_back(region_of(definitions, region));
  add_system(definitions, structure);
  return structure;
}

void add_system(const Definitions& definitions, ReportStructure& structure) {
  for (const SystemNode& node : definitions.system_nodes)
    structure.system_nodes.push_back({std::string(definitions.text(node.name)),
                                      std::string(definitions.text(node.class_name)),
                                      "",
                                      node.parent.value,
                                      {}});
  if (structure.system_nodes.empty()) {
    structure.system_nodes.push_back({"machine", "machine", "", SystemNodeId::kNone, {}});
    structure.system_nodes.push_back({"node", "node", "", 0, {}});
  }
  for (const Process& process : definitions.processes)
    structure.processes.push_back({std::string(definitions.text(process.name)),
                                   "process",
                                   process.rank,
                                   node_of(process, structure.system_nodes.size()),
                                   {}});
  add_processor_use(definitions, structure);
  add_samples(definitions, structure);
  add_stacks(definitions, structure);
  add_left_out(definitions, structure);
  add_unseen_openmp(definitions, structure);
  add_unfollowed_blocks(definitions, structure);
  add_throttled(definitions, structure);
  for (const Location& location : definitions.locations)
    if (location.is_in_reports())
      structure.locations.push_back({std::string(definitions.text(location.name)),
                                     location.is_thread() ? "thread" : kQueueType,
                                     location.thread,
                                     location.process.value,
                                     {}});
  structure.topologies = topologies_of(definitions);
}

}  // namespace tarry
