// collect.cpp -- the processes that mpirun or srun started unify together.
#include "collect.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdlib>

namespace tarry {
namespace {

constexpr int kTag = 1;
constexpr std::size_t kPiece = std::size_t{1} << 30;  // MPI counts are ints

bool is_launched() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"})
    if (std::getenv(name)) return true;
  return false;
}

}  // namespace

JobGroup::JobGroup(int* argc, char*** argv) {
  if (!is_launched()) return;
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  uses_mpi_ = true;
}

JobGroup::~JobGroup() {
  if (uses_mpi_) MPI_Finalize();
}

void JobGroup::send(std::uint32_t to, Message message) {
  std::uint64_t size = message.size();
  MPI_Send(&size, 1, MPI_UINT64_T, static_cast<int>(to), kTag, MPI_COMM_WORLD);
  for (std::size_t at = 0; at < message.size(); at += kPiece)
    MPI_Send(message.data() + at, static_cast<int>(std::min(kPiece, message.size() - at)), MPI_BYTE,
             static_cast<int>(to), kTag, MPI_COMM_WORLD);
}

Message JobGroup::receive(std::uint32_t from) {
  std::uint64_t size = 0;
  MPI_Recv(&size, 1, MPI_UINT64_T, static_cast<int>(from), kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  Message message(size);
  for (std::size_t at = 0; at < message.size(); at += kPiece)
    MPI_Recv(message.data() + at, static_cast<int>(std::min(kPiece, message.size() - at)), MPI_BYTE,
             static_cast<int>(from), kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return message;
}

}  // namespace tarry
