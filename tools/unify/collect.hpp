// collect.hpp -- the processes that mpirun or srun started unify together.
#pragma once

#include "defs/tree_unify.hpp"
#include "replay/exchange.hpp"

namespace tarry {

/// All processes of this job, messages being MPI's. Without a launcher it is this process alone, and MPI is never
/// started.
class JobGroup : public GroupTransport {
 public:
  JobGroup(int* argc, char*** argv) : exchange_(argc, argv) {}

  std::uint32_t rank() const override { return static_cast<std::uint32_t>(exchange_.rank()); }
  std::uint32_t size() const override { return static_cast<std::uint32_t>(exchange_.size()); }
  void send(std::uint32_t to, Message message) override { exchange_.send(static_cast<int>(to), message); }
  Message receive(std::uint32_t from) override { return exchange_.receive(static_cast<int>(from)); }

 private:
  Exchange exchange_;
};

}  // namespace tarry
