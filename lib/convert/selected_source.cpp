// selected_source.cpp -- a part of a trace as a trace.
#include "convert/selected_source.hpp"

#include <algorithm>
#include <deque>
#include <utility>

#include "base/tool/cli.hpp"
#include "base/text/glob.hpp"
#include "base/text/ranges.hpp"
#include "base/text/text.hpp"
#include "defs/clock_ticks.hpp"
#include "trace/otf2/otf2_contexts.hpp"
#include "trace/record.hpp"

namespace tarry {
namespace {

bool is_user(const Region& region) {
  return region.paradigm == Paradigm::kUser || region.paradigm == Paradigm::kCompiler;
}

/// One event on its way, with what belongs to it.
struct Item {
  Event event;
  bool is_dropped = false;
  bool is_undecided = false;  // an ENTER whose visit may be too short
  std::vector<std::pair<RecordExtra, std::vector<std::uint8_t>>> extras = {};
};

class SelectedReader final : public EventReader {
 public:
  SelectedReader(std::unique_ptr<EventReader> whole, const Selection& selection)
      : whole_(std::move(whole)), selection_(selection) {}

  std::span<const Event> next() override {
    block_.clear();
    extras_.clear();
    while (block_.empty() && !is_ended_) {
      const auto events = whole_->next();
      const RecordExtras& extras = whole_->extras();
      std::size_t next_extra = 0;
      for (std::size_t i = 0; i < events.size() && !is_past_; ++i) {
        Item item{events[i]};
        for (; next_extra < extras.items.size() && extras.items[next_extra].event <= i; ++next_extra)
          take(extras, next_extra, item);
        add(std::move(item));
        pass_on();
      }
      if (events.empty() || is_past_) {
        close_regions();
        Item tail;  // what is behind the last event
        tail.is_dropped = true;
        for (; next_extra < extras.items.size(); ++next_extra)
          if (extras.items[next_extra].role == ExtraRole::kBefore) take(extras, next_extra, tail);
        waiting_.push_back(std::move(tail));
        for (Item& item : waiting_) item.is_undecided = false;
        pass_on();
        is_ended_ = true;
      }
    }
    return block_;
  }
  const RecordExtras& extras() const override { return extras_; }

 private:
  void take(const RecordExtras& extras, std::size_t index, Item& item) {
    const RecordExtra& extra = extras.items[index];
    if (extra.time < selection_.begin || extra.time > selection_.end) return;
    const auto payload = extras.payload(index);
    if (is_of_calling_context(extra.role, payload)) return;
    item.extras.emplace_back(extra, std::vector<std::uint8_t>(payload.begin(), payload.end()));
  }

  bool keeps_region(RegionId region) const {
    return selection_.keeps_region.empty() || region.value >= selection_.keeps_region.size() ||
           selection_.keeps_region[region.value];
  }

  void add(Item item) {
    Event& event = item.event;
    if (event.time > selection_.end) {
      is_past_ = true;
      return;
    }
    if (!is_open_ && event.time >= selection_.begin) open_regions();
    last_time_ = event.time;
    if (event.kind == EventKind::kEnter) return enter(std::move(item));
    if (event.kind == EventKind::kLeave) return leave(std::move(item));
    if (event.kind == EventKind::kAttribute && !open_.empty() && open_.back().place == kNowhere) return;  // of no visit
    if (is_open_) waiting_.push_back(std::move(item));
  }

  struct OpenRegion {
    RegionId region;
    std::uint64_t place;  // of its ENTER among all that were kept
  };
  static constexpr std::uint64_t kNowhere = ~std::uint64_t{0};

  std::uint64_t put_enter(Item item) {
    if (!keeps_region(record_of<record::Enter>(item.event).region)) return kNowhere;
    item.is_undecided = selection_.min_duration > 0;
    waiting_.push_back(std::move(item));
    return passed_ + waiting_.size() - 1;
  }

  void enter(Item item) {
    OpenRegion open{record_of<record::Enter>(item.event).region, kNowhere};
    if (is_open_) open.place = put_enter(std::move(item));
    open_.push_back(open);
  }

  void leave(Item item) {
    RegionId region = record_of<record::Leave>(item.event).region;
    std::uint64_t place = kNowhere;
    if (!open_.empty()) {
      if (!region.is_valid()) region = open_.back().region;
      set_record(item.event, record::Leave{.region = region});
      place = open_.back().place;
      open_.pop_back();
    }
    if (is_open_ && keeps_region(region)) put_leave(std::move(item), place);
  }

  void put_leave(Item item, std::uint64_t place) {
    if (place != kNowhere && place >= passed_) {
      Item& begin = waiting_[static_cast<std::size_t>(place - passed_)];
      begin.is_undecided = false;
      if (item.event.time - begin.event.time < selection_.min_duration) {
        begin.is_dropped = true;
        drop_attributes(place);
        return;
      }
    }
    waiting_.push_back(std::move(item));
  }

  /// Those of a visit that is dropped, and of shorter ones inside it.
  void drop_attributes(std::uint64_t enter) {
    for (std::size_t i = static_cast<std::size_t>(enter - passed_); i < waiting_.size(); ++i)
      if (waiting_[i].event.kind == EventKind::kAttribute) waiting_[i].is_dropped = true;
  }

  void open_regions() {
    is_open_ = true;
    for (OpenRegion& each : open_)
      each.place = put_enter({event_of(selection_.begin, record::Enter{.region = each.region})});
  }

  /// Where the time ends inside the location.
  void close_regions() {
    if (!is_past_) return;
    if (!is_open_) open_regions();
    for (; !open_.empty(); open_.pop_back())
      if (keeps_region(open_.back().region))
        put_leave({event_of(selection_.end, record::Leave{.region = open_.back().region})}, open_.back().place);
  }

  /// Hands on what is decided.
  void pass_on() {
    while (!waiting_.empty()) {
      Item& item = waiting_.front();
      if (item.is_undecided && last_time_ - item.event.time < selection_.min_duration) return;
      for (auto& [extra, payload] : item.extras) {
        if (item.is_dropped && extra.role != ExtraRole::kBefore) continue;
        extras_.bytes.insert(extras_.bytes.end(), payload.begin(), payload.end());
        extras_.close_item(block_.size(), extra.time, extra.role);
      }
      if (!item.is_dropped) block_.push_back(item.event);
      waiting_.pop_front();
      ++passed_;
    }
  }

  std::unique_ptr<EventReader> whole_;
  const Selection& selection_;
  std::vector<OpenRegion> open_;
  std::deque<Item> waiting_;
  std::uint64_t passed_ = 0;  // items that were handed on or dropped
  Ticks last_time_ = std::numeric_limits<Ticks>::min();
  bool is_open_ = false;  // the selected time has begun
  bool is_past_ = false;
  bool is_ended_ = false;
  std::vector<Event> block_;
  RecordExtras extras_;
};

class NoEvents final : public EventReader {
 public:
  std::span<const Event> next() override { return {}; }
};

}  // namespace

Status check_selection(const SelectionTexts& texts) {
  if (!texts.time.empty()) TARRY_TRY(TimeWindow::parse(texts.time));
  TARRY_TRY(NumberRanges::parse(texts.ranks));
  if (!texts.min_duration.empty()) TARRY_TRY(parse_seconds(texts.min_duration));
  return {};
}

Result<Selection> read_selection(const SelectionTexts& texts, const Definitions& all) {
  Selection selection;
  if (!texts.time.empty()) {
    TARRY_TRY_ASSIGN(window, TimeWindow::parse(texts.time));
    selection.begin = to_ticks(all.clock, window.begin);
    selection.end = to_ticks(all.clock, window.end);
  }
  TARRY_TRY_ASSIGN(ranks, NumberRanges::parse(texts.ranks));
  bool has_rank = ranks.is_all();
  for (const Process& process : all.processes) {
    if (ranks.is_all()) break;
    const bool is_kept = ranks.contains(process.rank);
    if (process.rank >= selection.keeps_rank.size()) selection.keeps_rank.resize(process.rank + 1);
    selection.keeps_rank[process.rank] = is_kept;
    has_rank = has_rank || is_kept;
  }
  if (!has_rank) return Error{"--ranks " + texts.ranks, "the trace has none of these ranks", ""};
  if (!texts.regions.empty() || texts.leaves_out_user) {
    const auto patterns = texts.regions.empty() ? std::vector<std::string>{"*"} : split_list(texts.regions);
    for (const Region& region : all.regions) {
      const std::string name(all.text(region.name));
      const bool matches = std::any_of(patterns.begin(), patterns.end(),
                                       [&](const std::string& pattern) { return is_named(name, pattern); });
      selection.keeps_region.push_back(matches && !(texts.leaves_out_user && is_user(region)));
    }
    if (std::find(selection.keeps_region.begin(), selection.keeps_region.end(), true) == selection.keeps_region.end())
      return Error{"--regions " + texts.regions, "no region of the trace has such a name", ""};
  }
  if (!texts.min_duration.empty()) {
    TARRY_TRY_ASSIGN(seconds, parse_seconds(texts.min_duration));
    selection.min_duration = static_cast<Ticks>(std::llround(seconds * all.clock.ticks_per_second));
  }
  return selection;
}

std::unique_ptr<EventReader> SelectedSource::open(LocationId location) {
  const Location& at = definitions().locations[location.value];
  const std::uint32_t rank = definitions().processes[at.process.value].rank;
  if (!selection_.keeps_rank.empty() && !selection_.keeps_rank[rank]) return std::make_unique<NoEvents>();
  auto whole = whole_.open(location);
  if (selection_.is_all()) return whole;
  return std::make_unique<SelectedReader>(std::move(whole), selection_);
}

}  // namespace tarry
