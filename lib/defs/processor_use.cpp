// processor_use.cpp -- how a process used the processors of its node, as text and back.
#include "defs/processor_use.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace tarry {
namespace {

constexpr std::uint32_t kMostProcessors = 1 << 16;

// "0-3,8"
std::string ranges_text(const std::vector<std::uint32_t>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(numbers[i]);
    if (last > i) text += "-" + std::to_string(numbers[last]);
    i = last + 1;
  }
  return text;
}

template <class Number>
bool parse_whole(std::string_view text, Number& into) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), into);
  return error == std::errc() && end == text.data() + text.size();
}

// Takes what is in front of `separator` off the text.
std::string_view take_word(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

bool parse_ranges(std::string_view text, std::vector<std::uint32_t>& into) {
  while (!text.empty()) {
    std::string_view range = take_word(text, ',');
    const std::string_view begin = take_word(range, '-');
    std::uint32_t first = 0, last = 0;
    if (!parse_whole(begin, first) || !parse_whole(range.empty() ? begin : range, last)) return false;
    if (last < first || last >= kMostProcessors || (!into.empty() && first <= into.back())) return false;
    for (std::uint32_t number = first; number <= last; ++number) into.push_back(number);
  }
  return true;
}

// The C library's conversion depends on the locale of the program.
bool parse_seconds(std::string_view text, Seconds& into) {
  std::uint64_t nanoseconds = 0;
  if (!parse_whole(text, nanoseconds)) return false;
  into = static_cast<double>(nanoseconds) * 1e-9;
  return true;
}

std::string seconds_text(Seconds seconds) {
  return std::to_string(static_cast<std::uint64_t>(std::llround(std::max(seconds, 0.0) * 1e9)));
}

bool parse_value(std::string_view name, std::string_view value, ProcessorUse& into) {
  if (name == "processors") return parse_ranges(value, into.processors);
  if (name == "wall_ns") return parse_seconds(value, into.wall);
  if (name == "cpu_ns") return parse_seconds(value, into.cpu);
  if (name == "system_ns") return parse_seconds(value, into.system);
  if (name == "delay_ns") return parse_seconds(value, into.delay.emplace());
  if (name == "threads_ns") return parse_seconds(value, into.threads);
  if (name == "worst_delay_ns") return parse_seconds(value, into.worst_delay);
  if (name == "worst_time_ns") return parse_seconds(value, into.worst_time);
  if (name == "preemptions") return parse_whole(value, into.preemptions);
  if (name == "waits") return parse_whole(value, into.waits);
  if (name == "minor_faults") return parse_whole(value, into.minor_faults);
  if (name == "major_faults") return parse_whole(value, into.major_faults);
  return true;
}

}  // namespace

std::string processor_use_text(const ProcessorUse& use) {
  std::string text = "processors=" + ranges_text(use.processors);
  text += " wall_ns=" + seconds_text(use.wall) + " cpu_ns=" + seconds_text(use.cpu);
  text += " system_ns=" + seconds_text(use.system);
  if (use.delay) text += " delay_ns=" + seconds_text(*use.delay);
  if (use.threads > 0) text += " threads_ns=" + seconds_text(use.threads);
  if (use.worst_time > 0)
    text += " worst_delay_ns=" + seconds_text(use.worst_delay) + " worst_time_ns=" + seconds_text(use.worst_time);
  text += " preemptions=" + std::to_string(use.preemptions) + " waits=" + std::to_string(use.waits);
  text += " minor_faults=" + std::to_string(use.minor_faults);
  return text + " major_faults=" + std::to_string(use.major_faults);
}

std::optional<ProcessorUse> parse_processor_use(std::string_view text) {
  ProcessorUse use;
  while (!text.empty()) {
    std::string_view value = take_word(text, ' ');
    const std::string_view name = take_word(value, '=');
    if (!parse_value(name, value, use)) return std::nullopt;
  }
  return use;
}

}  // namespace tarry
