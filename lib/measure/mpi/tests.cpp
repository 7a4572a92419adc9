// tests.cpp -- the functions that ask whether something has come: tests of requests, and the probe for a message.
#include <algorithm>

#include "measure/mpi/mpi_entry.hpp"
#include "measure/mpi/unsuccessful_tests.hpp"

namespace tarry::measure {
namespace {

struct Test : OneStatusTest {
  static constexpr MpiFunction kFunction = MpiFunction::Test;
  static constexpr CoalescedFunction kCoalesced = CoalescedFunction::kTest;

  int call(int, MPI_Status* status) const { return NMPI_Test(list, answer, status); }
  void record(MpiCall& call, int outcome, const Tested& tested) const {
    if (outcome == MPI_SUCCESS && *answer) complete(call, tested.handles[0], list, tested.statuses[0]);
    else if (outcome == MPI_SUCCESS) record_test(call, tested.handles[0], list);
    else complete_failed(call, tested.handles[0], list, tested.statuses[0], outcome);
  }
};

struct Testany : OneStatusTest {
  static constexpr MpiFunction kFunction = MpiFunction::Testany;
  static constexpr CoalescedFunction kCoalesced = CoalescedFunction::kTestany;
  int* index;

  void take_third(const Testany& kept) { index = kept.index; }
  int call(int count, MPI_Status* status) const { return NMPI_Testany(count, list, index, answer, status); }
  void record(MpiCall& call, int outcome, const Tested& tested) const {
    for (int i = 0; i < tested.count && list && outcome != MPI_SUCCESS; ++i)
      complete_failed(call, tested.handles[i], &list[i], tested.statuses[0], outcome);
    if (outcome != MPI_SUCCESS) return;
    if (*answer && *index != MPI_UNDEFINED) complete(call, tested.handles[*index], &list[*index], tested.statuses[0]);
    for (int i = 0; i < tested.count && !*answer; ++i) record_test(call, tested.handles[i], &list[i]);
  }
};

struct Testall : RequestTest {
  static constexpr MpiFunction kFunction = MpiFunction::Testall;
  static constexpr CoalescedFunction kCoalesced = CoalescedFunction::kTestall;

  int call(int count, MPI_Status* each) const { return NMPI_Testall(count, list, answer, each); }
  void record(MpiCall& call, int outcome, const Tested& tested) const {
    for (int i = 0; i < tested.count && has_statuses(outcome); ++i) {
      if (*answer)
        complete(call, tested.handles[i], &list[i], tested.statuses[i], error_of(tested.statuses[i], outcome));
      else record_test(call, tested.handles[i], &list[i]);
    }
  }
};

struct Testsome : RequestTest {
  static constexpr MpiFunction kFunction = MpiFunction::Testsome;
  static constexpr CoalescedFunction kCoalesced = CoalescedFunction::kTestsome;
  int* indices;

  int call(int count, MPI_Status* each) const { return NMPI_Testsome(count, list, answer, indices, each); }
  bool is_done(int at) const { return std::find(indices, indices + *answer, at) != indices + *answer; }
  void record(MpiCall& call, int outcome, const Tested& tested) const {
    if (!has_statuses(outcome) || *answer == MPI_UNDEFINED) return;
    for (int i = 0; i < *answer; ++i)
      complete(call, tested.handles[indices[i]], &list[indices[i]], tested.statuses[i],
               error_of(tested.statuses[i], outcome));
    for (int i = 0; i < tested.count; ++i)
      if (!is_done(i)) record_test(call, tested.handles[i], &list[i]);
  }
};

struct GetStatus : MessageProbe {
  static constexpr MpiFunction kFunction = MpiFunction::Request_get_status;
  static constexpr CoalescedFunction kCoalesced = CoalescedFunction::kGetStatus;
  MPI_Request request;
  MPI_Status* status;

  int call(int, MPI_Status*) const { return NMPI_Request_get_status(request, answer, status); }
  void record(MpiCall&, int, const Tested&) const {}
};

struct Probe : MessageProbe {
  static constexpr MpiFunction kFunction = MpiFunction::Iprobe;
  static constexpr CoalescedFunction kCoalesced = CoalescedFunction::kProbe;
  int source, tag;
  MPI_Comm comm;
  MPI_Status* status;

  void take_third(const Probe& kept) { comm = kept.comm; }
  int call(int, MPI_Status*) const { return NMPI_Iprobe(source, tag, comm, answer, status); }
  void record(MpiCall&, int, const Tested&) const {}
};

#ifdef TARRY_MPI_HAS_Parrived
struct Parrived : MessageProbe {
  static constexpr MpiFunction kFunction = MpiFunction::Parrived;
  static constexpr CoalescedFunction kCoalesced = CoalescedFunction::kPartArrived;
  MPI_Request request;
  int partition;

  int call(int, MPI_Status*) const { return NMPI_Parrived(request, partition, answer); }
  void record(MpiCall&, int, const Tested&) const {}
};
#endif

}  // namespace
}  // namespace tarry::measure

using namespace tarry::measure;

TARRY_MPI_ENTRY int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  return run_test(Test{{{{flag}, request, status}}});
}

TARRY_MPI_ENTRY int MPI_Testany(int count, MPI_Request list[], int* index, int* flag, MPI_Status* status) {
  return run_test(Testany{{{{flag}, list, status}}, index}, count);
}

TARRY_MPI_ENTRY int MPI_Testall(int count, MPI_Request list[], int* flag, MPI_Status statuses[]) {
  return run_test(Testall{{{flag}, list, statuses}}, count);
}

TARRY_MPI_ENTRY int MPI_Testsome(int count, MPI_Request list[], int* done, int indices[], MPI_Status statuses[]) {
  return run_test(Testsome{{{done}, list, statuses}, indices}, count);
}

TARRY_MPI_ENTRY int MPI_Request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
  return run_test(GetStatus{{{flag}}, request, status});
}

TARRY_MPI_ENTRY int MPI_Iprobe(int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  return run_test(Probe{{{flag}}, source, tag, comm, status});
}

#ifdef TARRY_MPI_HAS_Parrived
TARRY_MPI_ENTRY int MPI_Parrived(MPI_Request request, int partition, int* flag) {
  return run_test(Parrived{{{flag}}, request, partition});
}
#endif
