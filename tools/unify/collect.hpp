// collect.hpp -- the processes that mpirun or srun started unify together.
#pragma once

#include "defs/tree_unify.hpp"

namespace tarry {

/// All processes of this job, messages being MPI's. Without a launcher it is this process alone, and MPI is never started.
class JobGroup : public GroupTransport {
 public:
  JobGroup(int* argc, char*** argv);
  ~JobGroup() override;
  JobGroup(const JobGroup&) = delete;

  std::uint32_t rank() const override { return static_cast<std::uint32_t>(rank_); }
  std::uint32_t size() const override { return static_cast<std::uint32_t>(size_); }
  void send(std::uint32_t to, Message message) override;
  Message receive(std::uint32_t from) override;

 private:
  int rank_ = 0;
  int size_ = 1;
  bool uses_mpi_ = false;
};

}  // namespace tarry
