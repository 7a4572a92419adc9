// partners.hpp -- from whom a process receives in operations with a count for each pair.
//
// The totals in the records of collectives do not tell. Only receive counts of zero beside others are worth a record:
// then the process does not need everybody who sends.
#pragma once

#include "measure/mpi/comm_table.hpp"
#include "measure/mpi/mpi_call.hpp"

namespace tarry::measure {

// MPI_COLLECTIVE_PARTNERS, at the call's latest time stamp; to be followed by the record of the operation.
void record_partners(MpiCall& call, const CommInfo& comm, const int counts[], MPI_Datatype type);
void record_partners(MpiCall& call, const CommInfo& comm, const int counts[], const MPI_Datatype types[]);

// The same for neighbourhood collectives: partners are the sources in the communicator's topology.
void record_neighbor_partners(MpiCall& call, MPI_Comm comm, const int counts[], MPI_Datatype type);
void record_neighbor_partners(MpiCall& call, MPI_Comm comm, const int counts[], const MPI_Datatype types[]);

}  // namespace tarry::measure
