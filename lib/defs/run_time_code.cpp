// run_time_code.cpp -- asks the files of a process about the code that it has made.
#include "defs/run_time_code.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "base/text/utf8.hpp"
#include "defs/jitdump.hpp"
#include "defs/perf_map.hpp"

namespace tarry {
namespace {

// Takes ":NUMBER" from the end.
std::optional<std::uint32_t> take_last_number(std::string_view& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == text.npos) return std::nullopt;
  std::uint32_t number = 0;
  const char* const all = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data() + colon + 1, all, number);
  if (error != std::errc() || end != all) return std::nullopt;
  text = text.substr(0, colon);
  return number;
}

// Nothing if it is no name of V8.
std::optional<CodePlace> place_of_script(std::string_view name) {
  constexpr std::string_view kStages = "~^+*";  // interpreted, and compiled in three ways
  const std::size_t colon = name.find(':');
  if (colon == name.npos || colon + 1 >= name.size() || kStages.find(name[colon + 1]) == kStages.npos)
    return std::nullopt;
  name.remove_prefix(colon + 2);
  const std::size_t blank = name.find(' ');
  if (blank == name.npos) return std::nullopt;
  std::string_view file = name.substr(blank + 1);
  const auto column = take_last_number(file);
  const auto line = column ? take_last_number(file) : std::nullopt;
  if (!line || file.empty()) return std::nullopt;
  const std::string function(blank > 0 ? name.substr(0, blank) : "(anonymous)");
  return CodePlace{function, function, std::string(file), *line};
}

}  // namespace

CodePlace place_of_run_time_code(const std::string& name) {
  if (auto place = place_of_script(name)) return *place;
  return {demangle(name), name, "", 0};
}

std::span<RunTimeCode> places_in(std::span<RunTimeCode> places, std::uint64_t begin, std::uint64_t bytes) {
  if (bytes > kMostCodeBytes || begin + bytes < begin) return {};
  const auto first = std::ranges::lower_bound(places, begin, {}, &RunTimeCode::address);
  const auto last = std::ranges::lower_bound(first, places.end(), begin + bytes, {}, &RunTimeCode::address);
  return {first, last};
}

std::string read_name(PieceReader& file, const NameInFile& name) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::string_view bytes = file.at(name.offset, std::min<std::size_t>(name.length, kMostNameBytes));
  std::string text = valid_utf8(bytes);
  text.erase(text.find_last_not_of(kBlanks) + 1);
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }, '?');
  return text;
}

// A dump knows when code was made, a map does not.
void name_run_time_code(std::vector<RunTimeCode>& places, int pid) {
  std::ranges::sort(places, {}, &RunTimeCode::address);
  if (const std::string dump = find_jitdump(pid); !dump.empty()) name_by_jitdump(dump, places);
  if (std::ranges::any_of(places, &std::string::empty, &RunTimeCode::name))
    name_by_perf_map("/tmp/perf-" + std::to_string(pid) + ".map", places);
}

}  // namespace tarry
