// corrections_file.cpp -- corrections.tcor (docs/FORMAT.md, "corrections.tcor").
#include "archive/files/corrections_file.hpp"

#include <algorithm>
#include <iterator>

#include "base/bytes/bytes.hpp"
#include "base/files/file.hpp"
#include "trace/container.hpp"

namespace tarry {
namespace {

constexpr std::uint32_t kNoProcess = 0xffffffffu;
constexpr std::size_t kKnotsPerChunk = 1u << 20;  // at most 20 bytes each: well below kMaxChunkBytes
constexpr int kCorrectionsLevel = 6;
const char kWayOut[] = "delete it, or run 'tarry sync' again";

std::uint64_t difference(Ticks later, Ticks earlier) {
  return static_cast<std::uint64_t>(later) - static_cast<std::uint64_t>(earlier);
}

// Clocks may go on in the next chunk: all payloads behind one another are one sequence of bytes.
class CorrectionsWriter {
 public:
  void number(std::uint64_t value) { payload_.varint(value); }
  void knot(const ShiftCurve::Knot& knot, const ShiftCurve::Knot& before) {
    payload_.varint(zigzag(static_cast<Ticks>(difference(knot.at, before.at))));
    payload_.varint(zigzag(static_cast<Ticks>(difference(knot.shift, before.shift))));
    if (++knots_ % kKnotsPerChunk == 0) flush(false);
  }
  void flush(bool is_last) {
    ChunkHeader header;
    header.kind = ChunkKind::kCorrections;
    header.process = kNoProcess;
    header.sequence = sequence_++;
    header.flags = is_last ? kLastChunk : 0;
    const std::vector<std::uint8_t> chunk = encode_chunk(header, payload_.bytes(), kCorrectionsLevel);
    chunks_.insert(chunks_.end(), chunk.begin(), chunk.end());
    payload_.bytes().clear();
  }
  const std::vector<std::uint8_t>& chunks() const { return chunks_; }

 private:
  ByteWriter payload_;
  std::vector<std::uint8_t> chunks_;
  std::size_t knots_ = 0;
  std::uint32_t sequence_ = 0;
};

Result<ShiftCurve> decode_curve(ByteReader& in) {
  std::vector<ShiftCurve::Knot> knots;
  ShiftCurve::Knot knot;
  for (std::uint64_t left = in.varint(); left > 0 && !in.failed(); --left) {
    knot.at =
        static_cast<Ticks>(static_cast<std::uint64_t>(knot.at) + static_cast<std::uint64_t>(unzigzag(in.varint())));
    knot.shift =
        static_cast<Ticks>(static_cast<std::uint64_t>(knot.shift) + static_cast<std::uint64_t>(unzigzag(in.varint())));
    if (!in.failed()) knots.push_back(knot);
  }
  const ShiftCurve curve(knots);
  if (curve.knots() != knots) return Error{"corrections", "would let time run backwards", ""};
  return curve;
}

Result<Corrections> decode_corrections(std::span<const std::uint8_t> bytes) {
  ByteReader in(bytes);
  Corrections corrections;
  for (std::uint64_t clocks = in.varint(); clocks > 0 && !in.failed(); --clocks) {
    TARRY_TRY_ASSIGN(curve, decode_curve(in));
    corrections.curves.push_back(std::move(curve));
  }
  for (std::uint64_t locations = in.varint(); locations > 0 && !in.failed(); --locations) {
    const std::uint32_t clock = in.varint32();
    if (clock > corrections.curves.size()) return Error{"corrections", "name a clock that is not there", ""};
    corrections.clock_of.push_back(clock == 0 ? Corrections::kNoClock : clock - 1);
  }
  if (in.failed() || in.left() > 0) return Error{"corrections", "are cut off or too long", ""};
  return corrections;
}

}  // namespace

Status write_corrections(const std::string& path, const Corrections& corrections) {
  CorrectionsWriter out;
  out.number(corrections.curves.size());
  for (const ShiftCurve& curve : corrections.curves) {
    out.number(curve.knots().size());
    ShiftCurve::Knot before;
    for (const ShiftCurve::Knot& knot : curve.knots()) {
      out.knot(knot, before);
      before = knot;
    }
  }
  out.number(corrections.clock_of.size());
  for (const std::uint32_t clock : corrections.clock_of)
    out.number(clock == Corrections::kNoClock ? 0 : std::uint64_t{clock} + 1);
  out.flush(true);
  const ContainerHeaderBytes header = encode_container_header(0);
  std::vector<std::uint8_t> file(header.begin(), header.end());
  file.insert(file.end(), out.chunks().begin(), out.chunks().end());
  return replace_file(path, std::span<const std::uint8_t>(file));
}

Result<Corrections> read_corrections(const std::string& path) {
  TARRY_TRY_ASSIGN(file, Container::open(path));
  if (!file.damage().empty()) return Error{path, file.damage().front().why, kWayOut};
  std::vector<std::uint8_t> all, bytes;
  std::uint32_t expected = 0;
  bool is_ended = false;
  for (const ChunkRef& chunk : file.chunks()) {
    if (chunk.header.kind != ChunkKind::kCorrections) continue;
    if (chunk.header.sequence != expected++ || is_ended) return Error{path, "a chunk is missing or repeated", kWayOut};
    is_ended = chunk.header.flags & kLastChunk;
    const Status outcome = file.load(chunk, 0, bytes);
    if (!outcome.ok()) return Error{path, outcome.error().text(), kWayOut};
    all.insert(all.end(), bytes.begin(), bytes.end());
  }
  if (!is_ended) return Error{path, "is cut off", kWayOut};
  auto corrections = decode_corrections(all);
  if (!corrections.ok()) return Error{path, corrections.error().text(), kWayOut};
  return corrections;
}

}  // namespace tarry
