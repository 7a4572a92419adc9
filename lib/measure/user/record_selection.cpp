// record_selection.cpp -- recording inside chosen user regions and iterations only.
#include "measure/user/record_selection.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <string_view>

#include "measure/callpath/gone_frames.hpp"
#include "measure/callpath/steps.hpp"
#include "measure/compiler/function_recorder.hpp"
#include "measure/core/runtime.hpp"
#include "measure/core/say.hpp"

namespace tarry::measure {

bool g_has_selection = false;

// Never destroyed: regions may end while the process does.
Selection& selection() {
  static auto* const selection = new Selection;
  return *selection;
}

namespace {

constexpr long long kMostLatest = 100'000;

bool parse_number(std::string_view& text, long long& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

// "0-9,100,200-"
bool parse_ranges(std::string_view text, std::vector<std::pair<long long, long long>>& ranges) {
  while (true) {
    long long first = 0;
    if (!parse_number(text, first)) return false;
    long long last = first;
    if (text.starts_with('-')) {
      text.remove_prefix(1);
      if (text.empty() || text.starts_with(',')) last = std::numeric_limits<long long>::max();
      else if (!parse_number(text, last)) return false;
    }
    ranges.emplace_back(first, last);
    if (text.empty()) return last >= first;
    if (!text.starts_with(',') || last < first) return false;
    text.remove_prefix(1);
  }
}

}  // namespace

// "step", "step:0-9,100", "step:last10"
bool Selection::parse_word(std::string_view word, Chosen& one) {
  const std::size_t colon = word.rfind(':');
  one.name = word.substr(0, colon);
  if (one.name.empty()) return false;
  if (colon == std::string_view::npos) return true;
  std::string_view numbers = word.substr(colon + 1);
  if (!numbers.starts_with("last")) return parse_ranges(numbers, one.ranges);
  numbers.remove_prefix(4);
  long long last = 0;
  if (!parse_number(numbers, last) || !numbers.empty() || last < 1 || last > kMostLatest) return false;
  one.last = static_cast<std::size_t>(last);
  return true;
}

// What "last" keeps and what other words keep cannot both be kept: it must be the only word.
bool Selection::parse(const char* text) {
  std::string_view left = text;
  std::vector<Chosen> chosen;
  while (!left.empty()) {
    const std::string_view word = left.substr(0, left.find(' '));
    left.remove_prefix(std::min(left.size(), word.size() + 1));
    if (word.empty()) continue;
    Chosen one;
    if (!parse_word(word, one)) return false;
    chosen.push_back(std::move(one));
  }
  for (const Chosen& one : chosen)
    if (one.last > 0 && chosen.size() > 1) return false;
  latest_.resize(chosen.empty() ? 0 : chosen[0].last);
  chosen_ = std::move(chosen);
  return true;
}

Selection::Chosen* Selection::find(const char* name) {
  const auto found =
      std::find_if(chosen_.begin(), chosen_.end(), [name](const Chosen& one) { return one.name == name; });
  return found == chosen_.end() ? nullptr : &*found;
}

void Selection::begin(const char* name) {
  if (Chosen* chosen = find(name)) begin(*chosen, chosen->visits++);
}

void Selection::begin(const char* name, long long number) {
  if (Chosen* chosen = find(name)) begin(*chosen, number);
}

void Selection::begin(Chosen& chosen, long long number) {
  if (open_) {
    nesting_ += open_ == &chosen;
    return;
  }
  const bool is_in =
      chosen.ranges.empty() || std::any_of(chosen.ranges.begin(), chosen.ranges.end(), [number](const auto& range) {
        return range.first <= number && number <= range.second;
      });
  if (!is_in) return;
  open_ = &chosen;
  nesting_ = 1;
  if (keeps_latest()) begin_latest();
  resume_events();
}

void Selection::begin_latest() {
  latest_[latest_count_++ % latest_.size()].begin = now();
  if (latest_count_ >= latest_.size()) keep_events_from(latest_[latest_count_ % latest_.size()].begin);
}

std::optional<std::size_t> Selection::place_of_latest() const {
  if (!keeps_latest() || !open_ || nesting_ != 1) return std::nullopt;
  return (latest_count_ - 1) % latest_.size();
}

void Selection::describe_latest() {
  for (const Latest& one : latest_) {
    if (!one.name) continue;
    const std::string name = one.name + ("=" + std::to_string(one.number));
    definitions().describe_region(one.region, {name, name, one.file, one.line});
  }
  if (latest_count_ > latest_.size())
    definitions().add_property("not_recorded", "iterations of " + chosen_[0].name + " before the last " +
                                                   std::to_string(latest_.size()) + " (TARRY_SELECT)");
}

void Selection::end(const char* name) {
  if (!open_ || open_->name != name || --nesting_ > 0) return;
  open_ = nullptr;
  pause_events();
}

namespace {

// True for the region for whose sake the recording is on.
bool is_open(const char* name) {
  const char* const open = selection().open_name();
  return open && !std::strcmp(name, open);
}

void end_open() {
  if (const char* const name = selection().open_name()) selection().end(name);
}

constexpr RegionWatch kWatch = {is_open, end_open};

void begin_selection(Thread& thread, const ProcessFacts& facts) {
  if (!selection().parse(settings().select))
    say("TARRY_SELECT: '" + std::string(settings().select) +
        "' is no selection like \"solve step:0-9,100\" or \"step:last10\"; everything is recorded");
  g_has_selection = selection().is_active();
  if (selection().keeps_latest()) keep_latest_events();
  if (!g_has_selection) return;
  g_region_watch = &kWatch;
  put(thread, facts.begin, record::MeasurementOnOff{.is_on = 0});
  pause_recording();
}

void describe_latest_iterations() { selection().describe_latest(); }

}  // namespace

constinit const Adapter kUserAdapter = {.started = begin_selection, .ending = describe_latest_iterations};

}  // namespace tarry::measure
