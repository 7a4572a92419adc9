// cupti_library.hpp -- CUPTI, CUDA's library for tools, as it is found at run time.
//
// Nothing links to it. So this library can be loaded where CUPTI is not, and uses the one that the program has loaded.
//
// Calls: may block.
#pragma once

#include <cupti.h>

#include <cstdint>

namespace tarry::measure {

/// The functions that are used. Those of the second list may be absent: older versions do not have them.
#define TARRY_CUPTI_NEEDED(FUNCTION)       \
  FUNCTION(cuptiSubscribe)                 \
  FUNCTION(cuptiEnableCallback)            \
  FUNCTION(cuptiGetCallbackName)           \
  FUNCTION(cuptiActivityEnable)            \
  FUNCTION(cuptiActivityRegisterCallbacks) \
  FUNCTION(cuptiActivityGetNextRecord)     \
  FUNCTION(cuptiActivityFlushAll)          \
  FUNCTION(cuptiActivityGetNumDroppedRecords)
#define TARRY_CUPTI_OPTIONAL(FUNCTION)                 \
  FUNCTION(cuptiActivityRegisterTimestampCallback)     \
  FUNCTION(cuptiActivityConfigureUnifiedMemoryCounter) \
  FUNCTION(cuptiGetTimestamp)                          \
  FUNCTION(cuptiGetStreamIdEx)                         \
  FUNCTION(cuptiGetDeviceId)                           \
  FUNCTION(cuptiGetResultString)                       \
  FUNCTION(cuptiGetVersion)

struct Cupti {
#define TARRY_CUPTI_POINTER(name) decltype(&::name) name = nullptr;
  TARRY_CUPTI_NEEDED(TARRY_CUPTI_POINTER)
  TARRY_CUPTI_OPTIONAL(TARRY_CUPTI_POINTER)
#undef TARRY_CUPTI_POINTER
};

/// Loads the library and fills the table. False if it is not there, or lacks a function that is needed.
bool load_cupti(Cupti& cupti);

}  // namespace tarry::measure
