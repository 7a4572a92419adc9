// unsuccessful_tests.hpp -- test and probe functions: consecutive calls that find nothing make one visit.
//
// Each function is described by a struct with the arguments of a call, all but the number of requests. It derives from
// RequestTest, OneStatusTest or MessageProbe:
//
//   static constexpr MpiFunction kFunction; static constexpr CoalescedFunction kCoalesced;
//   int call(int count, MPI_Status* statuses) const      the function behind
//   void record(MpiCall&, int outcome, const Tested&) const  the records of a call in full, at its return
//
// Calls: may block.
#pragma once

#include "measure/mpi/completions.hpp"
#include "measure/mpi/mpi_api.hpp"
#include "measure/mpi/mpi_call.hpp"

namespace tarry::measure {

/// Most requests of a call that may be coalesced.
inline constexpr int kMostCoalescedRequests = 64;

/// The requests of a call before it, and the statuses it was given.
struct Tested {
  int count = 0;
  const MPI_Request* handles = nullptr;
  MPI_Status* statuses = nullptr;
};

/// What all have in common: where MPI puts its answer, a flag or how many requests are complete.
struct Question {
  int* answer;

  /// Where a third argument is kept, it comes from there. Reading the clock takes its register, and the compiler would
  /// save it in another one besides.
  template <class Test>
  static void take_third(const Test&) {}

  /// Nothing was found, and nothing went wrong. MPI may refuse a place for the answer that is none.
  bool is_unsuccessful(int outcome) const { return outcome == MPI_SUCCESS && *answer == 0; }
};

struct RequestTest : Question {
  MPI_Request* list;
  MPI_Status* statuses;  // as the program wants them; or a single one

  void keep_only_request(MPI_Request& only) const { only = list ? *list : MPI_REQUEST_NULL; }
  Tested keep(int count) const {
    Scratch& kept = scratch();
    kept.prepare(count, list, statuses);
    return {count, kept.handles.data(), kept.statuses};
  }
  void hand_over(const MPI_Status& own) const {
    if (statuses != MPI_STATUSES_IGNORE) *statuses = own;
  }
  /// MPI has written a status; `before`: what was the only request.
  bool has_status(int outcome, MPI_Request before) const {
    if (outcome == MPI_SUCCESS) return *answer > 0;  // MPI_UNDEFINED is less
    return error_class_of(outcome) == MPI_ERR_IN_STATUS || (list && *list != before);
  }
};

/// Of functions that give a single status: MPI leaves the error in it alone.
struct OneStatusTest : RequestTest {
  void hand_over(MPI_Status own) const {
    if (statuses != MPI_STATUS_IGNORE) own.MPI_ERROR = statuses->MPI_ERROR;
    RequestTest::hand_over(own);
  }
};

/// What asks for something else than requests.
struct MessageProbe : Question {
  static constexpr MPI_Status* statuses = nullptr;

  static void keep_only_request(MPI_Request&) {}
  static Tested keep(int) { return {}; }
  static void hand_over(const MPI_Status&) {}
  static bool has_status(int, MPI_Request) { return false; }
};

/// A call for at most one request. While it is under way it is known by its address. So its arguments are in memory
/// then, and the short way has few registers to save. It has a status of its own: a program does not always give a
/// valid one.
template <class Test>
struct CoalescedTest : CoalescedCall {
  MPI_Status own;  // right behind the call, see join_visit()
  Test test;
  MPI_Request only;  // as it was before, if the call is for a request
};

template <class Test>
[[gnu::noinline, gnu::cold]] int finish_in_full(CoalescedTest<Test>& coalesced, int outcome) {
  MpiCall call(Test::kFunction, coalesced);
  if (call.is_recorded()) call.returned();
  Test& test = coalesced.test;
  if (test.has_status(outcome, coalesced.only)) test.hand_over(coalesced.own);
  if (call.is_recorded()) test.record(call, outcome, {1, &coalesced.only, &coalesced.own});
  return outcome;
}

template <class Test>
int test_in_full(const Test& test, int count) {
  MpiCall call(Test::kFunction);
  if (!call.is_recorded()) return test.call(count, test.statuses);
  const Tested tested = test.keep(count);
  const int outcome = test.call(count, tested.statuses);
  call.returned();
  test.record(call, outcome, tested);
  return outcome;
}

/// A call for several requests, the first one of a coalesced visit, or one that is recorded in full.
template <class Test>
[[gnu::noinline]] int test_rarely(const Test& test, int count) {
  CoalescedCall coalesced;
  const bool is_coalesced =
      count <= kMostCoalescedRequests && (may_join_visit(coalesced, Test::kCoalesced) ||
                                          may_open_coalesced_visit(coalesced, Test::kCoalesced, Test::kFunction));
  if (!is_coalesced) {
    const int outcome = test_in_full(test, count);
    if (test.is_unsuccessful(outcome)) note_unsuccessful_call(Test::kCoalesced);
    return outcome;
  }
  const Tested tested = test.keep(count);
  join_visit(coalesced);
  const int outcome = test.call(count, tested.statuses);
  if (test.is_unsuccessful(outcome) && count_in_visit()) return outcome;
  MpiCall call(Test::kFunction, coalesced);
  if (!call.is_recorded()) return outcome;
  call.returned();
  test.record(call, outcome, tested);
  return outcome;
}

/// What an entry point does. `count`: of the requests; 1 where there is none.
template <class Test>
[[gnu::always_inline]] inline int run_test(Test test, int count = 1) {
  CoalescedTest<Test> coalesced;
  coalesced.test = test;
  if (count == 1 && may_join_visit(coalesced, Test::kCoalesced)) [[likely]] {
    test.keep_only_request(coalesced.only);
    join_visit(coalesced);
    test.take_third(coalesced.test);
    asm("" : "+r"(count));  // not to be loaded again, although it is known
    const int outcome = test.call(count, &coalesced.own);
    if (!coalesced.test.is_unsuccessful(outcome)) [[unlikely]]
      return finish_in_full(*processor::address_found_anew(coalesced), outcome);
    if (count_in_visit()) [[likely]]
      return MPI_SUCCESS;
    return finish_in_full(*processor::address_found_anew(coalesced), MPI_SUCCESS);
  }
  return test_rarely(*processor::address_found_anew(coalesced.test), count);
}

}  // namespace tarry::measure
