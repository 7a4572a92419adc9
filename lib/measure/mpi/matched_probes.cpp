// matched_probes.cpp -- messages that are probed first and received by their own handle.
#include "measure/mpi/comm_table.hpp"
#include "measure/mpi/mpi_entry.hpp"
#include "measure/mpi/outcomes.hpp"
#include "measure/mpi/point_to_point.hpp"
#include "measure/mpi/unsuccessful_tests.hpp"

namespace tarry::measure {
namespace {

RecorderLock g_messages_lock;

// Message handle to the number of the communicator it was probed on. Never destroyed: MPI may be called while the
// program ends.
HandleTable<MPI_Message, CommId>& messages() {
  static auto* const table = new HandleTable<MPI_Message, CommId>;
  return *table;
}

void track_message(MPI_Message message, CommId comm) {
  if (message == MPI_MESSAGE_NULL || message == MPI_MESSAGE_NO_PROC) return;
  const CallLock lock(g_messages_lock);
  messages().add(message, comm);
}

/// A message that is being received: its handle may be given to another one before the call is back.
struct TakenMessage {
  MPI_Message handle;
  CommId comm;
  bool is_known = false;

  explicit TakenMessage(const MPI_Message* message) : handle(message ? *message : MPI_MESSAGE_NULL) {
    const CallLock lock(g_messages_lock);
    const CommId* found = messages().find(handle);
    if (!found) return;
    comm = *found;
    is_known = true;
    messages().remove(handle, found);
  }
  /// Behind a call that has failed.
  void put_back(const MPI_Message* message) const {
    if (is_known && *message == handle) track_message(handle, comm);
  }
};

struct MatchedProbe : MessageProbe {
  static constexpr MpiFunction kFunction = MpiFunction::Improbe;
  static constexpr CoalescedFunction kCoalesced = CoalescedFunction::kMatchedProbe;
  int source, tag;
  MPI_Comm comm;
  MPI_Message* message;
  MPI_Status* status;

  int call(int, MPI_Status*) const { return NMPI_Improbe(source, tag, comm, answer, message, status); }
  void record(MpiCall&, int outcome, const Tested&) const {
    if (outcome == MPI_SUCCESS && *answer) track_message(*message, comm_id(comm));
  }
};

}  // namespace
}  // namespace tarry::measure

using namespace tarry;
using namespace tarry::measure;

TARRY_MPI_ENTRY int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) {
  MpiCall call(MpiFunction::Mprobe);
  if (!call.is_recorded()) return NMPI_Mprobe(source, tag, comm, message, status);
  const int outcome = NMPI_Mprobe(source, tag, comm, message, status);
  call.returned();
  if (outcome == MPI_SUCCESS) track_message(*message, comm_id(comm));
  return outcome;
}

TARRY_MPI_ENTRY int MPI_Improbe(int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message,
                                MPI_Status* status) {
  return run_test(MatchedProbe{{{flag}}, source, tag, comm, message, status});
}

namespace {

// `receive(status)` is the function of MPI.
template <class Receive>
[[gnu::always_inline]] inline int receive_matched(MpiFunction function, MPI_Message* message, MPI_Status* status,
                                                  Receive receive) {
  MpiCall call(function);
  if (!call.is_recorded()) return receive(status);
  OwnStatus result(status);
  const TakenMessage taken(message);
  const int outcome = receive(result.get());
  call.returned();
  if (!has_taken_part(outcome)) taken.put_back(message);
  if (has_taken_part(outcome) && taken.is_known) record_receive(call, taken.comm, *result.get());
  return outcome;
}

template <class Receive>
[[gnu::always_inline]] inline int start_receive_of_matched(MpiFunction function, MPI_Message* message,
                                                           const MPI_Request* request, Receive receive) {
  MpiCall call(function);
  if (!call.is_recorded()) return receive();
  const TakenMessage taken(message);
  const int outcome = receive();
  if (outcome != MPI_SUCCESS) taken.put_back(message);
  else if (taken.is_known) record_irecv(call, taken.comm, request);
  else record_irecv(call, MPI_PROC_NULL, MPI_COMM_NULL, request);
  call.returned();
  return outcome;
}

}  // namespace

TARRY_MPI_ENTRY int MPI_Mrecv(void* buf, int count, MPI_Datatype type, MPI_Message* message, MPI_Status* status) {
  return receive_matched(MpiFunction::Mrecv, message, status,
                         [=](MPI_Status* result) { return NMPI_Mrecv(buf, count, type, message, result); });
}

TARRY_MPI_ENTRY int MPI_Imrecv(void* buf, int count, MPI_Datatype type, MPI_Message* message, MPI_Request* request) {
  return start_receive_of_matched(MpiFunction::Imrecv, message, request,
                                  [=] { return NMPI_Imrecv(buf, count, type, message, request); });
}

#ifdef TARRY_MPI_HAS_Mrecv_c
TARRY_MPI_ENTRY int MPI_Mrecv_c(void* buf, MPI_Count count, MPI_Datatype type, MPI_Message* message,
                                MPI_Status* status) {
  return receive_matched(MpiFunction::Mrecv_c, message, status,
                         [=](MPI_Status* result) { return NMPI_Mrecv_c(buf, count, type, message, result); });
}

TARRY_MPI_ENTRY int MPI_Imrecv_c(void* buf, MPI_Count count, MPI_Datatype type, MPI_Message* message,
                                 MPI_Request* request) {
  return start_receive_of_matched(MpiFunction::Imrecv_c, message, request,
                                  [=] { return NMPI_Imrecv_c(buf, count, type, message, request); });
}
#endif
