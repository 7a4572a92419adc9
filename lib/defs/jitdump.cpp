// jitdump.cpp -- reads the records, and keeps for each place which functions were there.
#include "defs/jitdump.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <string_view>
#include <vector>

#include "base/bytes/bytes.hpp"
#include "base/files/file.hpp"

namespace tarry {
namespace {

constexpr std::chrono::milliseconds kDumpPatience{1000};

// Offsets in the header, in a record, in that of code that is loaded, and of code that is moved.
constexpr std::size_t kHeaderBytes = 40, kHeaderSize = 8, kHeaderFlags = 32;
constexpr std::size_t kRecordBytes = 16, kRecordSize = 4, kRecordTime = 8;
constexpr std::size_t kLoadAddress = 32, kLoadSize = 40, kLoadIndex = 48, kLoadBytes = 56;
constexpr std::size_t kMoveAddress = 40, kMoveSize = 48, kMoveIndex = 56, kMoveBytes = 64;
constexpr std::uint32_t kMagic = 0x4a695444, kLoad = 0, kMove = 1;
constexpr std::uint64_t kTimeIsCounter = 1;

// A function at a place. What was moved there is known by its number until the names are read.
struct Owner {
  NameInFile name;
  std::uint64_t index = 0;
  bool is_known = false, is_moved = false;
};

struct Owners {
  Owner first, later;
};

class DumpRecords {
 public:
  DumpRecords(PieceReader& file, std::span<RunTimeCode> places)
      : file_(file), places_(places), owners_(places.size()) {}

  void read() {
    const std::string_view header = file_.at(0, kHeaderBytes);
    if (header.size() < kHeaderBytes || number<std::uint32_t>(header, 0) != kMagic) return;
    first_ = std::max<std::uint64_t>(kHeaderBytes, number<std::uint32_t>(header, kHeaderSize));
    has_times_ = (number<std::uint64_t>(header, kHeaderFlags) & kTimeIsCounter) == 0;
    each_record([this](std::uint64_t offset, std::uint32_t kind, std::string_view record) {
      if (kind == kLoad) note_load(offset, record);
      if (kind == kMove) note_move(record);
    });
    file_.give_time();
    if (!moved_.empty()) find_moved();
    for (std::size_t i = 0; i < places_.size(); ++i)
      if (places_[i].name.empty() && owners_[i].first.is_known) places_[i].name = name_of(owners_[i]);
  }

 private:
  template <class Number>
  static Number number(std::string_view bytes, std::size_t at) {
    return load_le<Number>(bytes.data() + at);
  }

  // Calls `visit` for those that are whole.
  template <class Visit>
  void each_record(Visit visit) {
    for (std::uint64_t offset = first_;;) {
      const std::string_view record = file_.at(offset, kLoadBytes + kMostNameBytes);
      if (record.size() < kRecordBytes) return;
      const std::uint64_t bytes = number<std::uint32_t>(record, kRecordSize);
      if (bytes < kRecordBytes) return;
      visit(offset, number<std::uint32_t>(record, 0), record.substr(0, std::min<std::uint64_t>(bytes, record.size())));
      offset += bytes;
    }
  }

  void note_load(std::uint64_t offset, std::string_view record) {
    if (record.size() <= kLoadBytes) return;
    Owner owner{.name = name_in(offset, record), .is_known = true};
    if (owner.name.length > 0)
      note(owner, record, number<std::uint64_t>(record, kLoadAddress), number<std::uint64_t>(record, kLoadSize));
  }

  void note_move(std::string_view record) {
    if (record.size() < kMoveBytes) return;
    const Owner owner{
        .name = {}, .index = number<std::uint64_t>(record, kMoveIndex), .is_known = true, .is_moved = true};
    note(owner, record, number<std::uint64_t>(record, kMoveAddress), number<std::uint64_t>(record, kMoveSize));
  }

  void note(const Owner& owner, std::string_view record, std::uint64_t begin, std::uint64_t bytes) {
    const auto time = static_cast<std::int64_t>(number<std::uint64_t>(record, kRecordTime));
    for (const RunTimeCode& code : places_in(places_, begin, bytes)) {
      Owners& there = owners_[static_cast<std::size_t>(&code - places_.data())];
      const bool was_there = !has_times_ || time <= code.seen_ns || !there.first.is_known;
      (was_there ? there.first : there.later) = owner;
      if (owner.is_moved) moved_.try_emplace(owner.index);
    }
  }

  // The name ends with a zero byte, in front of the code.
  static NameInFile name_in(std::uint64_t offset, std::string_view record) {
    const std::string_view rest = record.substr(kLoadBytes);
    return {offset + kLoadBytes, static_cast<std::uint32_t>(::strnlen(rest.data(), rest.size()))};
  }

  // Most dumps move nothing: only where one does it is read twice.
  void find_moved() {
    each_record([this](std::uint64_t offset, std::uint32_t kind, std::string_view record) {
      if (kind != kLoad || record.size() <= kLoadBytes) return;
      const auto found = moved_.find(number<std::uint64_t>(record, kLoadIndex));
      if (found != moved_.end()) found->second = name_in(offset, record);
    });
  }

  std::string name_of(const Owner& owner) {
    const NameInFile name = owner.is_moved ? moved_[owner.index] : owner.name;
    return name.length > 0 ? read_name(file_, name) : "";
  }

  std::string name_of(const Owners& owners) {
    std::string name = name_of(owners.first);
    const std::string later = owners.later.is_known ? name_of(owners.later) : "";
    return later.empty() || later == name ? name : name.empty() ? later : name + " or " + later;
  }

  PieceReader& file_;
  const std::span<RunTimeCode> places_;
  std::vector<Owners> owners_;
  std::map<std::uint64_t, NameInFile> moved_;
  std::uint64_t first_ = 0;  // record
  bool has_times_ = true;
};

// The file of a line of /proc/self/maps if it is mapped as code.
std::string_view code_file_in(std::string_view line) {
  const std::size_t access = line.find(' '), path = line.find('/');
  if (path == line.npos || access + 3 >= line.size() || line[access + 3] != 'x') return {};
  return line.substr(path);
}

// A line of 4096 characters and more names no dump.
std::string find_mapped_file(const std::string& ending) {
  auto file = open_file("/proc/self/maps", O_RDONLY);
  if (!file.ok()) return "";
  std::string text;
  char piece[4096];
  for (ssize_t size = 0; (size = ::read(file->descriptor(), piece, sizeof piece)) > 0;) {
    text.append(piece, static_cast<std::size_t>(size));
    for (std::size_t end; (end = text.find('\n')) != text.npos; text.erase(0, end + 1))
      if (const auto path = code_file_in(std::string_view(text).substr(0, end)); path.ends_with(ending))
        return std::string(path);
    if (text.size() > sizeof piece) text.clear();
  }
  return "";
}

}  // namespace

std::string find_jitdump(int pid) {
  const std::string name = "jit-" + std::to_string(pid) + ".dump";
  const std::string mapped = find_mapped_file("/" + name);
  return mapped.empty() && path_exists(name) ? name : mapped;
}

void name_by_jitdump(const std::string& path, std::span<RunTimeCode> places) {
  if (auto file = PieceReader::open(path, kDumpPatience)) DumpRecords(*file, places).read();
}

}  // namespace tarry
