// shown_regions.cpp -- names of the regions that a listing for people shows.
#include "report/algebra/shown_regions.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/text/format.hpp"
#include "base/text/function_name.hpp"
#include "base/text/printable.hpp"
#include "report/tree/path_text.hpp"

namespace tarry {
namespace {

// `paths` and all above them, each once.
std::vector<std::uint32_t> with_parents(const ReportStructure& structure, const std::vector<CallPathId>& paths) {
  std::vector<bool> is_seen(structure.call_paths.size());
  std::vector<std::uint32_t> all;
  for (CallPathId path : paths)
    for (; path.value < is_seen.size() && !is_seen[path.value]; path = structure.call_paths[path.value].parent) {
      is_seen[path.value] = true;
      all.push_back(path.value);
    }
  return all;
}

std::vector<std::uint32_t> regions_on(const ReportStructure& structure, const std::vector<std::uint32_t>& paths) {
  std::vector<bool> is_used(structure.regions.size());
  for (const std::uint32_t path : paths) is_used[structure.call_paths[path].region] = true;
  std::vector<std::uint32_t> regions;
  for (std::uint32_t region = 0; region < is_used.size(); ++region)
    if (is_used[region]) regions.push_back(region);
  return regions;
}

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// "grid.c" or "grid.c:12"; empty if it is unknown.
std::string place_of_region(const ReportRegion& region, bool has_line) {
  std::string place(file_name(region.module));
  if (has_line && !place.empty() && region.begin_line > 0) place += ":" + std::to_string(region.begin_line);
  return place;
}

// Regions of one name: adds their files, or files and lines, where these differ.
void add_places(const ReportStructure& structure, const std::vector<std::uint32_t>& regions,
                std::unordered_map<std::uint32_t, std::string>& names) {
  for (const bool has_line : {false, true}) {
    std::vector<std::string> places;
    for (const std::uint32_t region : regions) places.push_back(place_of_region(structure.regions[region], has_line));
    std::vector<std::string> sorted = places;
    std::ranges::sort(sorted);
    const bool is_distinct = std::ranges::adjacent_find(sorted) == sorted.end() && !sorted.front().empty();
    if (!is_distinct) continue;
    for (std::size_t i = 0; i < regions.size(); ++i) names[regions[i]] += " (" + places[i] + ")";
    return;
  }
}

// Of `paths`, the calls of one function by one caller from several lines: those lines. [call path]
std::unordered_map<std::uint32_t, std::int64_t> lines_that_differ(const ReportStructure& structure,
                                                                  const std::vector<std::uint32_t>& paths) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> calls;  // by caller and function
  for (const std::uint32_t path : paths) {
    const ReportCallPath& call = structure.call_paths[path];
    if (call.line > 0) calls[{call.parent.value, call.region}].push_back(path);
  }
  std::unordered_map<std::uint32_t, std::int64_t> lines;
  for (const auto& [call, same] : calls)
    if (same.size() > 1)
      for (const std::uint32_t path : same) lines[path] = structure.call_paths[path].line;
  return lines;
}

// The names in the text of a call path, as they were before they were joined.
std::vector<std::string> split_path(std::string_view text) {
  std::vector<std::string> names(1);
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '/') names.emplace_back();
    else names.back().push_back(text[at] == '\\' && at + 1 < text.size() ? text[++at] : text[at]);
  }
  return names;
}

// The same as they stand there.
std::vector<std::string_view> written_names(std::string_view text) {
  std::vector<std::string_view> names;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\') ++at;
    else if (text[at] == '/') {
      names.push_back(text.substr(begin, at - begin));
      begin = at + 1;
    }
  }
  names.push_back(text.substr(begin));
  return names;
}

}  // namespace

ShownRegions::ShownRegions(const ReportStructure& structure, const std::vector<CallPathId>& paths, bool is_whole)
    : structure_(structure) {
  const std::vector<std::uint32_t> all = with_parents(structure, paths);
  lines_ = lines_that_differ(structure, all);
  if (is_whole) return;
  const std::vector<std::uint32_t> regions = regions_on(structure, all);
  std::vector<std::string> names;
  for (const std::uint32_t region : regions) names.push_back(structure.regions[region].name);
  const std::vector<std::string> shown = short_names(names);
  std::unordered_map<std::string, std::vector<std::uint32_t>> by_name;
  for (std::size_t i = 0; i < regions.size(); ++i) {
    names_[regions[i]] = shown[i];
    by_name[shown[i]].push_back(regions[i]);
  }
  for (const auto& [name, same] : by_name)
    if (same.size() > 1) add_places(structure, same, names_);
}

const std::string& ShownRegions::name_of(std::uint32_t region) const {
  const auto known = names_.find(region);
  return known == names_.end() ? structure_.regions[region].name : known->second;
}

std::string ShownRegions::path_text(CallPathId path) const {
  const auto& paths = structure_.call_paths;
  return tarry::path_text(
      path.value, CallPathId::kNone, [&](std::uint32_t at) { return paths[at].parent.value; },
      [&](std::uint32_t at) {
        const auto line = lines_.find(at);
        const std::string& name = name_of(paths[at].region);
        return line == lines_.end() ? name : name + " (line " + std::to_string(line->second) + ")";
      });
}

// A third of the room is for names from the root down: the end of a call path tells more than its beginning.
std::string shorten_path(const std::string& path, std::size_t width) {
  constexpr std::string_view kLeftOut = "...";
  std::string text = printable(path);
  if (display_width(text) <= width) return text;
  const std::vector<std::string_view> names = written_names(text);
  std::string end(names.back());
  const auto fits = [&](std::size_t more) { return display_width(end) + more + kLeftOut.size() + 1 <= width; };
  if (!fits(0)) return shorten_middle(path, width);
  std::string front;
  std::size_t first = 0, last = names.size() - 1;
  for (; first < last; ++first) {
    const std::size_t more = display_width(names[first]) + 1;
    if (display_width(front) + more > width / 3 || !fits(display_width(front) + more)) break;
    front.append(names[first]).push_back('/');
  }
  for (; last > first && fits(display_width(front) + display_width(names[last - 1]) + 1); --last)
    end.insert(0, std::string(names[last - 1]) + "/");
  return front.append(kLeftOut).append("/").append(end);
}

std::vector<std::string> short_path_texts(const std::vector<std::string>& paths) {
  std::vector<std::vector<std::string>> parts;
  std::vector<std::string> all;
  for (const std::string& path : paths) {
    parts.push_back(split_path(path));
    all.insert(all.end(), parts.back().begin(), parts.back().end());
  }
  const std::vector<std::string> shown = short_names(all);
  std::vector<std::string> texts;
  std::size_t next = 0;
  for (const auto& names : parts) {
    std::string& text = texts.emplace_back();
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (i > 0) text.push_back('/');
      append_path_name(text, shown[next++]);
    }
  }
  return texts;
}

}  // namespace tarry
