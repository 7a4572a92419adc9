// roctx.cpp -- annotations by ROCTX, of libroctx64.so and librocprofiler-sdk-roctx.so: our functions come before
// theirs.
#include <cstdint>

#include "measure/annotations-layer/annotation_names.hpp"
#include "measure/annotations-layer/next_call.hpp"
#include "measure/annotations-layer/open_annotations.hpp"
#include "measure/annotations-layer/shared_table.hpp"

#define ROCTX_FUNCTION extern "C" __attribute__((visibility("default"), used))

namespace tarry::measure {
namespace {

constexpr char kPushed = 0;  // its address is the stack

// The library's numbers of ranges that are open.
constinit SharedTable<4096> g_ranges;

const char* kept_message(const char* message) { return kept_name(AnnotationText().add(message)); }

}  // namespace
}  // namespace tarry::measure

using namespace tarry::measure;

ROCTX_FUNCTION void roctxMarkA(const char* message) {
  static constinit NextCall<void(const char*)> next("roctxMarkA");
  const InsideLibrary inside(CalledInterface::kRoctx);
  next(__builtin_return_address(0), message);
  if (inside.is_heard()) mark_annotation(kept_message(message));
}

ROCTX_FUNCTION int roctxRangePushA(const char* message) {
  static constinit NextCall<int(const char*)> next("roctxRangePushA");
  const InsideLibrary inside(CalledInterface::kRoctx);
  const int level = next(__builtin_return_address(0), message);
  if (inside.is_heard()) begin_annotation(kept_message(message), &kPushed);
  return level;
}

ROCTX_FUNCTION int roctxRangePop() {
  static constinit NextCall<int()> next("roctxRangePop");
  const InsideLibrary inside(CalledInterface::kRoctx);
  if (inside.is_heard()) end_annotation(&kPushed);
  return next(__builtin_return_address(0));
}

ROCTX_FUNCTION std::uint64_t roctxRangeStartA(const char* message) {
  static constinit NextCall<std::uint64_t(const char*)> next("roctxRangeStartA");
  const InsideLibrary inside(CalledInterface::kRoctx);
  const std::uint64_t range = next(__builtin_return_address(0), message);
  if (!inside.is_heard()) return range;
  const AnnotationNumber number = begin_range(kept_message(message));
  if (!g_ranges.put(range, number)) end_range(number);
  return range;
}

ROCTX_FUNCTION void roctxRangeStop(std::uint64_t range) {
  static constinit NextCall<void(std::uint64_t)> next("roctxRangeStop");
  const InsideLibrary inside(CalledInterface::kRoctx);
  if (inside.is_heard()) end_range(g_ranges.take(range));
  next(__builtin_return_address(0), range);
}
