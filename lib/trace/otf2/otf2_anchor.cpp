// otf2_anchor.cpp -- looks at an OTF2 anchor file before OTF2's library does.
#include "trace/otf2/otf2_anchor.hpp"

#include <otf2/otf2.h>
#include <sys/stat.h>

#include <algorithm>

#include "base/bytes/bytes.hpp"
#include "base/files/file.hpp"
#include "base/files/input_file.hpp"

namespace tarry {
namespace {

constexpr std::uint8_t kLittleEndian = 'B', kBigEndian = '#';
constexpr std::size_t kOrderAt = 1, kSizesAt = 12, kTextsAt = 46;
constexpr std::size_t kMostBytes = std::size_t{64} << 20;

class AnchorScan {
 public:
  AnchorScan(std::span<const std::uint8_t> bytes, bool is_swapped) : in_(bytes), is_swapped_(is_swapped) {}

  void skip(std::size_t size) { in_.take(size); }
  bool failed() const { return failed_ || in_.failed(); }
  std::size_t left() const { return in_.left(); }

  std::uint64_t u64() {
    const std::uint64_t first = u32(), second = u32();
    return is_swapped_ ? first << 32 | second : second << 32 | first;
  }
  std::uint32_t u32() {
    const std::uint32_t value = in_.u32();
    return is_swapped_ ? __builtin_bswap32(value) : value;
  }
  void skip_text() {
    const std::uint8_t* const end = std::find(in_.position(), in_.position() + in_.left(), 0);
    if (end == in_.position() + in_.left()) failed_ = true;
    if (!failed()) in_.take(static_cast<std::size_t>(end - in_.position()) + 1);
  }

 private:
  ByteReader in_;
  bool is_swapped_;
  bool failed_ = false;
};

bool is_buffer_size(std::uint64_t bytes) { return bytes >= OTF2_CHUNK_SIZE_MIN && bytes <= OTF2_CHUNK_SIZE_MAX; }

}  // namespace

Status check_otf2_anchor(std::span<const std::uint8_t> bytes, const std::string& path) {
  const auto damaged = [&path](const char* why) { return Error{path, why, "copy the whole trace again"}; };
  if (bytes.size() < kTextsAt) return damaged("the anchor file is cut off");
  const std::uint8_t order = bytes[kOrderAt];
  if (order != kLittleEndian && order != kBigEndian) return damaged("the anchor file has an unknown byte order");
  AnchorScan scan(bytes, order == kBigEndian);
  scan.skip(kSizesAt);
  const std::uint64_t event_buffer = scan.u64(), definition_buffer = scan.u64();
  if (!is_buffer_size(event_buffer) || !is_buffer_size(definition_buffer))
    return damaged("the anchor file asks for buffers of a size that OTF2 does not allow");
  scan.skip(kTextsAt - kSizesAt - 2 * sizeof event_buffer);
  for (int i = 0; i < 3; ++i) scan.skip_text();
  const std::uint64_t properties = scan.u32();
  if (scan.failed() || 2 * properties > scan.left())
    return damaged("the anchor file is damaged: it is too short for the texts or properties that it counts");
  for (std::uint64_t i = 0; i < 2 * properties; ++i) scan.skip_text();
  if (scan.failed()) return damaged("the anchor file is damaged: a property has no end");
  return {};
}

Status check_otf2_anchor(const std::string& path) {
  TARRY_TRY_ASSIGN(file, MappedFile::open(path));
  if (file.bytes().size() > kMostBytes) return Error{path, "is too large for an OTF2 anchor file", ""};
  return check_otf2_anchor(file.bytes(), path);
}

Status check_otf2_file(const std::string& path) {
  struct stat facts;
  if (::stat(path.c_str(), &facts) != 0 || S_ISREG(facts.st_mode)) return {};
  return Error{path, what_it_is(facts.st_mode) + ", not a file", ""};
}

}  // namespace tarry
