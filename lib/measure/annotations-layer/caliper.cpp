// caliper.cpp -- annotations by Caliper in C, and what its macros make of them: our functions come before its
// library's.
//
#include "measure/annotations-layer/annotation_names.hpp"
#include "measure/annotations-layer/caliper_attribute.hpp"
#include "measure/annotations-layer/next_call.hpp"
#include "measure/annotations-layer/open_annotations.hpp"

#define CALIPER_FUNCTION extern "C" __attribute__((visibility("default"), used))

namespace tarry::measure {
namespace {

constexpr char kCaliperRegions = 0, kCaliperPhases = 0, kCaliperCommunication = 0;  // their addresses are stacks

void begin_of(AnnotationStack stack, const char* name) {
  begin_annotation(kept_name(AnnotationText().add(name)), stack);
}

}  // namespace
}  // namespace tarry::measure

using namespace tarry::measure;

// A region of the library begins before ours, and ends behind it: ours has no share of its cost.
#define TARRY_CALIPER_PAIR(begin_function, end_function, stack)         \
  CALIPER_FUNCTION void begin_function(const char* name) {              \
    static constinit NextCall<void(const char*)> next(#begin_function); \
    const InsideLibrary inside(CalledInterface::kCaliper);              \
    next(__builtin_return_address(0), name);                            \
    if (inside.is_heard()) begin_of(stack, name);                       \
  }                                                                     \
  CALIPER_FUNCTION void end_function(const char* name) {                \
    static constinit NextCall<void(const char*)> next(#end_function);   \
    const InsideLibrary inside(CalledInterface::kCaliper);              \
    if (inside.is_heard()) end_annotation(stack);                       \
    next(__builtin_return_address(0), name);                            \
  }

TARRY_CALIPER_PAIR(cali_begin_region, cali_end_region, &kCaliperRegions)
TARRY_CALIPER_PAIR(cali_begin_phase, cali_end_phase, &kCaliperPhases)
TARRY_CALIPER_PAIR(cali_begin_comm_region, cali_end_comm_region, &kCaliperCommunication)

#undef TARRY_CALIPER_PAIR

// Of an attribute by its number, or by its name.
#define TARRY_CALIPER_BEGIN(function, Key, ...)                                                         \
  CALIPER_FUNCTION void function(Key key __VA_OPT__(, __VA_ARGS__ value)) {                             \
    static constinit NextCall<void(Key __VA_OPT__(, __VA_ARGS__))> next(#function);                     \
    const InsideLibrary inside(CalledInterface::kCaliper);                                              \
    next(__builtin_return_address(0), key __VA_OPT__(, value));                                         \
    if (inside.is_heard()) CaliperAttribute(__builtin_return_address(0), key).begin(__VA_OPT__(value)); \
  }
#define TARRY_CALIPER_END(function, Key)                                             \
  CALIPER_FUNCTION void function(Key key) {                                          \
    static constinit NextCall<void(Key)> next(#function);                            \
    const InsideLibrary inside(CalledInterface::kCaliper);                           \
    if (inside.is_heard()) CaliperAttribute(__builtin_return_address(0), key).end(); \
    next(__builtin_return_address(0), key);                                          \
  }

TARRY_CALIPER_BEGIN(cali_begin, AttributeNumber)
TARRY_CALIPER_BEGIN(cali_begin_string, AttributeNumber, const char*)
TARRY_CALIPER_BEGIN(cali_begin_int, AttributeNumber, int)
TARRY_CALIPER_END(cali_end, AttributeNumber)
TARRY_CALIPER_BEGIN(cali_begin_byname, const char*)
TARRY_CALIPER_BEGIN(cali_begin_string_byname, const char*, const char*)
TARRY_CALIPER_BEGIN(cali_begin_int_byname, const char*, int)
TARRY_CALIPER_END(cali_end_byname, const char*)

#undef TARRY_CALIPER_BEGIN
#undef TARRY_CALIPER_END
