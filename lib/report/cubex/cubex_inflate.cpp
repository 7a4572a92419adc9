// cubex_inflate.cpp -- inflates compressed parts of a report.
#include "report/cubex/cubex_inflate.hpp"

#include <zlib.h>

#include <algorithm>

namespace tarry {
namespace {

constexpr std::size_t kMaxStep = std::size_t{1} << 30;  // zlib counts in 32 bits

// Feeds zlib in steps and ends the stream.
class Inflater {
 public:
  Inflater(std::span<const std::uint8_t> bytes, int window_bits) : left_(bytes) {
    is_open_ = inflateInit2(&stream_, window_bits) == Z_OK;
  }
  ~Inflater() {
    if (is_open_) inflateEnd(&stream_);
  }
  Inflater(const Inflater&) = delete;

  // Fills as much of `out` as there is; returns how much, and zlib's answer.
  std::size_t read(std::uint8_t* out, std::size_t size, int& answer) {
    if (!is_open_) {
      answer = Z_MEM_ERROR;
      return 0;
    }
    if (stream_.avail_in == 0) {
      stream_.next_in = const_cast<Bytef*>(left_.data());
      stream_.avail_in = static_cast<uInt>(std::min(left_.size(), kMaxStep));
      left_ = left_.subspan(stream_.avail_in);
    }
    stream_.next_out = out;
    stream_.avail_out = static_cast<uInt>(std::min(size, kMaxStep));
    const uInt before = stream_.avail_out;
    answer = inflate(&stream_, Z_NO_FLUSH);
    return before - stream_.avail_out;
  }

 private:
  std::span<const std::uint8_t> left_;
  z_stream stream_{};
  bool is_open_ = false;
};

}  // namespace

bool is_gzip(std::span<const std::uint8_t> bytes) { return bytes.size() > 2 && bytes[0] == 0x1f && bytes[1] == 0x8b; }

Result<std::string> inflate_gzip(std::span<const std::uint8_t> bytes, std::uint64_t limit, const std::string& what) {
  Inflater inflater(bytes, 15 + 16);
  std::string text;
  for (int answer = Z_OK; answer != Z_STREAM_END;) {
    std::uint8_t piece[65536];
    const std::size_t got = inflater.read(piece, sizeof piece, answer);
    text.append(reinterpret_cast<const char*>(piece), got);
    if (text.size() > limit) return Error{what, "inflates to more than " + std::to_string(limit) + " bytes", ""};
    if (answer == Z_STREAM_END) break;
    if (answer != Z_OK) return Error{what, "its compressed data is damaged", "copy the report again"};
  }
  return text;
}

bool inflate_exactly(std::span<const std::uint8_t> bytes, std::span<std::uint8_t> out) {
  Inflater inflater(bytes, 15);
  std::size_t filled = 0;
  for (int answer = Z_OK;;) {
    std::uint8_t beyond;
    const bool is_full = filled == out.size();
    const std::size_t got =
        inflater.read(is_full ? &beyond : out.data() + filled, is_full ? 1 : out.size() - filled, answer);
    if (is_full && got) return false;
    filled += got;
    if (answer == Z_STREAM_END) return filled == out.size();
    if (answer != Z_OK) return false;
  }
}

}  // namespace tarry
