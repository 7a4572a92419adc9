// changed_archives.cpp -- changed bytes in an archive: verify finds each, and no reader crashes, hangs or eats memory.
//
// usage: changed_archives FIRST COUNT       seeds, each a mutation of its own
//        changed_archives --each-byte       every byte of every file, one after the other
//
// Works in the current folder. A third of the mutations is sealed again with sums that fit, so that the decoders behind
// the checksums have to cope; some are of what a killed process leaves.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <tuple>

#include "archive/reading/archive_source.hpp"
#include "archive/files/corrections_file.hpp"
#include "archive/files/manifest.hpp"
#include "archive/files/provenance.hpp"
#include "archive/files/unified_file.hpp"
#include "archive/reading/verify.hpp"
#include "base/bytes/crc32.hpp"
#include "base/tool/log.hpp"
#include "driver.hpp"
#include "predictions.hpp"
#include "report/cubex/cubex_reader.hpp"
#include "tests/unit/archive/sample_archive.hpp"
#include "tools/replay/run.hpp"

namespace tarry::fuzz {
namespace {

using Bytes8 = std::vector<std::uint8_t>;

struct NamedFile {
  std::string name;  // relative to the archive
  Bytes8 bytes;
};

// Without waiting for the disk, as write_file() would.
void write_bytes(const std::string& path, const Bytes8& bytes) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!file.flush().good()) throw std::runtime_error(path + " cannot be written");
}

template <class T>
T expect(Result<T> result) {
  if (!result.ok()) throw std::runtime_error(result.error().text());
  return std::move(result).value();
}

void expect_ok(const Status& status) {
  if (!status.ok()) throw std::runtime_error(status.error().text());
}

/// A sound archive in memory, which is laid out anew for each case.
class Sample {
 public:
  explicit Sample(const std::string& archive) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(archive))
      if (entry.is_regular_file())
        files_.push_back({entry.path().string().substr(archive.size() + 1), expect(read_file(entry.path().string()))});
    std::sort(files_.begin(), files_.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  }

  void lay_out(const std::string& archive) const {
    std::filesystem::remove_all(archive);
    for (const NamedFile& file : files_) write_bytes(archive + "/" + file.name, file.bytes);
  }

  const std::vector<NamedFile>& files() const { return files_; }
  const NamedFile& pick(Random& random) const { return files_[random() % files_.size()]; }

 private:
  std::vector<NamedFile> files_;
};

Exchange& exchange() {
  static Exchange alone;
  return alone;
}

Status replay(const std::string& archive, const std::string& output) {
  ReplayOptions options;
  options.input = archive;
  options.output = output;
  options.workers = 1;
  const auto status = run_replay(options, exchange());
  return status.ok() ? Status() : status.error();
}

// As 'tarry sync' would leave them: one clock with many knots, one with two, one location with none.
Status correct(const std::string& archive) {
  Corrections corrections;
  std::vector<ShiftCurve::Knot> knots;
  for (Ticks k = 0; k < 100; ++k) knots.push_back({k * 50, k % 7});
  corrections.curves = {ShiftCurve(knots), ShiftCurve(std::vector<ShiftCurve::Knot>{{100, 20}, {100000, -20}})};
  for (std::uint32_t i = 0; i < 2 * sample::kProcesses; ++i)
    corrections.clock_of.push_back(i == 0 ? Corrections::kNoClock : i % 2);
  StageRecorder stage(names::kSyncStage, "sample");
  TARRY_TRY(write_corrections(archive + "/" + names::kCorrections, corrections));
  stage.add_output(names::kCorrections);
  return stage.add_to_archive(archive);
}

/// Four processes of two threads on two nodes; every kind of record, corrections of times, a summary and an analysis.
Sample make_sound() {
  std::filesystem::remove_all("sound");
  expect_ok(sample::record_and_finish("sound", 150));
  expect_ok(correct("sound"));
  expect_ok(replay("sound", ""));
  std::filesystem::copy_file("sound/analysis.cubex", "sound/summary.cubex");
  StageRecorder stage("measure", "sample");
  stage.add_output(names::kSummary);
  expect_ok(stage.add_to_archive("sound"));
  if (!expect(verify_archive("sound", VerifyDepth::kDeep)).is_intact())
    throw std::runtime_error("the sample is not sound");
  return Sample("sound");
}

/// One process is still recording, one was killed; nothing is sealed.
Sample make_dead() {
  std::filesystem::remove_all("dead");
  expect_ok(create_archive("dead"));
  for (const std::uint32_t rank : {0u, 2u}) expect_ok(sample::record_process("dead", rank, 100));
  for (const std::uint32_t rank : {1u, 3u}) expect_ok(sample::record_killed("dead", rank, 120 + 100 * rank));
  return Sample("dead");
}

// Reads all events in both directions and checks what readers may rely on.
std::string read_events(const std::string& path) {
  const auto source = ArchiveSource::open(path, {});
  if (!source.ok()) return "";
  const Definitions& all = source.value()->definitions();
  for (std::size_t i = 0; i < all.locations.size(); ++i) {
    std::size_t forward = 0, backward = 0;
    Ticks time = std::numeric_limits<Ticks>::min();
    const auto reader = source.value()->open(LocationId(i));
    for (auto block = reader->next(); !block.empty(); block = reader->next()) {
      for (const Event& event : block) {
        if (event.time < time) return "time runs backwards";
        time = event.time;
        if (event.kind == EventKind::kEnter && record_of<record::Enter>(event).region.value >= all.regions.size())
          return "an undefined region";
      }
      forward += block.size();
    }
    const auto mirrored = source.value()->open_backward(LocationId(i));
    for (auto block = mirrored->previous(); !block.empty(); block = mirrored->previous()) backward += block.size();
    if (forward != backward) return std::to_string(forward) + " events forward, " + std::to_string(backward) + " back";
  }
  read_profiles(source.value()->contents(), source.value()->unified(), source.value()->faults());
  return "";
}

// What the tools do with an archive, in turn.
std::string read_everything(const std::string& path, Random& random) {
  const auto shallow = verify_archive(path, VerifyDepth::kShallow);
  const auto manifest = read_manifest(path);
  for (const char* report : {names::kSummary, names::kAnalysis}) std::ignore = read_cubex(path + "/" + report);
  std::string wrong = read_events(path);
  std::ignore = replay(path, "/dev/null");
  if (wrong.empty() && random() % 2 == 0) wrong = predict_file(path, random());
  if (random() % 8 != 0) return wrong;
  std::filesystem::remove(path + "/" + names::kDefinitions);  // 'tarry unify' makes them again
  if (finish_archive(path, {}).ok() && wrong.empty()) wrong = read_events(path);
  return wrong;
}

bool is_found(const std::string& path) {
  const auto report = verify_archive(path, VerifyDepth::kDeep);
  return !report.ok() || !report.value().is_intact();
}

std::string change_bytes(const Sample& sound, Random& random) {
  const NamedFile& file = sound.pick(random);
  note(file.name);
  Bytes8 bytes = file.bytes;
  while (bytes == file.bytes)
    for (std::size_t n = random() % 3; n < 3 && !bytes.empty(); ++n) mutate_bytes(bytes, random);
  sound.lay_out("case");
  write_bytes("case/" + file.name, bytes);
  if (!is_found("case")) return "verify does not find what was changed";
  return read_everything("case", random);
}

// The chunks of a container one after the other, one of them with another payload or header.
Bytes8 reseal_container(const std::string& path, Random& random) {
  const Container container = expect(Container::open(path));
  const ContainerHeaderBytes head = encode_container_header(0);
  std::vector<Bytes8> chunks;
  const std::size_t victim = random() % container.chunks().size();
  for (std::size_t c = 0; c < container.chunks().size(); ++c) {
    const ChunkRef& chunk = container.chunks()[c];
    Bytes8 payload;
    expect_ok(container.load(chunk, 0, payload));
    ChunkHeader header = chunk.header;
    if (c == victim) {
      note("chunk " + std::to_string(c));
      for (std::size_t n = random() % 3; n < 3 && !payload.empty(); ++n) mutate_bytes(payload, random);
      if (random() % 4 == 0) header.first_time = static_cast<Ticks>(std::uint64_t{random()} << random() % 33);
      if (random() % 4 == 0) header.last_time = static_cast<Ticks>(std::uint64_t{random()} << random() % 33);
      if (random() % 4 == 0) header.sequence ^= 1u << random() % 32;
      if (random() % 4 == 0) header.event_count = static_cast<std::uint32_t>(random());
      if (random() % 8 == 0) header.process = random() % 2 ? 0xffffffffu : static_cast<std::uint32_t>(random());
      if (random() % 8 == 0) header.thread = static_cast<std::uint32_t>(random());
      if (random() % 8 == 0) header.kind = static_cast<ChunkKind>(1 + random() % 6);
      if (random() % 8 == 0) header.flags = random() % 4;
    }
    chunks.push_back(encode_chunk(header, payload, static_cast<int>(random() % 2)));
  }
  if (random() % 4 == 0) std::swap(chunks[victim], chunks[random() % chunks.size()]);
  if (random() % 4 == 0) chunks.push_back(chunks[random() % chunks.size()]);
  Bytes8 bytes(head.begin(), head.end());
  for (const Bytes8& chunk : chunks) bytes.insert(bytes.end(), chunk.begin(), chunk.end());
  return bytes;
}

// Another index behind the same chunks.
Bytes8 reseal_index(Bytes8 bytes, Random& random) {
  const std::uint64_t at = find_container_index(bytes);
  const auto index = bytes.begin() + static_cast<std::ptrdiff_t>(at);
  ChunkHeader header = expect(decode_chunk_header(&*index));
  Bytes8 payload(index + kChunkHeaderBytes, index + kChunkHeaderBytes + header.stored_bytes);
  const Bytes8 footer(bytes.end() - kContainerFooterBytes, bytes.end());
  note("index");
  mutate_bytes(payload, random);
  bytes.resize(at);
  for (const Bytes8& part : {encode_chunk(header, payload, 0), footer})
    bytes.insert(bytes.end(), part.begin(), part.end());
  return bytes;
}

Bytes8 reseal_manifest(Bytes8 bytes, Random& random) {
  const std::string last = "<!-- crc32 HHHHHHHH -->\n";
  bytes.resize(bytes.size() - last.size());
  for (std::size_t n = random() % 3; n < 3 && !bytes.empty(); ++n) mutate_bytes(bytes, random);
  char line[32];
  std::snprintf(line, sizeof line, "<!-- crc32 %08x -->\n", crc32(bytes.data(), bytes.size()));
  bytes.insert(bytes.end(), line, line + last.size());
  return bytes;
}

std::string change_and_reseal(const Sample& sound, Random& random) {
  const NamedFile& file = sound.pick(random);
  note(file.name + " resealed");
  sound.lay_out("case");
  const std::string path = "case/" + file.name;
  const bool is_container =
      file.name.ends_with(".tev") || file.name == names::kDefinitions || file.name == names::kCorrections;
  if (file.name == names::kManifest) write_bytes(path, reseal_manifest(file.bytes, random));
  else if (is_container && find_container_index(file.bytes) != 0 && random() % 4 == 0)
    write_bytes(path, reseal_index(file.bytes, random));
  else if (is_container) write_bytes(path, reseal_container(path, random));
  else return "";  // reports hold no sums
  if (is_container && random() % 4 == 0) expect_ok(seal_container(path));
  std::ignore = verify_archive("case", VerifyDepth::kDeep);
  return read_everything("case", random);
}

std::string change_what_was_killed(const Sample& dead, Random& random) {
  const NamedFile& file = dead.pick(random);
  if (file.bytes.empty()) return "";
  note(file.name + " of a dead recording");
  Bytes8 bytes = file.bytes;
  for (std::size_t n = random() % 3; n < 3 && !bytes.empty(); ++n) mutate_bytes(bytes, random);
  dead.lay_out("case");
  write_bytes("case/" + file.name, bytes);
  std::string wrong = read_everything("case", random);
  const auto report = finish_archive("case", {});
  if (report.ok() && report.value().is_complete) return "a dead recording is taken for complete";
  return wrong.empty() ? read_everything("case", random) : wrong;
}

int change_each_byte(const Sample& sound) {
  std::size_t changed = 0, missed = 0;
  sound.lay_out("case");
  for (const NamedFile& file : sound.files()) {
    for (std::size_t at = 0; at < file.bytes.size(); ++at, ++changed) {
      Bytes8 bytes = file.bytes;
      bytes[at] ^= static_cast<std::uint8_t>(1u << at % 8);
      write_bytes("case/" + file.name, bytes);
      if (is_found("case")) continue;
      if (++missed < 10)
        std::fprintf(stderr, "%s: bit %zu of byte %zu is not noticed by verify\n", file.name.c_str(), at % 8, at);
    }
    write_bytes("case/" + file.name, file.bytes);
  }
  std::printf("%zu bytes changed one by one, %zu not found\n", changed, missed);
  return missed ? 1 : 0;
}

int run(int argc, char** argv) {
  log_setup("fuzz", Verbosity::kQuiet);
  const Sample sound = make_sound(), dead = make_dead();
  if (argc == 2 && std::string(argv[1]) == "--each-byte") return change_each_byte(sound);
  if (argc != 3) return std::fputs("usage: changed_archives FIRST COUNT | changed_archives --each-byte\n", stderr), 2;
  const auto first = static_cast<std::uint32_t>(std::strtoul(argv[1], nullptr, 10));
  const auto count = static_cast<std::uint32_t>(std::strtoul(argv[2], nullptr, 10));
  return run_seeds("changed_archives", first, count, [&](std::uint32_t seed) {
    Random random(seed);
    switch (seed % 6) {
      case 0: return change_what_was_killed(dead, random);
      case 1:
      case 2: return change_and_reseal(sound, random);
      default: return change_bytes(sound, random);
    }
  });
}

}  // namespace
}  // namespace tarry::fuzz

int main(int argc, char** argv) { return tarry::fuzz::run(argc, argv); }
