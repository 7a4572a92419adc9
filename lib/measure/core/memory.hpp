// memory.hpp -- the recorder's allocations do not end the program when there is no memory.
//
// Calls: handler-safe.
#pragma once

namespace tarry::measure {

struct RuntimeState;

/// Calls work(state), which ends the recording. False if memory ran out before the end. Then its locks are locked for
/// ever, and nothing may be recorded any more.
/// Calls: may block.
bool run_within_memory(void (*work)(RuntimeState&), RuntimeState& state);

/// Where the calling thread is, as far as locks and the program's allocator matter.
enum class HandlerState : unsigned char {
  kOutside,
  kPatient,    // in a call of the program, which may be made by a handler: may wait for a lock, but not for ever
  kImpatient,  // in a handler that may have interrupted the recorder itself
};
extern __thread HandlerState t_handler_state __attribute__((tls_model("initial-exec")));

/// While one lives, the calling thread may be in a signal handler. It may have interrupted the program's allocator,
/// which must not be asked for memory then.
class InHandler {
 public:
  enum class Locks { kOnlyFree, kWaitFor };
  explicit InHandler(Locks locks = Locks::kOnlyFree) : before_(t_handler_state) {
    const bool is_patient = locks == Locks::kWaitFor && before_ == HandlerState::kOutside;
    t_handler_state = is_patient ? HandlerState::kPatient : HandlerState::kImpatient;
  }
  ~InHandler() { t_handler_state = before_; }
  InHandler(const InHandler&) = delete;
  InHandler& operator=(const InHandler&) = delete;

 private:
  const HandlerState before_;
};

inline bool is_patient_in_handler() { return t_handler_state == HandlerState::kPatient; }
inline bool is_in_handler() { return t_handler_state != HandlerState::kOutside; }

}  // namespace tarry::measure
