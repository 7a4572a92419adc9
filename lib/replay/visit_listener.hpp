// visit_listener.hpp -- who wants to hear of every visit while the events of a process are read.
#pragma once

#include "base/units.hpp"
#include "replay/call_tree.hpp"
#include "replay/trace_ids.hpp"

namespace tarry {

/// Hears of the visits of the threads of one process. Those of a thread come in order of time. Each lies inside the
/// latest one that is still open. Those of several threads come in any order.
class VisitListener {
 public:
  virtual ~VisitListener() = default;

  /// `path`: in the call tree of the process.
  virtual void enter(ThreadIndex thread, PathIndex path, Ticks time) = 0;

  /// The innermost open visit of the thread ends.
  virtual void leave(ThreadIndex thread, Ticks time) = 0;
};

}  // namespace tarry
