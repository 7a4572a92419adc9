// stack_losses.cpp -- reads and tells which stacks are cut, and how much is in functions without names.
#include "findings/losses/stack_losses.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
#include <vector>

#include "base/text/format.hpp"
#include "defs/code_places.hpp"

namespace tarry {
namespace {

constexpr double kWorthTelling = 0.01;

std::string last_part(const std::string& path) { return path.substr(path.rfind('/') + 1); }

const std::string* find_attribute(const ReportStructure& report, std::string_view wanted) {
  for (const auto& [key, value] : report.attributes)
    if (key == wanted) return &value;
  return nullptr;
}

bool is_nameless(const ReportRegion& region) { return region.paradigm == "compiler" && is_address_name(region.name); }

// Of the call paths, those that have such a function.
std::vector<bool> nameless_paths(const ReportStructure& report) {
  std::vector<bool> is_one(report.call_paths.size());
  for (std::size_t i = 0; i < is_one.size(); ++i) {
    const ReportCallPath& path = report.call_paths[i];
    is_one[i] = (path.parent.value < i && is_one[path.parent.value]) || is_nameless(report.regions[path.region]);
  }
  return is_one;
}

}  // namespace

std::uint64_t StackLosses::all_cut() const { return std::accumulate(cut.begin(), cut.end(), std::uint64_t{0}); }

double StackLosses::share() const {
  return stacks > 0 ? static_cast<double>(all_cut()) / static_cast<double>(stacks) : 0;
}

std::optional<StackLosses> read_stack_losses(const ReportStructure& report) {
  const std::string* const value = find_attribute(report, kStacksAttribute);
  if (!value) return std::nullopt;
  StackLosses losses;
  std::istringstream numbers(*value);
  numbers >> losses.stacks;
  for (std::uint64_t& count : losses.cut) numbers >> count;
  char colon = 0;
  numbers >> colon;
  if (numbers.fail() || colon != ':' || losses.all_cut() > losses.stacks) return std::nullopt;
  if (numbers >> losses.in_module) std::getline(numbers >> std::ws, losses.module);
  return losses;
}

std::string stack_losses_text(const StackLosses& losses) {
  if (losses.share() < kWorthTelling) return "";
  std::string text = "STACKS CUT: " + format_percent(losses.share()) + " (" + std::to_string(losses.all_cut()) +
                     " of " + std::to_string(losses.stacks) + ") lack their outermost functions";
  const char* before = ": ";
  for (std::size_t why = 0; why < kCutStackReasons; ++why) {
    if (losses.cut[why] == 0) continue;
    text += before + std::to_string(losses.cut[why]) + " ";
    text += kCutStacks[why].text;
    if (why == static_cast<std::size_t>(CutStack::kNoUnwindInfo) && !losses.module.empty())
      text += " (" + std::to_string(losses.in_module) + " in " + last_part(losses.module) + ")";
    before = ", ";
  }
  return text;
}

MissingNames find_missing_names(const Report& report, const MetricTotals& times) {
  MissingNames names;
  const std::vector<bool> is_nameless_path = nameless_paths(report.structure);
  std::set<std::uint32_t> functions;
  for (const ReportCallPath& path : report.structure.call_paths)
    if (is_nameless(report.structure.regions[path.region])) functions.insert(path.region);
  std::map<std::string, std::size_t> modules;
  for (const std::uint32_t region : functions) {
    const std::string& name = report.structure.regions[region].name;
    ++modules[name.substr(0, name.rfind('+'))];
  }
  const auto most = std::ranges::max_element(modules, {}, [](const auto& module) { return module.second; });
  if (most != modules.end()) names.module = most->first;
  names.functions = functions.size();
  double sum = 0;
  for (std::size_t i = 0; i < is_nameless_path.size(); ++i)
    if (is_nameless_path[i]) sum += times.exclusive[i];
  names.share = times.whole > 0 ? sum / times.whole : 0;
  names.lacks_libdw = find_attribute(report.structure, kNoLibdwAttribute) != nullptr;
  return names;
}

std::string missing_names_text(const MissingNames& names) {
  if (names.functions == 0 || names.share < kWorthTelling) return "";
  return "NAMES MISSING: " + format_percent(names.share) + " of the time is in or below " +
         format_count(names.functions, "function") + " without a name, most in " + names.module +
         (names.lacks_libdw ? ". libdw (elfutils) is not installed there"
                            : ". What helps: -g, debug packages, TARRY_DEBUG_PATH, DEBUGINFOD_URLS");
}

}  // namespace tarry
