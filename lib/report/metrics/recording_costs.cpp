// recording_costs.cpp -- costs of recording as attributes of a report.
#include "report/metrics/recording_costs.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/text/format.hpp"
#include "base/text/text.hpp"

namespace tarry {
namespace {

constexpr std::string_view kKinds[] = {"function", "busy_function", "filtered", "busy_filtered", "call",
                                       "record",   "openmp",        "file",     "byte"};
constexpr std::string_view kModes[] = {"trace", "summary", "both"};
static_assert(std::size(kKinds) == kCostKinds && std::size(kModes) == kRecordingModes);

constexpr std::string_view kCostPrefix = "recording_cost_";
constexpr std::string_view kMachine = "recording_machine", kMode = "recording_mode", kFilter = "recording_filter",
                           kLookups = "call_path_stacks", kLookupTime = "call_path_seconds";
constexpr std::string_view kStretch = "recording_stretch";
constexpr double kMostStretch = 1e6;
constexpr Seconds kMostSeconds = 1e-3;  // no call takes longer to record
constexpr double kMostLookups = 1e18, kMostLookupSeconds = 1e12;

const std::string* find(const ReportAttributes& attributes, std::string_view key) {
  for (const auto& [name, value] : attributes)
    if (name == key) return &value;
  return nullptr;
}

// A number from 0 to `most`, and nothing behind it.
std::optional<double> number_up_to(const std::string& text, double most) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || *end != 0 || !(number >= 0 && number <= most)) return std::nullopt;
  return number;
}

std::string costs_text(const std::array<Seconds, kRecordingModes>& seconds) {
  std::string text;
  for (std::size_t mode = 0; mode < kRecordingModes; ++mode) text += (mode ? "," : "") + format_number(seconds[mode]);
  return text;
}

bool read_costs_text(const std::string& text, std::array<Seconds, kRecordingModes>& seconds) {
  const std::vector<std::string> words = split_list(text);
  if (words.size() != kRecordingModes) return false;
  for (std::size_t mode = 0; mode < kRecordingModes; ++mode) {
    const auto number = number_up_to(words[mode], kMostSeconds);
    if (!number) return false;
    seconds[mode] = *number;
  }
  return true;
}

std::optional<RecordingCosts> read_costs(const ReportAttributes& attributes) {
  RecordingCosts costs;
  for (std::size_t kind = 0; kind < kCostKinds; ++kind) {
    const std::string* const text = find(attributes, std::string(kCostPrefix).append(kKinds[kind]));
    if (!text || !read_costs_text(*text, costs.seconds[kind])) return std::nullopt;
  }
  if (const std::string* const machine = find(attributes, kMachine)) costs.machine = *machine;
  return costs;
}

}  // namespace

std::string_view name_of(CostKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }
std::string_view name_of(RecordingMode mode) { return kModes[static_cast<std::size_t>(mode)]; }

void add_recording_facts(const RecordingFacts& facts, ReportAttributes& attributes) {
  attributes.emplace_back(kMode, name_of(facts.mode));
  if (facts.is_filtered) attributes.emplace_back(kFilter, "1");
  if (facts.lookups > 0) {
    attributes.emplace_back(kLookups, exact_number(facts.lookups));
    attributes.emplace_back(kLookupTime, format_number(facts.lookup_seconds));
  }
  if (facts.stretch > 1) attributes.emplace_back(kStretch, format_number(facts.stretch));
  if (!facts.costs) return;
  attributes.emplace_back(kMachine, facts.costs->machine);
  for (std::size_t kind = 0; kind < kCostKinds; ++kind)
    attributes.emplace_back(std::string(kCostPrefix).append(kKinds[kind]), costs_text(facts.costs->seconds[kind]));
}

RecordingFacts read_recording_facts(const ReportAttributes& attributes) {
  RecordingFacts facts;
  facts.costs = read_costs(attributes);
  const std::string* const mode = find(attributes, kMode);
  facts.is_known = mode != nullptr;
  if (mode && *mode == name_of(RecordingMode::kBoth)) facts.mode = RecordingMode::kBoth;
  facts.is_filtered = find(attributes, kFilter) != nullptr;
  if (const std::string* const stretch = find(attributes, kStretch))
    facts.stretch = std::max(1.0, number_up_to(*stretch, kMostStretch).value_or(1));
  const std::string *const lookups = find(attributes, kLookups), *const seconds = find(attributes, kLookupTime);
  if (!lookups || !seconds) return facts;
  facts.lookups = number_up_to(*lookups, kMostLookups).value_or(0);
  facts.lookup_seconds = number_up_to(*seconds, kMostLookupSeconds).value_or(0);
  return facts;
}

}  // namespace tarry
