// timeline.cpp -- all locations of a trace as one stream in order of time.
#include "trace/timeline.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/bytes/bytes.hpp"
#include "base/files/file.hpp"
#include "base/arrays/merge_heap.hpp"
#include "base/files/temporary_file.hpp"
#include "base/bytes/varint.hpp"
#include "trace/event_codec.hpp"

namespace tarry {
namespace {

constexpr std::size_t kMergedEvents = 4096;   // that a merge hands out
constexpr std::size_t kRunBlockEvents = 512;  // that a temporary file hands out
constexpr std::size_t kWriteBytes = 1 << 20;
constexpr std::size_t kReadBytes = 64 << 10;
constexpr std::size_t kMaxRunRecord = (3 + kMaxEventFields) * kMaxVarintBytes;

struct Key {
  Ticks time;
  std::uint32_t location;
  std::uint32_t input;

  bool operator<(const Key& other) const { return time != other.time ? time < other.time : location < other.location; }
};

/// The next events of a stream, where they lie.
struct View {
  std::span<const Event> events;
  const std::uint32_t* locations = nullptr;  // of each event; null: all are of one location
  std::uint32_t location = 0;

  std::uint32_t location_of(std::size_t i) const { return locations ? locations[i] : location; }
};

/// A sorted stream that keeps the events it hands out until the next call.
class Input {
 public:
  virtual ~Input() = default;
  /// No events at the end.
  virtual Status next(View& view) = 0;
};

/// One location.
class LocationInput final : public Input {
 public:
  LocationInput(Source& source, LocationId location, const std::function<void(std::uint64_t)>& note_progress)
      : reader_(source.open(location)), location_(location.value), note_progress_(note_progress) {}

  Status next(View& view) override {
    view = {reader_->next(), nullptr, location_};
    note_progress_(view.events.size());
    return {};
  }

 private:
  std::unique_ptr<EventReader> reader_;
  std::uint32_t location_;
  const std::function<void(std::uint64_t)>& note_progress_;
};

/// Merges streams. Each location's events come from one of them.
class Merge {
 public:
  explicit Merge(std::vector<std::unique_ptr<Input>> inputs) {
    for (auto& input : inputs) inputs_.push_back({std::move(input), {}, 0});
  }

  Status next(TimelineBlock& block) {
    block.events.clear();
    block.locations.clear();
    if (!is_started_) TARRY_TRY(start());
    while (!heap_.empty() && block.events.size() < kMergedEvents) {
      OpenInput& input = inputs_[heap_.top().input];
      // Events of one location often follow one another.
      do {
        block.events.push_back(input.view.events[input.at]);
        block.locations.push_back(input.view.location_of(input.at));
        if (++input.at == input.view.events.size()) break;
      } while (heap_.stays_top(key_of(input)) && block.events.size() < kMergedEvents);
      if (input.at == input.view.events.size()) TARRY_TRY(refill(input));
      if (input.view.events.empty()) heap_.pop();
      else heap_.replace_top(key_of(input));
    }
    return {};
  }

 private:
  struct OpenInput {
    std::unique_ptr<Input> stream;
    View view;
    std::size_t at = 0;
  };

  Key key_of(const OpenInput& input) const {
    return {input.view.events[input.at].time, input.view.location_of(input.at),
            static_cast<std::uint32_t>(&input - inputs_.data())};
  }

  Status refill(OpenInput& input) {
    input.at = 0;
    TARRY_TRY(input.stream->next(input.view));
    if (input.view.events.empty()) input.stream.reset();
    return {};
  }

  Status start() {
    is_started_ = true;
    for (OpenInput& input : inputs_) {
      TARRY_TRY(refill(input));
      if (!input.view.events.empty()) heap_.push(key_of(input));
    }
    return {};
  }

  std::vector<OpenInput> inputs_;
  MergeHeap<Key> heap_;
  bool is_started_ = false;
};

/// A temporary file without a name. Each event: varint time difference, location, kind, and the fields (those that may
/// be absent plus 1).
class RunFile {
 public:
  static Result<RunFile> create(const std::string& folder) {
    RunFile run;
    run.path_ = folder;
    TARRY_TRY_ASSIGN(file, open_temporary_file(folder));
    run.file_ = std::move(file);
    return run;
  }

  Status write(const TimelineBlock& block) {
    for (std::size_t i = 0; i < block.events.size(); ++i) {
      const Event& event = block.events[i];
      const std::size_t begin = bytes_.size();
      bytes_.resize(begin + kMaxRunRecord);
      std::uint8_t* at = bytes_.data() + begin;
      at = encode_varint(at, static_cast<std::uint64_t>(event.time) - static_cast<std::uint64_t>(time_));
      at = encode_varint(at, block.locations[i]);
      at = encode_varint(at, static_cast<std::uint64_t>(event.kind));
      at = encode_fields(at, event);
      bytes_.resize(static_cast<std::size_t>(at - bytes_.data()));
      time_ = event.time;
    }
    return bytes_.size() >= kWriteBytes ? flush() : Status();
  }

  Status flush() {
    TARRY_TRY(write_all(file_, bytes_.data(), bytes_.size(), path_));
    bytes_.clear();
    return {};
  }

  const File& file() const { return file_; }
  void free_memory() { bytes_ = {}; }

 private:
  std::string path_;
  File file_;
  std::vector<std::uint8_t> bytes_;
  Ticks time_ = 0;
};

class RunInput final : public Input {
 public:
  explicit RunInput(RunFile run) : run_(std::move(run)) { run_.free_memory(); }

  Status next(View& view) override {
    TARRY_TRY(decode(block_));
    view = {block_.events, block_.locations.data(), 0};
    return {};
  }

 private:
  Status decode(TimelineBlock& block) {
    block.events.clear();
    block.locations.clear();
    while (block.events.size() < kRunBlockEvents) {
      if (bytes_.size() - at_ < kMaxRunRecord && !is_end_) TARRY_TRY(fill());
      if (at_ == bytes_.size()) break;
      ByteReader in(bytes_.data() + at_, bytes_.size() - at_);
      Event& event = block.events.emplace_back();
      event.time = time_ = static_cast<Ticks>(static_cast<std::uint64_t>(time_) + in.varint());
      block.locations.push_back(in.varint32());
      event.kind = static_cast<EventKind>(in.varint());
      const std::uint8_t* const end = bytes_.data() + bytes_.size();
      const std::uint8_t* const next = in.failed() ? nullptr : decode_fields(end - in.left(), end, event);
      if (!next) return Error{"temporary file", "was changed by another program", ""};
      at_ = static_cast<std::size_t>(next - bytes_.data());
    }
    return {};
  }

  Status fill() {
    bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(at_));
    at_ = 0;
    const std::size_t kept = bytes_.size();
    bytes_.resize(kept + kReadBytes);
    ssize_t count;
    do count = ::pread(run_.file().descriptor(), bytes_.data() + kept, kReadBytes, static_cast<off_t>(offset_));
    while (count < 0 && errno == EINTR);
    if (count < 0) return Error{"temporary file", system_error(), ""};
    bytes_.resize(kept + static_cast<std::size_t>(count));
    offset_ += static_cast<std::uint64_t>(count);
    is_end_ = count == 0;
    return {};
  }

  RunFile run_;
  TimelineBlock block_;
  std::vector<std::uint8_t> bytes_;
  std::size_t at_ = 0;
  std::uint64_t offset_ = 0;
  Ticks time_ = 0;
  bool is_end_ = false;
};

/// Merges some streams into a temporary file, which is a stream again.
Result<std::unique_ptr<Input>> merge_into_run(std::vector<std::unique_ptr<Input>> inputs, const std::string& folder) {
  Merge merge(std::move(inputs));
  TARRY_TRY_ASSIGN(run, RunFile::create(folder));
  TimelineBlock block;
  for (;;) {
    TARRY_TRY(merge.next(block));
    if (block.empty()) break;
    TARRY_TRY(run.write(block));
  }
  TARRY_TRY(run.flush());
  return std::unique_ptr<Input>(std::make_unique<RunInput>(std::move(run)));
}

/// The whole trace; keeps the callback of its inputs alive.
class WholeTimeline final : public SortedStream {
 public:
  explicit WholeTimeline(const std::function<void(std::uint64_t)>& note_progress) : note_progress_(note_progress) {}

  Status build(Source& source, const TimelineOptions& options) {
    const std::size_t count = source.definitions().locations.size();
    const std::size_t most = std::max<std::size_t>(options.open_streams, 2);
    const std::string folder = options.folder.empty() ? temporary_folder() : options.folder;
    open_regions_.resize(count);
    std::vector<std::unique_ptr<Input>> inputs, runs;
    for (std::size_t i = 0; i < count; ++i) {
      inputs.push_back(std::make_unique<LocationInput>(source, LocationId(i), note_progress_));
      if (count > most && (inputs.size() == most || i + 1 == count)) TARRY_TRY(close_group(inputs, runs, folder));
    }
    if (count > most) inputs = std::move(runs);
    while (inputs.size() > most) {
      std::vector<std::unique_ptr<Input>> larger, group;
      for (auto& input : inputs) {
        group.push_back(std::move(input));
        if (group.size() == most || &input == &inputs.back()) TARRY_TRY(close_group(group, larger, folder));
      }
      inputs = std::move(larger);
    }
    merge_ = std::make_unique<Merge>(std::move(inputs));
    return {};
  }

  Status next(TimelineBlock& block) override {
    TARRY_TRY(merge_->next(block));
    for (std::size_t i = 0; i < block.events.size(); ++i)
      if (block.events[i].kind <= EventKind::kLeave) name_region(block.events[i], open_regions_[block.locations[i]]);
    return {};
  }

 private:
  static_assert(EventKind::kEnter < EventKind::kLeave && static_cast<int>(EventKind::kLeave) == 2);

  /// A LEAVE that names no region leaves the innermost one.
  static void name_region(Event& event, std::vector<RegionId>& open) {
    if (event.kind == EventKind::kEnter) {
      open.push_back(record_of<record::Enter>(event).region);
    } else if (!open.empty()) {
      if (!record_of<record::Leave>(event).region.is_valid()) set_record(event, record::Leave{.region = open.back()});
      open.pop_back();
    }
  }

  static Status close_group(std::vector<std::unique_ptr<Input>>& group, std::vector<std::unique_ptr<Input>>& runs,
                            const std::string& folder) {
    TARRY_TRY_ASSIGN(run, merge_into_run(std::exchange(group, {}), folder));
    runs.push_back(std::move(run));
    return {};
  }

  std::function<void(std::uint64_t)> note_progress_;
  std::unique_ptr<Merge> merge_;
  std::vector<std::vector<RegionId>> open_regions_;  // by location
};

}  // namespace

Result<std::unique_ptr<SortedStream>> Timeline::open(Source& source, const TimelineOptions& options,
                                                     const std::function<void(std::uint64_t)>& note_progress) {
  auto timeline = std::make_unique<WholeTimeline>(note_progress);
  TARRY_TRY(timeline->build(source, options));
  return std::unique_ptr<SortedStream>(std::move(timeline));
}

}  // namespace tarry
