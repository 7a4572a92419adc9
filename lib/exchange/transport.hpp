// transport.hpp -- what the exchange needs of MPI: a table of functions that one library fills for each ABI of MPI.
//
// Handles, constants and MPI_Status differ between the ABIs, so nothing of them is in the table. A failure inside MPI
// ends the job, as MPI does by default.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tarry {

/// Bytes for a process, or from it.
struct Piece {
  int process;
  void* data;
  std::uint64_t size;
};

struct Transport {
  /// `rank`, `size`: of this process in MPI_COMM_WORLD.
  void (*start)(int* argc, char*** argv, int* rank, int* size);
  void (*end)();

  /// outgoing[p] goes to process p; incoming[p] is what came from it. Collective.
  void (*swap_numbers)(const std::uint64_t* outgoing, std::uint64_t* incoming);

  /// Returns when all pieces have arrived and left. Pieces between two processes arrive in the order in which they were
  /// sent.
  void (*transfer)(const Piece* incoming, std::size_t incoming_count, const Piece* outgoing,
                   std::size_t outgoing_count);

  /// Process 0's value. Collective.
  std::uint64_t (*broadcast)(std::uint64_t value);
  /// Over all processes. Collective.
  std::uint64_t (*sum)(std::uint64_t own);
};

/// The name by which each library shows its table.
inline constexpr char kTransportSymbol[] = "tarry_mpi_transport";

}  // namespace tarry
