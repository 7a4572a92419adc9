// collect.hpp -- the processes that mpirun or srun started unify together.
#pragma once

#include "defs/tree_unify.hpp"
#include "exchange/exchange.hpp"

namespace tarry {

/// All processes of a job, messages being the exchange's.
class JobGroup : public GroupTransport {
 public:
  explicit JobGroup(Exchange& exchange) : exchange_(exchange) {}

  std::uint32_t rank() const override { return static_cast<std::uint32_t>(exchange_.rank()); }
  std::uint32_t size() const override { return static_cast<std::uint32_t>(exchange_.size()); }
  void send(std::uint32_t to, Message message) override { exchange_.send(static_cast<int>(to), std::move(message)); }
  Message receive(std::uint32_t from) override { return exchange_.receive(static_cast<int>(from)); }

 private:
  Exchange& exchange_;
};

}  // namespace tarry
