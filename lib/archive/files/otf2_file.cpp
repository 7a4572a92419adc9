// otf2_file.cpp -- otf2.tdef: what an imported OTF2 trace holds beyond our events and definitions.
#include "archive/files/otf2_file.hpp"

#include <algorithm>

#include "archive/files/names.hpp"
#include "base/bytes/bytes.hpp"
#include "base/bytes/varint.hpp"

namespace tarry {
namespace {

constexpr std::uint32_t kEveryProcess = 0xffffffffu;
constexpr std::size_t kFactsPerChunk = 16u << 20;
constexpr std::size_t kExtrasPerChunk = 256u << 10;
constexpr int kLevel = 1;  // of zlib

}  // namespace

Result<Otf2FileWriter> Otf2FileWriter::create(const std::string& archive, std::span<const std::uint8_t> facts) {
  Otf2FileWriter writer;
  writer.path_ = archive + "/" + names::kOtf2;
  TARRY_TRY_ASSIGN(container, ContainerWriter::open(writer.path_));
  writer.container_ = std::move(container);
  ChunkHeader header;
  header.kind = ChunkKind::kOtf2Facts;
  header.process = kEveryProcess;
  do {
    const auto part = facts.first(std::min(facts.size(), kFactsPerChunk));
    facts = facts.subspan(part.size());
    header.flags = facts.empty() ? kLastChunk : 0;
    TARRY_TRY(writer.container_->append_encoded(encode_chunk(header, part, kLevel)));
    ++header.sequence;
  } while (!facts.empty());
  return writer;
}

Status Otf2FileWriter::append(Stream& stream, std::uint64_t event_count, const RecordExtras& extras) {
  ByteWriter out;
  for (std::size_t i = 0; i < extras.items.size(); ++i) {
    const RecordExtra& extra = extras.items[i];
    const std::uint64_t event = event_count + extra.event;
    const auto payload = extras.payload(i);
    out.varint(event - stream.event);
    out.u8(static_cast<std::uint8_t>(extra.role));
    out.varint(zigzag(extra.time - stream.time));
    out.varint(payload.size());
    out.raw(payload.data(), payload.size());
    stream.event = event;
    stream.time = extra.time;
    ++stream.header.event_count;
  }
  stream.records.insert(stream.records.end(), out.bytes().begin(), out.bytes().end());
  return stream.records.size() >= kExtrasPerChunk ? flush(stream, false) : Status();
}

Status Otf2FileWriter::flush(Stream& stream, bool is_last) {
  stream.header.kind = ChunkKind::kRecordExtras;
  stream.header.flags = is_last ? kLastChunk : 0;
  TARRY_TRY(container_->append_encoded(encode_chunk(stream.header, stream.records, kLevel)));
  stream.records.clear();
  stream.header.event_count = 0;
  ++stream.header.sequence;
  return {};
}

Status Otf2FileWriter::finish(Stream& stream) {
  if (stream.records.empty() && stream.header.sequence == 0) return {};
  TARRY_TRY(flush(stream, true));
  stream.records = {};
  return {};
}

Status Otf2FileWriter::seal() { return seal_container(path_); }

Result<Otf2File> Otf2File::open(const std::string& archive) {
  const std::string path = archive + "/" + names::kOtf2;
  TARRY_TRY_ASSIGN(container, Container::open(path));
  Otf2File file;
  file.container_ = std::make_unique<Container>(std::move(container));
  const Error damaged{path, "is damaged", "import the trace again"};
  if (!file.container_->damage().empty()) return damaged;
  std::uint32_t facts_chunks = 0;
  for (const ChunkRef& chunk : file.container_->chunks()) {
    if (chunk.header.kind == ChunkKind::kRecordExtras) {
      auto& chunks = file.chunks_[{chunk.header.process, chunk.header.thread}];
      if (chunk.header.sequence != chunks.size()) return damaged;
      chunks.push_back(chunk);
    } else if (chunk.header.kind == ChunkKind::kOtf2Facts) {
      std::vector<std::uint8_t> bytes;
      if (chunk.header.sequence != facts_chunks++ || !file.container_->load(chunk, 0, bytes).ok()) return damaged;
      file.facts_.insert(file.facts_.end(), bytes.begin(), bytes.end());
    }
  }
  if (file.facts_.empty()) return damaged;
  return file;
}

Otf2File::Reader::Reader(const Otf2File& file, std::uint32_t process, std::uint32_t thread, const LocationClock& clock)
    : file_(&file), clock_(clock) {
  const auto found = file.chunks_.find({process, thread});
  if (found != file.chunks_.end()) chunks_ = &found->second;
}

/// Decodes the next extra if that is not done yet; false at the end.
bool Otf2File::Reader::peek() {
  while (!has_next_) {
    if (!chunks_ || !failure_.empty()) return false;
    if (position_ == bytes_.size()) {
      if (chunk_ == chunks_->size()) return bytes_ = {}, position_ = 0, false;
      position_ = 0;
      if (const Status loaded = file_->container_->load((*chunks_)[chunk_++], 0, bytes_); !loaded.ok()) {
        bytes_.clear();
        failure_ = loaded.error().why;
      }
      continue;
    }
    ByteReader in(bytes_.data() + position_, bytes_.size() - position_);
    next_.event = last_event_ += in.varint();
    next_.role = static_cast<ExtraRole>(in.u8());
    next_.time = last_time_ += unzigzag(in.varint());
    payload_ = in.take(in.varint());
    position_ = bytes_.size() - in.left();
    if (in.failed()) failure_ = "cannot be decoded";
    has_next_ = !in.failed();
  }
  return true;
}

void Otf2File::Reader::next(std::span<const Event> events, bool is_end, RecordExtras& out) {
  out.clear();
  const std::uint64_t end = events_before_ + events.size();
  while (peek() && (next_.event < end || is_end)) {
    has_next_ = false;
    const std::uint64_t at = next_.event - events_before_;
    const bool is_before = next_.role == ExtraRole::kBefore;
    if (!clock_.is_identity())
      next_.time = is_before || at >= events.size() ? clock_.apply(next_.time) : events[at].time;
    if (next_.event < events_before_ || (!is_before && (at >= events.size() || events[at].time != next_.time))) {
      ++misplaced_;
      continue;
    }
    out.bytes.insert(out.bytes.end(), payload_.begin(), payload_.end());
    out.close_item(is_before ? std::min<std::uint64_t>(at, events.size()) : at, next_.time, next_.role);
  }
  events_before_ = end;
}

}  // namespace tarry
