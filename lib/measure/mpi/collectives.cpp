// collectives.cpp -- records of collective operations and of communicators that come and go.
#include "measure/mpi/collectives.hpp"

#include <netdb.h>
#include <sys/socket.h>

#include <atomic>
#include <string>
#include <utility>

#include "measure/core/runtime.hpp"
#include "measure/mpi/mpi_entry.hpp"
#include "measure/mpi/outcomes.hpp"
#include "measure/mpi/process_numbers.hpp"

namespace tarry::measure {
namespace {

CommRank root_rank(int root) { return root < 0 ? CommRank() : CommRank(static_cast<unsigned>(root)); }

void put_create(MpiCall& call, const CommInfo& created) { call.put(record::CommCreate{.comm = created.id}); }

TrackedRequest tracked_collective(CollectiveOp operation, const CommInfo& comm, int root, CollectiveBytes bytes) {
  TrackedRequest tracked;
  tracked.kind = RequestKind::kCollective;
  tracked.operation = operation;
  tracked.object = comm.id;
  tracked.peer = root;
  tracked.bytes = bytes;
  return tracked;
}

void put_icollective(MpiCall& call, const TrackedRequest& request) {
  call.put(record::NonBlockingCollectiveRequest{.request = request.id});
}

}  // namespace

RecordPlace record_collective_begin(MpiCall& call) { return call.put_tentatively(record::MpiCollectiveBegin()); }

bool has_ended(MpiCall& call, const RecordPlace& begin, int outcome) {
  call.returned();
  if (has_taken_part(outcome)) return true;
  call.take_back(begin);
  return false;
}

void record_collective_end(MpiCall& call, CollectiveOp operation, const CommInfo& comm, int root,
                           CollectiveBytes bytes) {
  call.put(record::MpiCollectiveEnd{.operation = operation,
                                    .comm = comm.id,
                                    .root = root_rank(root),
                                    .sent = bytes.sent,
                                    .received = bytes.received});
}

void record_icollective(MpiCall& call, CollectiveOp operation, const CommInfo& comm, int root, CollectiveBytes bytes,
                        const MPI_Request* request, RequestDetails* details) {
  TrackedRequest tracked = tracked_collective(operation, comm, root, bytes);
  tracked.id = next_request_id();
  tracked.details = details;
  put_icollective(call, tracked);
  remember_request(tracked, request);
}

void track_collective_init(CollectiveOp operation, MPI_Comm comm, int root, CollectiveBytes bytes,
                           const MPI_Request* request, std::vector<PartnerMask> partners) {
  TrackedRequest tracked = tracked_collective(operation, define_double(comm), root, bytes);
  tracked.is_persistent = true;
  tracked.is_active = false;
  if (!partners.empty()) tracked.details = new RequestDetails{.partners = std::move(partners)};
  remember_request(tracked, request);
}

void record_collective_start(MpiCall& call, const TrackedRequest& request) {
  if (request.details) record_partners(call, request.details->partners);
  put_icollective(call, request);
}

void record_icollective_end(MpiCall& call, const TrackedRequest& request) {
  call.put(record::NonBlockingCollectiveComplete{.operation = request.operation,
                                                 .comm = request.object.comm(),
                                                 .root = root_rank(request.peer),
                                                 .sent = request.bytes.sent,
                                                 .received = request.bytes.received,
                                                 .request = request.id});
}

namespace {

// A creation counts for a process that has taken part without success, too: the others go on from there. Errors in
// arguments end a call before.
bool counts_as_creation(int outcome) {
  for (const int error :
       {MPI_ERR_COMM, MPI_ERR_ARG, MPI_ERR_GROUP, MPI_ERR_RANK, MPI_ERR_DIMS, MPI_ERR_TOPOLOGY, MPI_ERR_INFO})
    if (outcome == error) return false;
  return true;
}

}  // namespace

void record_comm_create(MpiCall& call, const RecordPlace& begin, MPI_Comm parent, const MPI_Comm* created,
                        int outcome) {
  const CommInfo from = has_taken_part(outcome) ? find_comm(parent) : CommInfo();
  const std::uint64_t creation = counts_as_creation(outcome) ? begin_creation(parent) : 0;
  const bool is_member = outcome == MPI_SUCCESS && *created != MPI_COMM_NULL;
  const CommInfo info = is_member ? define_created(from, *created, creation) : CommInfo();
  if (!has_ended(call, begin, outcome)) return;
  if (is_member) put_create(call, info);
  record_collective_end(call, CollectiveOp::kCreateHandle, from, MPI_PROC_NULL, {});
}

void record_comm_create_group(MpiCall& call, const RecordPlace& begin, MPI_Comm parent, const MPI_Comm* created,
                              int outcome) {
  const bool is_member = outcome == MPI_SUCCESS && *created != MPI_COMM_NULL;
  const CommInfo info = is_member ? name_comm(find_comm(parent), *created) : CommInfo();
  if (!has_ended(call, begin, outcome)) return;
  if (is_member) put_create(call, info);
  record_collective_end(call, CollectiveOp::kCreateHandle, is_member ? info : find_comm(MPI_COMM_SELF), MPI_PROC_NULL,
                        {});
}

void record_comm_bridge(MpiCall& call, const RecordPlace& begin, MPI_Comm own, const MPI_Comm* created, int outcome) {
  const bool is_member = outcome == MPI_SUCCESS && *created != MPI_COMM_NULL;
  const CommInfo info = is_member ? name_met(own, *created) : CommInfo();
  if (!has_ended(call, begin, outcome)) return;
  if (is_member) put_create(call, info);
  record_collective_end(call, CollectiveOp::kCreateHandle, find_comm(own), MPI_PROC_NULL, {});
}

#ifdef TARRY_MPI_HAS_Session_init
// The parent of an inter-communicator is one of the own group, which none has been made of yet.
void record_comm_bridge_groups(MpiCall& call, const RecordPlace& begin, MPI_Group own_group, const char* tag,
                               const MPI_Comm* created, int outcome) {
  MPI_Comm own = MPI_COMM_NULL;
  const bool is_made = outcome == MPI_SUCCESS && *created != MPI_COMM_NULL;
  if (is_made) PMPI_Comm_create_from_group(own_group, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &own);
  if (own == MPI_COMM_NULL) {
    has_ended(call, begin, MPI_ERR_OTHER);
    return;
  }
  name_comm(find_comm(MPI_COMM_WORLD), own);
  record_comm_bridge(call, begin, own, created, outcome);
  forget_comm(own);
  PMPI_Comm_free(&own);
}
#endif

Handshake prepare_meeting(MPI_Comm own, int root, Handshake::Side side, const char* port) {
  CommInfo info;
  const bool is_known = own == MPI_COMM_SELF || find_known_comm(own, info);
  if (!is_known || info.is_foreign || info.rank != root || !port) return {};
  return Handshake(settings().archive, side, port);
}

namespace {

// Its address and port; empty if it has none.
std::string name_of(int socket, int (*get_name)(int, sockaddr*, socklen_t*)) {
  sockaddr_storage address;
  socklen_t length = sizeof address;
  char host[NI_MAXHOST], port[NI_MAXSERV];
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  if (get_name(socket, generic, &length) != 0) return {};
  if (address.ss_family != AF_INET && address.ss_family != AF_INET6) return {};
  constexpr int kAsNumbers = NI_NUMERICHOST | NI_NUMERICSERV;
  if (::getnameinfo(generic, length, host, sizeof host, port, sizeof port, kAsNumbers) != 0) return {};
  return std::string(host) + " " + port;
}

}  // namespace

Handshake prepare_meeting(int socket) {
  const std::string here = name_of(socket, ::getsockname), there = name_of(socket, ::getpeername);
  if (here.empty() || there.empty() || here == there) return {};
  const bool is_first = here < there;
  return Handshake(settings().archive, is_first ? Handshake::Side::kAccepts : Handshake::Side::kConnects,
                   is_first ? here + " " + there : there + " " + here);
}

void record_comm_meet(MpiCall& call, Handshake& handshake, MPI_Comm own, int root, const MPI_Comm* created,
                      int outcome) {
  const bool is_member = outcome == MPI_SUCCESS && *created != MPI_COMM_NULL;
  const CommInfo info = is_member ? name_connected(own, *created, root, handshake) : CommInfo();
  call.returned();
  if (is_member) put_create(call, info);
}

// The first process of the group speaks for all.
Announcement announce_spawn(MPI_Comm own) {
  CommInfo info;
  const bool is_known = own == MPI_COMM_SELF || find_known_comm(own, info);
  if (!is_known || info.is_foreign || info.rank != 0) return {};
  return Announcement(settings().archive, own_number());
}

namespace {

// The recorder is in all processes that were spawned.
bool has_been_answered(const Announcement& announced, MPI_Comm own, MPI_Comm children) {
  const CommInfo info = find_comm(own);
  if (info.is_foreign) return false;
  std::int32_t is_answered = 0;
  if (info.rank == 0) {
    int size = 0;
    PMPI_Comm_remote_size(children, &size);
    is_answered = size > 0 && announced.count_answers() >= static_cast<std::uint64_t>(size);
  }
  PMPI_Bcast(&is_answered, 1, MPI_INT32_T, 0, own);
  return is_answered;
}

}  // namespace

void record_comm_spawn(MpiCall& call, const RecordPlace& begin, const Announcement& announced, MPI_Comm own, int root,
                       const MPI_Comm* created, int outcome) {
  const bool is_member = outcome == MPI_SUCCESS && *created != MPI_COMM_NULL;
  const CommInfo info =
      is_member ? name_spawned(own, *created, has_been_answered(announced, own, *created)) : CommInfo();
  if (!has_ended(call, begin, outcome)) return;
  if (is_member) put_create(call, info);
  record_collective_end(call, CollectiveOp::kCreateHandle, find_comm(own), root, {});
  static std::atomic<bool> is_said = false;
  if (info.is_foreign && !is_said.exchange(true))
    definitions().add_property("not_recorded", "processes started by MPI_Comm_spawn");
}

void record_comm_idup_end(MpiCall& call, const PendingComm& pending) {
  put_create(call, define_created(pending.parent, pending.created, pending.creation));
}

namespace {

int free_comm(MpiFunction function, int (*release)(MPI_Comm*), MPI_Comm* comm) {
  MpiCall call(function);
  CommInfo info;
  if (!call.is_recorded() || !comm || !find_known_comm(*comm, info)) {
    const int outcome = release(comm);
    if (call.is_recorded()) call.returned();
    return outcome;
  }
  const MPI_Comm handle = *comm;
  const RecordPlace begin = record_collective_begin(call);
  forget_comm(handle);  // before another thread can be given the same handle
  const int outcome = release(comm);
  if (!has_ended(call, begin, outcome)) {
    remember_comm(handle, info);
    return outcome;
  }
  record_collective_end(call, CollectiveOp::kDestroyHandle, info, MPI_PROC_NULL, {});
  call.put(record::CommDestroy{.comm = info.id});
  return outcome;
}

}  // namespace
}  // namespace tarry::measure

using namespace tarry;
using namespace tarry::measure;

namespace {

// `start()` is the function of MPI.
template <class Start>
int duplicate(MpiFunction function, MPI_Comm comm, const MPI_Comm* newcomm, const MPI_Request* request, Start start) {
  MpiCall call(function);
  const int outcome = start();
  if (!call.is_recorded()) return outcome;
  if (outcome == MPI_SUCCESS) {
    const CommInfo parent = find_comm(comm);
    auto* const details = new RequestDetails{.created = {*newcomm, parent, begin_creation(comm)}};
    record_icollective(call, CollectiveOp::kCreateHandle, parent, MPI_PROC_NULL, {}, request, details);
  }
  call.returned();
  return outcome;
}

}  // namespace

TARRY_MPI_ENTRY int MPI_Comm_idup(MPI_Comm comm, MPI_Comm* newcomm, MPI_Request* request) {
  return duplicate(MpiFunction::Comm_idup, comm, newcomm, request,
                   [=] { return NMPI_Comm_idup(comm, newcomm, request); });
}

#ifdef TARRY_MPI_HAS_Comm_idup_with_info
TARRY_MPI_ENTRY int MPI_Comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm, MPI_Request* request) {
  return duplicate(MpiFunction::Comm_idup_with_info, comm, newcomm, request,
                   [=] { return NMPI_Comm_idup_with_info(comm, info, newcomm, request); });
}
#endif

TARRY_MPI_ENTRY int MPI_Comm_free(MPI_Comm* comm) { return free_comm(MpiFunction::Comm_free, NMPI_Comm_free, comm); }

TARRY_MPI_ENTRY int MPI_Comm_disconnect(MPI_Comm* comm) {
  return free_comm(MpiFunction::Comm_disconnect, NMPI_Comm_disconnect, comm);
}
