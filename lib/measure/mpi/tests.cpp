// tests.cpp -- the functions that ask whether something has come: tests of requests, and the probe for a message.
#include <algorithm>

#include "measure/mpi/mpi_entry.hpp"
#include "measure/mpi/tests_in_vain.hpp"

namespace tarry::measure {
namespace {

struct Test : OneStatusTest {
  static constexpr MpiFunction kFunction = MpiFunction::Test;
  static constexpr FoldedFunction kFolded = FoldedFunction::kTest;
  int* flag;

  int call(int, MPI_Status* status) const { return PMPI_Test(list, flag, status); }
  bool is_in_vain(int outcome) const { return (outcome | *flag) == 0; }
  void record(MpiCall& call, int outcome, const Tested& tested) const {
    if (outcome == MPI_SUCCESS && *flag)
      complete(call, tested.handles[0], list, tested.statuses[0]);
    else if (outcome == MPI_SUCCESS)
      record_test(call, tested.handles[0], list);
  }
};

struct Testany : OneStatusTest {
  static constexpr MpiFunction kFunction = MpiFunction::Testany;
  static constexpr FoldedFunction kFolded = FoldedFunction::kTestany;
  int* index;
  int* flag;

  int call(int count, MPI_Status* status) const { return PMPI_Testany(count, list, index, flag, status); }
  bool is_in_vain(int outcome) const { return (outcome | *flag) == 0; }
  void record(MpiCall& call, int outcome, const Tested& tested) const {
    if (outcome != MPI_SUCCESS) return;
    if (*flag && *index != MPI_UNDEFINED) complete(call, tested.handles[*index], &list[*index], tested.statuses[0]);
    for (int i = 0; i < tested.count && !*flag; ++i) record_test(call, tested.handles[i], &list[i]);
  }
};

struct Testall : RequestTest {
  static constexpr MpiFunction kFunction = MpiFunction::Testall;
  static constexpr FoldedFunction kFolded = FoldedFunction::kTestall;
  int* flag;

  int call(int count, MPI_Status* each) const { return PMPI_Testall(count, list, flag, each); }
  bool is_in_vain(int outcome) const { return (outcome | *flag) == 0; }
  void record(MpiCall& call, int outcome, const Tested& tested) const {
    for (int i = 0; i < tested.count && has_statuses(outcome); ++i) {
      if (*flag)
        complete(call, tested.handles[i], &list[i], tested.statuses[i]);
      else
        record_test(call, tested.handles[i], &list[i]);
    }
  }
};

struct Testsome : RequestTest {
  static constexpr MpiFunction kFunction = MpiFunction::Testsome;
  static constexpr FoldedFunction kFolded = FoldedFunction::kTestsome;
  int* done;
  int* indices;

  int call(int count, MPI_Status* each) const { return PMPI_Testsome(count, list, done, indices, each); }
  bool is_in_vain(int outcome) const { return (outcome | *done) == 0; }
  bool is_done(int at) const { return std::find(indices, indices + *done, at) != indices + *done; }
  void record(MpiCall& call, int outcome, const Tested& tested) const {
    if (!has_statuses(outcome) || *done == MPI_UNDEFINED) return;
    for (int i = 0; i < *done; ++i)
      complete(call, tested.handles[indices[i]], &list[indices[i]], tested.statuses[i]);
    for (int i = 0; i < tested.count; ++i)
      if (!is_done(i)) record_test(call, tested.handles[i], &list[i]);
  }
};

struct GetStatus : MessageProbe {
  static constexpr MpiFunction kFunction = MpiFunction::Request_get_status;
  static constexpr FoldedFunction kFolded = FoldedFunction::kGetStatus;
  MPI_Request request;
  int* flag;
  MPI_Status* status;

  int call(int, MPI_Status*) const { return PMPI_Request_get_status(request, flag, status); }
  bool is_in_vain(int outcome) const { return (outcome | *flag) == 0; }
  void record(MpiCall&, int, const Tested&) const {}
};

struct Probe : MessageProbe {
  static constexpr MpiFunction kFunction = MpiFunction::Iprobe;
  static constexpr FoldedFunction kFolded = FoldedFunction::kProbe;
  int source, tag;
  MPI_Comm comm;
  int* flag;
  MPI_Status* status;

  int call(int, MPI_Status*) const { return PMPI_Iprobe(source, tag, comm, flag, status); }
  bool is_in_vain(int outcome) const { return (outcome | *flag) == 0; }
  void record(MpiCall&, int, const Tested&) const {}
};

}  // namespace
}  // namespace tarry::measure

using namespace tarry::measure;

TARRY_MPI_ENTRY int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  return run_test(Test{{{request, status, {}}}, flag});
}

TARRY_MPI_ENTRY int MPI_Testany(int count, MPI_Request list[], int* index, int* flag, MPI_Status* status) {
  return run_test(Testany{{{list, status, {}}}, index, flag}, count);
}

TARRY_MPI_ENTRY int MPI_Testall(int count, MPI_Request list[], int* flag, MPI_Status statuses[]) {
  return run_test(Testall{{list, statuses, {}}, flag}, count);
}

TARRY_MPI_ENTRY int MPI_Testsome(int count, MPI_Request list[], int* done, int indices[], MPI_Status statuses[]) {
  return run_test(Testsome{{list, statuses, {}}, done, indices}, count);
}

TARRY_MPI_ENTRY int MPI_Request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
  return run_test(GetStatus{{}, request, flag, status});
}

TARRY_MPI_ENTRY int MPI_Iprobe(int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  return run_test(Probe{{}, source, tag, comm, flag, status});
}
