// matched_probes.cpp -- messages that are probed first and received by their own handle.
#include "measure/mpi/comm_table.hpp"
#include "measure/mpi/mpi_entry.hpp"
#include "measure/mpi/point_to_point.hpp"
#include "measure/mpi/tests_in_vain.hpp"

namespace tarry::measure {
namespace {

std::mutex g_messages_mutex;

// Message handle to the number of the communicator it was probed on. Never destroyed: MPI may be called while the
// program ends.
HandleTable<MPI_Message, std::uint32_t>& messages() {
  static auto* const table = new HandleTable<MPI_Message, std::uint32_t>;
  return *table;
}

void track_message(MPI_Message message, MPI_Comm comm) {
  if (message == MPI_MESSAGE_NULL || message == MPI_MESSAGE_NO_PROC) return;
  const std::uint32_t id = comm_id(comm);
  const CallLock lock(g_messages_mutex);
  messages().add(message, id);
}

std::uint32_t take_message(MPI_Message message) {
  const CallLock lock(g_messages_mutex);
  const std::uint32_t* found = messages().find(message);
  if (!found) return 0;
  const std::uint32_t comm = *found;
  messages().remove(message, found);
  return comm;
}

struct MatchedProbe : MessageProbe {
  static constexpr MpiFunction kFunction = MpiFunction::Improbe;
  static constexpr FoldedFunction kFolded = FoldedFunction::kMatchedProbe;
  int source, tag;
  MPI_Comm comm;
  MPI_Message* message;
  MPI_Status* status;

  int call(int, MPI_Status*) const { return PMPI_Improbe(source, tag, comm, answer, message, status); }
  void record(MpiCall&, int outcome, const Tested&) const {
    if (outcome == MPI_SUCCESS && *answer) track_message(*message, comm);
  }
};

}  // namespace
}  // namespace tarry::measure

using namespace tarry;
using namespace tarry::measure;

TARRY_MPI_ENTRY int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) {
  MpiCall call(MpiFunction::Mprobe);
  if (!call.is_recorded()) return PMPI_Mprobe(source, tag, comm, message, status);
  const int outcome = PMPI_Mprobe(source, tag, comm, message, status);
  call.returned();
  if (outcome == MPI_SUCCESS) track_message(*message, comm);
  return outcome;
}

TARRY_MPI_ENTRY int MPI_Improbe(int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message,
                                MPI_Status* status) {
  return run_test(MatchedProbe{{{flag}}, source, tag, comm, message, status});
}

TARRY_MPI_ENTRY int MPI_Mrecv(void* buf, int count, MPI_Datatype type, MPI_Message* message, MPI_Status* status) {
  MpiCall call(MpiFunction::Mrecv);
  if (!call.is_recorded()) return PMPI_Mrecv(buf, count, type, message, status);
  OwnStatus result(status);
  const std::uint32_t comm = take_message(*message);
  const int outcome = PMPI_Mrecv(buf, count, type, message, result.get());
  call.returned();
  if (outcome == MPI_SUCCESS && result.get()->MPI_SOURCE != MPI_PROC_NULL) record_receive(call, comm, *result.get());
  return outcome;
}

TARRY_MPI_ENTRY int MPI_Imrecv(void* buf, int count, MPI_Datatype type, MPI_Message* message, MPI_Request* request) {
  MpiCall call(MpiFunction::Imrecv);
  if (!call.is_recorded()) return PMPI_Imrecv(buf, count, type, message, request);
  const RequestId id = record_irecv(call, *message == MPI_MESSAGE_NO_PROC ? MPI_PROC_NULL : 0);
  const std::uint32_t comm = take_message(*message);
  const int outcome = PMPI_Imrecv(buf, count, type, message, request);
  call.returned();
  track_receive(id, comm, request, outcome);
  return outcome;
}
