// text_pipeline.hpp -- the events of a trace in order of time, formatted by several threads, written in order.
#pragma once

#include <functional>
#include <string>

#include "base/files/file.hpp"
#include "base/result.hpp"
#include "convert/convert.hpp"
#include "trace/timeline.hpp"

namespace tarry {

/// Appends the text of a block to a string; called by several threads.
using FormatBlock = std::function<void(const TimelineBlock& block, std::string& text)>;

/// The trace in order of time; streams that do not fit into memory are merged in several passes.
Result<std::unique_ptr<SortedStream>> open_timeline(Conversion& conversion);

/// Formats everything that `stream` has and writes it to `file` (named `path` in messages).
Status write_formatted(SortedStream& stream, const FormatBlock& format, unsigned workers, const File& file,
                       const std::string& path);

/// Header and events as one text file, which appears in one step; "-" is stdout.
Status write_text(Conversion& conversion, const std::string& header, const FormatBlock& format);

/// Appends seconds with nine decimals.
void append_seconds(std::string& text, std::int64_t nanoseconds);

/// Appends a decimal number.
void append_number(std::string& text, std::uint64_t number);

/// From ticks to nanoseconds since the origin.
class NanosecondClock {
 public:
  explicit NanosecondClock(const Clock& clock) : origin_(clock.origin), scale_(1e9 / clock.ticks_per_second) {}
  std::int64_t operator()(Ticks time) const {
    const double nanoseconds = static_cast<double>(time - origin_) * scale_;
    return static_cast<std::int64_t>(nanoseconds + (nanoseconds < 0 ? -0.5 : 0.5));
  }

 private:
  Ticks origin_;
  double scale_;
};

}  // namespace tarry
