// likwid.cpp -- regions of LIKWID's marker interface: our functions come before those of liblikwid.so.
//
// A region ends by its name, whatever is open inside. The library counts only if `likwid-perfctr -m` has started the
// program. Regions are heard in any case.
#include <cstddef>

#include "measure/annotations-layer/annotation_names.hpp"
#include "measure/annotations-layer/next_call.hpp"
#include "measure/annotations-layer/open_annotations.hpp"

#define LIKWID_FUNCTION extern "C" __attribute__((visibility("default"), used))

namespace tarry::measure {
namespace {

// Each name is a stack of its own.
void begin_named(const AnnotationText& tag) {
  const char* const name = kept_name(tag);
  begin_annotation(name, name);
}
void end_named(const AnnotationText& tag) { end_annotation(kept_name(tag)); }

// A text of Fortran has blanks behind it.
AnnotationText fortran_text(const char* tag, int length) {
  while (tag && length > 0 && tag[length - 1] == ' ') --length;
  return AnnotationText().add(length > 0 ? tag : nullptr, static_cast<std::size_t>(length > 0 ? length : 0));
}

}  // namespace
}  // namespace tarry::measure

using namespace tarry::measure;

LIKWID_FUNCTION int likwid_markerStartRegion(const char* tag) {
  static constinit NextCall<int(const char*)> next("likwid_markerStartRegion");
  const InsideLibrary inside(CalledInterface::kLikwid);
  const int outcome = next(__builtin_return_address(0), tag);
  if (inside.is_heard()) begin_named(AnnotationText().add(tag));
  return outcome;
}

LIKWID_FUNCTION int likwid_markerStopRegion(const char* tag) {
  static constinit NextCall<int(const char*)> next("likwid_markerStopRegion");
  const InsideLibrary inside(CalledInterface::kLikwid);
  if (inside.is_heard()) end_named(AnnotationText().add(tag));
  return next(__builtin_return_address(0), tag);
}

LIKWID_FUNCTION void likwid_markerstartregion_(const char* tag, int length) {
  static constinit NextCall<void(const char*, int)> next("likwid_markerstartregion_");
  const InsideLibrary inside(CalledInterface::kLikwid);
  next(__builtin_return_address(0), tag, length);
  if (inside.is_heard()) begin_named(fortran_text(tag, length));
}

LIKWID_FUNCTION void likwid_markerstopregion_(const char* tag, int length) {
  static constinit NextCall<void(const char*, int)> next("likwid_markerstopregion_");
  const InsideLibrary inside(CalledInterface::kLikwid);
  if (inside.is_heard()) end_named(fortran_text(tag, length));
  next(__builtin_return_address(0), tag, length);
}
