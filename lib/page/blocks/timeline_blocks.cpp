// timeline_blocks.cpp -- what happened when, as the page holds it.
#include "page/blocks/timeline_blocks.hpp"

#include <cmath>
#include <set>

#include "analysis/timeline/run_timeline.hpp"
#include "base/text/format.hpp"
#include "base/text/json.hpp"
#include "base/processes/worker_pool.hpp"
#include "page/blocks/block_bytes.hpp"
#include "defs/clock_ticks.hpp"
#include "page/pack.hpp"
#include "page/runs/trace_match.hpp"

namespace tarry {
namespace {

// Times are rounded to this part of a second, about a nanosecond: the lowest bytes are zeros then, which pack well.
constexpr double kTimeParts = 1 << 30;

double rounded_time(double seconds) { return std::nearbyint(seconds * kTimeParts) / kTimeParts; }

// How the trace is numbered on the page.
struct PageNumbers {
  const std::vector<std::uint32_t>& paths;      // [unified path]
  const std::vector<std::uint32_t>& locations;  // [row]
};

class WindowBlock {
 public:
  WindowBlock(const ExploredRun& run, const Trace& trace, const RunTimeline& timeline, const PageNumbers& numbers,
              const EventWindow& window)
      : run_(run), trace_(trace), timeline_(timeline), numbers_(numbers), window_(window) {}

  std::vector<std::uint8_t> make() {
    std::size_t members = 0;
    for (const TimelineOperation& operation : window_.operations) members += operation.size();
    for (const std::size_t count : {window_.calls.size(), window_.messages.size(), members, window_.operations.size(),
                                    window_.waits.size(), window_.critical.size()})
      out_.u32(static_cast<std::uint32_t>(count));
    add_calls();
    add_messages();
    add_operations();
    add_waits();
    add_critical();
    return out_.take();
  }

 private:
  double seconds(Ticks ticks) const { return trace_.seconds(ticks - trace_.definitions().clock.origin); }

  std::uint32_t page_path(PathIndex path) const {
    return path < numbers_.paths.size() ? numbers_.paths[path] : kNotOnPage;
  }

  template <class Elements, class ValueOf>
  void numbers(const Elements& elements, ValueOf value_of) {
    out_.align(4);
    for (const auto& element : elements) out_.u32(value_of(element));
  }
  template <class Elements, class SecondsOf>
  void times(const Elements& elements, SecondsOf seconds_of) {
    std::vector<double> values;
    values.reserve(elements.size());
    for (const auto& element : elements) values.push_back(rounded_time(seconds_of(element)));
    out_.planes(values);
  }

  void add_calls() {
    const auto& calls = window_.calls;
    numbers(calls, [](const TimelineCall& call) { return call.row; });
    numbers(calls, [&](const TimelineCall& call) { return page_path(call.path); });
    for (const TimelineCall& call : calls) out_.u8(timeline_.path_classes[call.path]);
    times(calls, [&](const TimelineCall& call) { return seconds(call.enter); });
    times(calls, [&](const TimelineCall& call) { return seconds(call.leave); });
  }

  void add_messages() {
    const auto& messages = window_.messages;
    numbers(messages, [](const TimelineMessage& message) { return message.from; });
    numbers(messages, [](const TimelineMessage& message) { return message.to; });
    times(messages, [&](const TimelineMessage& message) { return seconds(message.sent); });
    times(messages, [&](const TimelineMessage& message) { return seconds(message.received); });
    times(messages, [](const TimelineMessage& message) { return static_cast<double>(message.bytes); });
  }

  void add_operations() {
    std::vector<TimelineMember> members;
    std::vector<std::uint32_t> first = {0};
    for (const TimelineOperation& operation : window_.operations) {
      members.insert(members.end(), operation.begin(), operation.end());
      first.push_back(static_cast<std::uint32_t>(members.size()));
    }
    numbers(first, [](std::uint32_t number) { return number; });
    numbers(members, [](const TimelineMember& member) { return member.row; });
    times(members, [&](const TimelineMember& member) { return seconds(member.enter); });
    times(members, [&](const TimelineMember& member) { return seconds(member.leave); });
  }

  void add_waits() {
    const auto& waits = window_.waits;
    numbers(waits, [](const TimelineWait& wait) { return wait.row; });
    numbers(waits, [&](const TimelineWait& wait) { return match_metric(run_, wait.facts.metric); });
    numbers(waits, [&](const TimelineWait& wait) { return page_path(wait.facts.path); });
    times(waits, [&](const TimelineWait& wait) { return seconds(wait.facts.begin); });
    times(waits, [&](const TimelineWait& wait) { return seconds(wait.end()); });
    numbers(waits, [](const TimelineWait& wait) { return wait.has_cause ? wait.cause_row : kNotOnPage; });
    numbers(waits, [&](const TimelineWait& wait) { return page_path(wait.facts.delay_path); });
    times(waits, [&](const TimelineWait& wait) {
      return seconds(wait.facts.why.is_known() ? wait.facts.why.begin : wait.end());
    });
    times(waits, [&](const TimelineWait& wait) {
      return seconds(wait.facts.why.is_known() ? wait.facts.why.end : wait.end());
    });
    numbers(waits, [](const TimelineWait& wait) { return wait.through; });
    times(waits, [&](const TimelineWait& wait) { return trace_.seconds(wait.facts.why.delay); });
  }

  void add_critical() {
    const auto& critical = window_.critical;
    numbers(critical, [&](const PathStretch& stretch) { return trace_.number_of(stretch.rank, stretch.thread); });
    numbers(critical, [&](const PathStretch& stretch) { return page_path(stretch.path); });
    times(critical, [&](const PathStretch& stretch) { return seconds(stretch.begin); });
    times(critical, [&](const PathStretch& stretch) { return seconds(stretch.end); });
  }

  const ExploredRun& run_;
  const Trace& trace_;
  const RunTimeline& timeline_;
  const PageNumbers& numbers_;
  const EventWindow& window_;
  BlockWriter out_;
};

std::vector<std::uint8_t> bins_block(const TimelineBins& level, std::uint32_t rows) {
  BlockWriter out;
  out.u32(rows);
  out.u32(level.bins);
  for (const auto* bytes : {&level.classes, &level.waits, &level.critical})
    for (const std::uint8_t byte : *bytes) out.u8(byte);
  return out.take();
}

// The trace of a run, what was found in it, and what becomes of it.
class TimelineWriter {
 public:
  TimelineWriter(PageWriter& page, const ExploredRun& run, const TracedRun& traced, const std::string& prefix,
                 const TraceRequest& request)
      : page_(page),
        run_(run),
        traced_(traced),
        trace_(traced.trace()),
        prefix_(prefix),
        request_(request),
        numbers_{traced.paths(), traced.locations()} {}

  Result<std::string> write(const TimelineFacts& facts) {
    tell(facts);
    if (timeline_.path_classes.empty()) return std::string();
    return write_blocks();
  }

 private:
  void tell(const TimelineFacts& facts) {
    const Definitions& definitions = trace_.definitions();
    RunTimelineOptions options;
    for (const TimeWindow& window : request_.windows)
      options.wanted.push_back({to_ticks(definitions.clock, window.begin), to_ticks(definitions.clock, window.end)});
    timeline_ = make_timeline(trace_, traced_.analysis().unified, facts, options);
  }

  Result<std::string> write_blocks() {
    JsonWriter json;
    json.begin_object().member("begin", seconds(timeline_.begin)).member("end", seconds(timeline_.end));
    json.name("rows").begin_array();
    for (const std::uint32_t location : numbers_.locations) json.add(location);
    json.end().name("classes").begin_array();
    for (const Metric metric : timeline_.classes)
      json.begin_object().member("name", info_of(metric).unique_name).member("title", title_of(metric)).end();
    json.end().name("levels").begin_array();
    const std::vector<Packed> levels = packed(
        timeline_.levels.size(), [this](std::size_t i) { return bins_block(timeline_.levels[i], timeline_.rows); });
    for (std::size_t i = 0; i < levels.size(); ++i) TARRY_TRY(add_level(json, i, levels[i]));
    json.end().name("windows").begin_array();
    const std::vector<Packed> windows = packed(timeline_.windows.size(), [this](std::size_t i) {
      return WindowBlock(run_, trace_, timeline_, numbers_, timeline_.windows[i]).make();
    });
    for (std::size_t i = 0; i < windows.size(); ++i) TARRY_TRY(add_window(json, i, windows[i]));
    json.end();
    add_profiles(json);
    json.end();
    const std::string name = prefix_ + "timeline";
    TARRY_TRY(page_.add(name, json.take()));
    return name;
  }

  using Packed = std::vector<std::uint8_t>;
  template <class MakeBlock>
  std::vector<Packed> packed(std::size_t blocks, MakeBlock make) const {
    std::vector<Packed> all(blocks);
    run_parallel(trace_.workers(), blocks, [&](std::size_t i) { all[i] = pack(make(i), PackEffort::kQuick); });
    return all;
  }

  double seconds(Ticks ticks) const { return rounded_time(trace_.seconds(ticks - trace_.definitions().clock.origin)); }

  // "Collective" alone could be any.
  static std::string title_of(Metric metric) {
    const std::string title = info_of(metric).display_name;
    const bool is_of_mpi = std::string_view(info_of(metric).unique_name).starts_with("mpi_");
    return is_of_mpi ? "MPI: " + title : title;
  }

  Status add_level(JsonWriter& json, std::size_t i, const Packed& bytes) {
    const std::string block = prefix_ + "bins" + std::to_string(i);
    json.begin_object().member("bins", timeline_.levels[i].bins).member("block", block).end();
    return page_.add_packed(block, bytes);
  }

  void add_profiles(JsonWriter& json) const {
    json.name("profiles").begin_array();
    for (const WaitProfile& profile : timeline_.profiles) {
      if (profile.path >= numbers_.paths.size() || numbers_.paths[profile.path] == kNotOnPage) continue;
      json.begin_object().member("metric", match_metric(run_, profile.metric));
      json.member("path", numbers_.paths[profile.path]).name("seconds").begin_array();
      for (const Ticks ticks : profile.bins) json.add(rounded_time(trace_.seconds(ticks)));
      json.end().end();
    }
    json.end();
  }

  std::string place_of(const WaitInstance& wait) const {
    std::string place = "rank " + std::to_string(wait.world_rank.value);
    if (wait.thread != kMaster) place += " thread " + std::to_string(wait.thread.value);
    return place;
  }

  std::string reason_of(const EventWindow& window) const {
    if (window.is_whole) return "whole run";
    if (window.metric == Metric::kNone) return "as asked for";
    return std::string(info_of(window.metric).display_name) + " of " + place_of(window.about) + ": " +
           format_seconds(trace_.seconds(window.about.full_wait));
  }

  Status add_window(JsonWriter& json, std::size_t i, const Packed& bytes) {
    const EventWindow& window = timeline_.windows[i];
    const std::string block = prefix_ + "window" + std::to_string(i);
    json.begin_object().member("begin", seconds(window.begin)).member("end", seconds(window.end));
    json.member("why", reason_of(window)).member("block", block);
    json.name("leftOut").begin_object().member("calls", window.calls_left_out);
    json.member("messages", window.messages_left_out).member("operations", window.operations_left_out);
    json.member("waits", window.waits_left_out).end().end();
    return page_.add_packed(block, bytes);
  }

  PageWriter& page_;
  const ExploredRun& run_;
  const TracedRun& traced_;
  const Trace& trace_;
  const std::string prefix_;
  const TraceRequest& request_;
  RunTimeline timeline_;
  PageNumbers numbers_;
};

}  // namespace

Result<std::string> write_timeline(PageWriter& page, const ExploredRun& run, const TracedRun& traced,
                                   const TimelineFacts& facts, const std::string& prefix, const TraceRequest& request) {
  return TimelineWriter(page, run, traced, prefix, request).write(facts);
}

}  // namespace tarry
