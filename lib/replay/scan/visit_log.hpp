// visit_log.hpp -- every visit of one thread, as its events were read: some four bytes for each enter and leave.
#pragma once

#include <cstdint>

#include "base/arrays/rows.hpp"
#include "base/units.hpp"
#include "base/bytes/varint.hpp"
#include "replay/trees/call_tree.hpp"

namespace tarry {

/// The visits of a thread in order of time. Each lies inside the latest one that is still open. They can be read from
/// front to back only.
class VisitLog {
 public:
  explicit VisitLog(MemoryBudget* budget = nullptr) noexcept : bytes_(budget) {}

  /// `path`: in the call tree of the process.
  void enter(PathIndex path, Ticks time) { add(std::uint64_t{path} + 1, time); }

  /// The innermost open visit ends.
  void leave(Ticks time) { add(kLeave, time); }

  /// No more visits will come.
  void finish() { bytes_.finish(); }

  /// Tells all again: on_enter(path, time), on_leave(time).
  template <class OnEnter, class OnLeave>
  void tell(OnEnter on_enter, OnLeave on_leave) const {
    Ticks time = 0;
    for (const std::uint8_t* at = bytes_.begin(); at != bytes_.end();) {
      std::uint64_t what = 0, passed = 0;
      at = decode_varint(at, bytes_.end(), what);
      at = decode_varint(at, bytes_.end(), passed);
      // Damaged traces may have any times.
      time = static_cast<Ticks>(static_cast<std::uint64_t>(time) + static_cast<std::uint64_t>(unzigzag(passed)));
      if (what == kLeave) on_leave(time);
      else on_enter(static_cast<PathIndex>(what - 1), time);
    }
  }

 private:
  static constexpr std::uint64_t kLeave = 0;

  void add(std::uint64_t what, Ticks time) {
    std::uint8_t encoded[2 * kMaxVarintBytes];
    std::uint8_t* end = encode_varint(encoded, what);
    const std::uint64_t passed = static_cast<std::uint64_t>(time) - static_cast<std::uint64_t>(last_);
    end = encode_varint(end, zigzag(static_cast<std::int64_t>(passed)));
    for (const std::uint8_t* byte = encoded; byte != end; ++byte) bytes_.push_back(*byte);
    last_ = time;
  }

  Rows<std::uint8_t> bytes_;
  Ticks last_ = 0;
};

}  // namespace tarry
