// queue_turn.hpp -- which earlier work of its queue a piece of work needs.
//
// A queue in order executes each command behind the one before, whether that is needed or not. A command needs the
// latest one that used the same memory, if either of them writes it, and what it is told to wait for. A command of
// which that is not known may need all before, and what follows needs it.
//
// Calls: may block.
#pragma once

#include "measure/opencl-layer/command_uses.hpp"
#include "measure/opencl-layer/layer.hpp"

namespace tarry::measure {

/// What a command waits for.
struct WaitList {
  std::uint32_t count = 0;
  const cl_event* events = nullptr;
};

/// A call that puts a command into a queue.
class QueueTurn {
 public:
  /// The call begins.
  explicit QueueTurn(LayerQueue& queue);
  QueueTurn(const QueueTurn&) = delete;
  QueueTurn& operator=(const QueueTurn&) = delete;
  /// It is over.
  ~QueueTurn();

  /// What the command needs, as far as it is known before the call.
  void need(const CommandUses& uses);
  void need(const WaitList& list);

  /// The command is a piece of work, and in the queue. Returns what it needs, as DoneWork::needs.
  std::uint64_t put_work(std::uint64_t work, const CommandUses& uses);
  /// What follows waits for what the command needs: for all before without a list.
  void put_barrier(bool has_list);

 private:
  bool is_alone() const;

  LayerQueue& queue_;
  CommandOrder& order_;
  std::uint64_t call_ = 0;
  bool is_first_inside_ = false;
  bool is_known_ = true;
  std::uint64_t needs_ = 0;
};

/// A piece of work of a queue has this event, which the program gets.
void note_event(cl_event event, const LayerQueue* queue, std::uint64_t work);

/// Puts functions of barriers, and those that retain and release events, in front of those of the driver.
void replace_order_calls(cl_icd_dispatch& table);

}  // namespace tarry::measure
