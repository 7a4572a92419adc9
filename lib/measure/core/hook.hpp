// hook.hpp -- what a function that the program calls unknowingly may not do to it.
//
// Calls: handler-safe.
#pragma once

#include <cerrno>

#include "measure/core/memory.hpp"

namespace tarry::measure {

/// Holds what a hook may not do to the program, where it allocates or asks the system.
class Hook {
 public:
  ~Hook() { place_ = errno_; }

 private:
  const InHandler memory_{InHandler::Locks::kWaitFor};
  int& place_ = errno;
  const int errno_ = place_;
};

}  // namespace tarry::measure
