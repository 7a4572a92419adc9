// concurrent_receives.cpp -- the order of receives that several threads of a process post at the same time.
//
// Two receives may have reached MPI in either order if the call that posts the first ends after the call that posts the
// second began. No message is sent before the time of its record. So a receive may take any message that was sent
// before its own end:
//
//   thread 0   | MPI_Recv (delayed by the system) ............ |   takes B
//   thread 1      | MPI_Recv         |                             takes A
//   sender      send A                      send B
//
// Messages are given out from the last to the first. Each goes to a receive that ends after it was sent and before
// which no receive that is left must come. As the messages get earlier, a receive that may take one may take all that
// follow: so if there is an order, this finds one.
#include "replay/matching/concurrent_receives.hpp"

#include <algorithm>

namespace tarry {
namespace {

class Settlement {
 public:
  Settlement(const LogicalRank& receiver, const LogicalRank& sender) : receiver_(receiver), sender_(sender) {}

  bool has_early_receive(std::span<const SendIndex> sends, std::span<const ReceiveIndex> receives) const {
    for (std::size_t k = 0; k < receives.size(); ++k)
      if (!may_take(receives[k], sends[k])) return true;
    return false;
  }

  bool has_several_threads(std::span<const ReceiveIndex> receives) const {
    return std::any_of(receives.begin(), receives.end(),
                       [&](ReceiveIndex receive) { return thread_of(receive) != thread_of(receives[0]); });
  }

  /// Empty if there is no order in which each receive may take its message.
  std::vector<ReceiveIndex> order(std::span<const SendIndex> sends, std::span<const ReceiveIndex> receives) {
    for (const ReceiveIndex receive : receives) stack_of(thread_of(receive)).push_back(receive);
    std::vector<ReceiveIndex> order(receives.size());
    for (std::size_t k = receives.size(); k-- > 0;) {
      Stack* const chosen = last_taker(sends[k]);
      if (!chosen) return {};
      order[k] = chosen->back();
      chosen->pop_back();
    }
    return order;
  }

 private:
  using Stack = std::vector<ReceiveIndex>;  // receives of one thread that are left; the last posted on top

  const MpiCall& posting_call(ReceiveIndex receive) const {
    return receiver_.calls[receiver_.receives[receive].request_call];
  }
  ThreadIndex thread_of(ReceiveIndex receive) const { return posting_call(receive).thread; }
  PostingIndex posted(ReceiveIndex receive) const { return receiver_.receives[receive].posted; }

  bool may_take(ReceiveIndex receive, SendIndex send) const {
    return receiver_.calls[receiver_.receives[receive].call].leave() >= sender_.sends[send].time;
  }

  Stack& stack_of(ThreadIndex thread) {
    if (!stacks_.has(thread)) stacks_.resize(thread.value + 1u);
    return stacks_[thread];
  }

  // Of the receives that are left, the one posted last that may take this message, as the last of them.
  Stack* last_taker(SendIndex send) {
    Ticks last_begin = std::numeric_limits<Ticks>::min();
    for (const Stack& stack : stacks_)
      if (!stack.empty()) last_begin = std::max(last_begin, posting_call(stack.back()).enter);
    Stack* chosen = nullptr;
    for (Stack& stack : stacks_)
      if (!stack.empty() && posting_call(stack.back()).leave() >= last_begin && may_take(stack.back(), send) &&
          (!chosen || posted(chosen->back()) < posted(stack.back())))
        chosen = &stack;
    return chosen;
  }

  const LogicalRank& receiver_;
  const LogicalRank& sender_;
  Indexed<ThreadIndex, std::vector<Stack>> stacks_;
};

}  // namespace

void settle_concurrent_receives(const LogicalRank& receiver, const LogicalRank& sender,
                                std::span<const SendIndex> sends, std::vector<ReceiveIndex>& receives) {
  if (receiver.threads.size() == 1) return;  // of a process that is analysed elsewhere, the calls alone tell
  const std::size_t pairs = std::min(sends.size(), receives.size());
  const std::span<const ReceiveIndex> paired(receives.data(), pairs);
  Settlement settlement(receiver, sender);
  if (pairs == 0 || !settlement.has_several_threads(paired) || !settlement.has_early_receive(sends, paired)) return;
  const std::vector<ReceiveIndex> order = settlement.order(sends, paired);
  std::copy(order.begin(), order.end(), receives.begin());
}

}  // namespace tarry
