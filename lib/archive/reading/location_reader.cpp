// location_reader.cpp -- reads the chunks of one location forwards and backwards, a block of events at a time.
#include "archive/reading/location_reader.hpp"

#include <algorithm>
#include <limits>

#include "base/processes/thread_owned.hpp"

namespace tarry {

// Where locations are short, to make room for a chunk takes as long as to read it: the next location of this thread
// gets it.
static std::vector<std::uint8_t>& spare_bytes() {
  thread_local ThreadOwned<std::vector<std::uint8_t>> spare;
  return spare;
}

void ChunkDecoder::note(Fault fault, std::string detail, std::uint64_t count) {
  if (faults_ && index_ >= stream_.reported) faults_->add(fault, stream_.name, event_number_, std::move(detail), count);
}

bool ChunkDecoder::load(std::size_t index, std::uint64_t event_number) {
  index_ = index;
  event_number_ = event_number;
  floor_ = stream_.bounds[index];
  ceiling_ = stream_.bounds[index + 1];
  is_ended_ = true;
  const ChunkPlace& place = stream_.chunks[index];
  if (bytes_.empty()) bytes_ = std::move(spare_bytes());
  const Status outcome = stream_.contents->load(place, kDecodePadding, bytes_);
  if (!outcome.ok()) {
    note(Fault::kChunkDamaged, "chunk " + std::to_string(place.chunk.header.sequence) + " " + outcome.error().why);
    return false;
  }
  payload_bytes_ = bytes_.size() - kDecodePadding;
  raw_count_ = 0;
  const std::uint8_t* const records = bytes_.data();
  seek({RecordDecoder(records, records + payload_bytes_, place.chunk.header.first_time), floor_});
  return true;
}

void ChunkDecoder::release() {
  decoder_.reset();
  if (bytes_.capacity() <= kMostSpareBytes) spare_bytes() = std::move(bytes_);
  bytes_ = {};
  is_ended_ = true;
}

void ChunkDecoder::seek(const Mark& mark) {
  floor_ = mark.floor;
  decoder_ = mark.decoder;
  is_ended_ = false;
}

// Notes why decoding stopped before the end of the payload.
void ChunkDecoder::end_of_records() {
  is_ended_ = true;
  const ChunkHeader& header = stream_.chunks[index_].chunk.header;
  if (header.flags & kOpenChunk) return;  // its records end at a zero byte or where its process was killed
  const std::string chunk = "chunk " + std::to_string(header.sequence);
  if (decoder_->is_malformed()) {
    const std::uint8_t code = bytes_[decoder_->position()];
    const bool is_unknown = (code & 3) == codec::kFormGeneral && code != 0 && info_of(code >> 2).name.empty();
    note(is_unknown ? Fault::kUnknownRecord : Fault::kRecordMalformed,
         chunk + ", byte " + std::to_string(decoder_->position()));
  } else if (raw_count_ != header.event_count) {
    note(Fault::kRecordMalformed,
         chunk + " holds " + std::to_string(raw_count_) + " events instead of " + std::to_string(header.event_count));
  }
}

namespace {

// True if there is a member of that number, or the members are not known.
bool is_member(CommRank rank, CommId comm, const Definitions& tables) {
  if (!comm.is_valid() || comm.value >= tables.comms.size()) return true;
  const Communicator& facts = tables.comms[comm.value];
  const auto size = [&](GroupId group) { return group.is_valid() ? tables.groups[group.value].members.size() : 0; };
  const std::size_t members = std::max(size(facts.group), size(facts.remote_group));
  return members == 0 || rank.value < members;
}

// The communicator of an operation.
template <class Record>
CommId comm_of(const Record& operation, const Definitions&) {
  return operation.comm;
}
CommId comm_of(const record::RmaCollectiveEnd& operation, const Definitions& tables) {
  return tables.windows[operation.window.value].comm;
}

// The id of a process becomes the global one; false if that is not defined. Other fields stay as they are.
template <class Id, class Table>
bool translate(Id& id, const std::vector<Id>& map, const Table& table) {
  if (!map.empty()) id = id.value < map.size() ? map[id.value] : Id();
  return id.value < table.size();
}
bool translate(RegionId& id, const IdMap& ids, const Definitions& all) {
  return translate(id, ids.regions, all.regions);
}
bool translate(CommId& id, const IdMap& ids, const Definitions& all) { return translate(id, ids.comms, all.comms); }
bool translate(WindowId& id, const IdMap& ids, const Definitions& all) {
  return translate(id, ids.windows, all.windows);
}
bool translate(GroupId& id, const IdMap& ids, const Definitions& all) { return translate(id, ids.groups, all.groups); }
bool translate(IoHandleId& id, const IdMap& ids, const Definitions& all) {
  return translate(id, ids.io_handles, all.io_handles);
}
bool translate(CounterId& id, const IdMap& ids, const Definitions& all) {
  return translate(id, ids.counters, all.counters);
}
template <class Plain>
bool translate(Plain&, const IdMap&, const Definitions&) {
  return true;
}

}  // namespace

// Whether it is ENTER of a known region, whose id is translated then, or LEAVE of the innermost one: most records.
inline bool ChunkDecoder::is_plain(Event& event) const {
  if (event.kind == EventKind::kLeave) return !record_of<record::Leave>(event).region.is_valid();
  if (event.kind != EventKind::kEnter) return false;
  auto enter = record_of<record::Enter>(event);
  if (!translate(enter.region, *stream_.ids, *stream_.definitions)) [[unlikely]]
    return false;
  set_record(event, enter);
  return true;
}

std::size_t ChunkDecoder::decode(std::span<Event> block) {
  const bool is_corrected = !stream_.clock.is_identity();
  std::size_t kept = 0;
  while (kept == 0 && !is_ended_) {
    const std::size_t count = decoder_->decode(block.data(), block.size());
    raw_count_ += count;
    if (count < block.size()) end_of_records();
    for (std::size_t i = 0; i < count; ++i) {
      Event& event = block[i];
      if (is_corrected) event.time = stream_.clock.apply(event.time);
      if (event.time < floor_ || event.time > ceiling_) [[unlikely]] {
        const Ticks bound = event.time < floor_ ? floor_ : ceiling_;
        note(Fault::kTimeBackwards, std::to_string(event.time) + " where " + std::to_string(bound) + " is the bound");
        event.time = bound;
      }
      floor_ = event.time;
      const Use use = is_plain(event) ? Use::kKeep : use_of(event);
      if (use == Use::kCut) {
        is_ended_ = true;
        break;
      }
      if (use == Use::kKeep) {
        if (kept != i) block[kept] = event;
        ++kept;
      }
      ++event_number_;
    }
  }
  return kept;
}

// An ENTER of an unknown region cannot be left out alone, its LEAVE would close another one: the rest of the chunk
// goes.
ChunkDecoder::Use ChunkDecoder::use_of(Event& event) {
  if (event.kind == EventKind::kEnter) {
    note(Fault::kUndefinedReference, "region; the rest of its chunk is skipped");
    return Use::kCut;
  }
  if (event.kind == EventKind::kLost) note(Fault::kEventsLost, "", record_of<record::Lost>(event).count);
  bool is_usable = true;
  visit_record(event, [&](auto record) {
    is_usable = translate_fields(record);
    set_record(event, record);
  });
  return is_usable ? Use::kKeep : Use::kDrop;
}

template <class Record>
bool ChunkDecoder::translate_fields(Record& record) {
  bool is_usable = true;
  for_each_field(record, [&](auto& field, auto is_optional, std::string_view name) {
    if (!is_usable || (is_optional && bits_of_field(field, true) == kNoField)) return;
    if (translate(field, *stream_.ids, *stream_.definitions)) return;
    note(Fault::kUndefinedReference, std::string(info_of(Record::kKind).name) + " " + std::string(name));
    is_usable = is_optional;
    field = {};
  });
  if constexpr (requires { record.root; })
    if (is_usable && record.root.is_valid() &&
        !is_member(record.root, comm_of(record, *stream_.definitions), *stream_.definitions)) {
      note(Fault::kUndefinedReference,
           std::string(info_of(Record::kKind).name) + " root " + std::to_string(record.root.value));
      record.root = {};
    }
  return is_usable;
}

namespace {

class ForwardReader : public EventReader {
 public:
  ForwardReader(LocationStream& stream, std::size_t block_events)
      : stream_(stream), decoder_(stream, stream.faults), block_events_(block_events) {}

  std::span<const Event> next() override {
    while (index_ < stream_.chunks.size()) {
      if (!is_loaded_ && !begin_chunk()) continue;
      const std::size_t count = decoder_.decode(block_);
      if (count > 0) return {block_.data(), count};
      end_chunk();
    }
    end_of_location();
    return {};
  }

 private:
  bool is_reporting() const { return index_ >= stream_.reported; }

  bool begin_chunk() {
    const std::uint32_t sequence = stream_.chunks[index_].chunk.header.sequence;
    const std::uint64_t expected =
        index_ == 0 ? 0 : std::uint64_t{stream_.chunks[index_ - 1].chunk.header.sequence} + 1;
    if (sequence > expected && is_reporting())
      stream_.faults->add(Fault::kChunkMissing, stream_.name, decoder_.event_number(),
                          "before chunk " + std::to_string(sequence), sequence - expected);
    is_loaded_ = decoder_.load(index_, decoder_.event_number());
    if (!is_loaded_) end_chunk();
    else make_room();
    return is_loaded_;
  }

  // A block for no more events than the chunk claims to hold: short locations are many.
  void make_room() {
    const ChunkHeader& header = stream_.chunks[index_].chunk.header;
    const std::size_t wanted =
        header.flags & kOpenChunk ? block_events_ : std::clamp<std::size_t>(header.event_count, 1, block_events_);
    if (block_.size() >= wanted) return;
    if (block_.empty()) block_ = std::move(spare_block());
    if (block_.size() < wanted) block_.resize(wanted);
  }

  // Of the location that this thread has read before: where locations are short, to make one takes as long as to read.
  static std::vector<Event>& spare_block() {
    thread_local ThreadOwned<std::vector<Event>> spare;
    return spare;
  }

  void end_chunk() {
    is_loaded_ = false;
    ++index_;
    if (stream_.reported < index_) stream_.reported = index_;
  }

  void end_of_location() {
    spare_block() = std::move(block_);
    block_.clear();
    decoder_.release();
    const bool is_closed = !stream_.chunks.empty() && (stream_.chunks.back().chunk.header.flags & kLastChunk);
    const std::size_t all = stream_.chunks.size() + 1;
    // A process that exits without MPI_Finalize has closed its locations, and yet they end early.
    const bool is_whole = is_closed && stream_.is_complete;
    if (!is_whole && !stream_.chunks.empty() && stream_.reported < all)
      stream_.faults->add(Fault::kLocationIncomplete, stream_.name, decoder_.event_number());
    stream_.reported = all;
  }

  LocationStream& stream_;
  ChunkDecoder decoder_;
  std::size_t block_events_;
  std::vector<Event> block_;
  std::size_t index_ = 0;
  bool is_loaded_ = false;
};

// Goes over a chunk forwards once to mark where its blocks start, then decodes the blocks from the last to the first.
class ArchiveBackwardReader : public BackwardReader {
 public:
  ArchiveBackwardReader(const LocationStream& stream, std::size_t block_events)
      : decoder_(stream, nullptr), block_(block_events), index_(stream.chunks.size()) {}

  std::span<const Event> previous() override {
    for (;;) {
      while (marks_.empty()) {
        if (index_ == 0) return {};
        mark_chunk(--index_);
      }
      decoder_.seek(marks_.back());
      marks_.pop_back();
      const std::size_t count = decoder_.decode(block_);
      std::reverse(block_.begin(), block_.begin() + static_cast<std::ptrdiff_t>(count));
      if (count > 0) return {block_.data(), count};
    }
  }

 private:
  void mark_chunk(std::size_t index) {
    if (!decoder_.load(index, 0)) return;
    do marks_.push_back(decoder_.mark());
    while (decoder_.decode(block_) > 0);
    marks_.pop_back();
  }

  ChunkDecoder decoder_;
  std::vector<Event> block_;
  std::size_t index_;
  std::vector<ChunkDecoder::Mark> marks_;
};

}  // namespace

std::unique_ptr<EventReader> make_forward_reader(LocationStream& stream, std::size_t block_events) {
  return std::make_unique<ForwardReader>(stream, block_events);
}

std::unique_ptr<BackwardReader> make_backward_reader(const LocationStream& stream, std::size_t block_events) {
  return std::make_unique<ArchiveBackwardReader>(stream, block_events);
}

}  // namespace tarry
