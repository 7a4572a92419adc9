// partners.hpp -- the sources of a process in operations with a count for each pair.
//
// The totals in the records of collectives do not tell. Only receive counts of zero beside others are worth a record:
// then the process does not need everybody who sends.
//
// Calls: may block.
#pragma once

#include <vector>

#include "measure/mpi/collective_bytes.hpp"
#include "measure/mpi/comm_table.hpp"
#include "measure/mpi/mpi_call.hpp"

namespace tarry::measure {

/// Those a process may receive from, with its receive counts. Refers to the arrays of the program.
struct Partners {
  int members;
  int self;  // what a process sends to itself it need not wait for; -1: it is no member
  CountList counts;
  MPI_Datatype type;
  const MPI_Datatype* types;  // one for each count; nullptr: all are of `type`
};

Partners partners_of(const CommInfo& comm, CountList counts, MPI_Datatype type);
Partners partners_of(const CommInfo& comm, CountList counts, const MPI_Datatype types[]);

// The same for neighbourhood collectives: partners are the sources in the communicator's topology.
Partners neighbor_partners_of(MPI_Comm comm, CountList counts, MPI_Datatype type);
Partners neighbor_partners_of(MPI_Comm comm, CountList counts, const MPI_Datatype types[]);

/// Those of 64 members, from number `first` on, that a process receives from.
struct PartnerMask {
  std::uint32_t first;
  std::uint64_t mask;
};

/// What is worth a record, for an operation that is started later.
std::vector<PartnerMask> masks_of(const Partners& partners);

// MPI_COLLECTIVE_PARTNERS, at the call's latest time stamp; to be followed by the record of the operation.
void record_partners(MpiCall& call, const Partners& partners);
void record_partners(MpiCall& call, const std::vector<PartnerMask>& masks);

}  // namespace tarry::measure
