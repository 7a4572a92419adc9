// rma_wait_at_create.cpp -- Wait at Create, Wait at Free: until the last process comes to make or free a window.
//
//   rank 0   B======== waits ========|....X        wait_0 = B_2 - B_0
//   rank 1        B==== waits =======|....X        wait_1 = B_2 - B_1
//   rank 2                           B....X        only if none has left by then: min X > max B
//
// Needs: BEGIN (B) and END (X) of all members. Leaves: waits, with the last process as the cause.
// Source: docs/METRICS.md, "Wait at Create".
#include <algorithm>

#include "analysis/waits/pattern.hpp"

namespace tarry {

void rma_wait_for_last(const WindowCollective& instance, WindowWait::Kind kind, WindowFindings& findings) {
  const auto begin = [](const WindowCollective::Member& m) { return m.part.record->begin; };
  const auto end = [](const WindowCollective::Member& m) { return m.part.record->end; };
  const WindowPart last = std::ranges::max_element(instance.members, {}, begin)->part;
  if (end(*std::ranges::min_element(instance.members, {}, end)) <= last.record->begin) return;
  for (const WindowCollective::Member& member : instance.members)
    findings.add_wait(member.part, kind, begin(member), last.record->begin - begin(member), last);
}

void rma_wait_at_create(const WindowCollective& instance, WindowFindings& findings) {
  const bool is_create = instance.kind() == WindowRecord::Kind::kCreate;
  rma_wait_for_last(instance, is_create ? WindowWait::Kind::kCreate : WindowWait::Kind::kFree, findings);
}

}  // namespace tarry
