// sources_block.cpp -- the lines of source around what call paths and regions name.
#include <algorithm>
#include <map>
#include <set>

#include "base/text/json.hpp"
#include "page/blocks/blocks.hpp"
#include "page/runs/source_files.hpp"

namespace tarry {
namespace {

constexpr std::size_t kMostSourceBytes = 256 << 10;
constexpr std::int64_t kLinesAround = 8;

using SourcePlace = std::pair<std::string, std::int64_t>;  // file, line

// Where calls stand and functions begin; those with the most of the first metric first.
std::vector<SourcePlace> source_places(ExploredRun& run) {
  const ReportStructure& structure = run.structure();
  std::map<SourcePlace, double> weights;
  const auto add = [&](const std::string& file, std::int64_t line, double weight) {
    if (line > 0 && is_source_name(file)) weights[{file, line}] += weight;
  };
  const std::vector<double> nothing(structure.call_paths.size());
  const bool has_metric = !run.metrics().empty();
  const std::vector<double>& values = has_metric ? run.values().totals(run.metrics()[0].id).inclusive : nothing;
  for (std::size_t path = 0; path < structure.call_paths.size(); ++path) {
    const ReportCallPath& facts = structure.call_paths[path];
    const ReportRegion& region = structure.regions[facts.region];
    add(region.module, region.begin_line, values[path]);
    if (!facts.parent.is_valid()) continue;
    const ReportRegion& caller = structure.regions[structure.call_paths[facts.parent.value].region];
    add(facts.module.empty() ? caller.module : facts.module, facts.line, values[path]);
  }
  std::vector<SourcePlace> places;
  for (const auto& [place, weight] : weights) places.push_back(place);
  std::stable_sort(places.begin(), places.end(),
                   [&](const SourcePlace& left, const SourcePlace& right) { return weights[left] > weights[right]; });
  return places;
}

using ChosenLines = std::map<std::string, std::set<std::int64_t>>;  // by file; from 1

// The lines around the places, as long as there is room.
ChosenLines choose_lines(const std::vector<SourcePlace>& places, SourceFiles& files) {
  ChosenLines chosen;
  std::size_t bytes = 0;
  for (const auto& [file, line] : places) {
    const auto& text = files.lines(file);
    if (!text || line > static_cast<std::int64_t>(text->size())) continue;
    const std::int64_t last = std::min<std::int64_t>(line + kLinesAround, text->size());
    for (std::int64_t at = std::max<std::int64_t>(1, line - kLinesAround); at <= last; ++at)
      if (chosen[file].insert(at).second) bytes += (*text)[at - 1].size() + 1;
    if (bytes >= kMostSourceBytes) break;
  }
  return chosen;
}

// Lines that follow one another are one span.
void add_spans(JsonWriter& out, const std::set<std::int64_t>& numbers, const std::vector<std::string>& text) {
  out.begin_array();
  for (auto at = numbers.begin(); at != numbers.end();) {
    out.begin_object().member("first", *at).name("lines").begin_array();
    std::int64_t next = *at;
    for (; at != numbers.end() && *at == next; ++at, ++next) out.add(text[next - 1]);
    out.end().end();
  }
  out.end();
}

}  // namespace

std::string sources_block(ExploredRun& run, const std::vector<std::string>& folders) {
  if (!run.program_time()) return {};
  SourceFiles files(folders, *run.program_time());
  const ChosenLines chosen = choose_lines(source_places(run), files);
  if (chosen.empty()) return {};
  JsonWriter out;
  out.begin_object().name("files").begin_object();
  for (const auto& [file, numbers] : chosen) {
    out.name(file);
    add_spans(out, numbers, *files.lines(file));
  }
  out.end().end();
  return out.take();
}

}  // namespace tarry
