// otf2_events.cpp -- the table from OTF2's event records to ours, and the records that need more than a table.
#include "trace/otf2_events.hpp"

#include <utility>

namespace tarry {

/// The callback of a record whose fields stand in the order of ours; one Otf2Field per field of OTF2's record.
template <EventKind kKind, Otf2Field... kFields>
struct Otf2Record {
  template <class... Values>
  static OTF2_CallbackCode read(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t position, void* user,
                                OTF2_AttributeList*, Values... values) {
    static_assert(sizeof...(Values) == sizeof...(kFields));
    auto& decoder = *static_cast<Otf2Decoder*>(user);
    [[maybe_unused]] std::uint64_t* out = decoder.next_->fields.data();
    if ((decoder.translate<kFields>(values, position, out) && ...)) decoder.commit(kKind, time, position);
    return OTF2_CALLBACK_SUCCESS;
  }
};

/// Records that do not map field by field.
struct Otf2SpecialRecords {
  static Otf2Decoder& of(void* user) { return *static_cast<Otf2Decoder*>(user); }

  static OTF2_CallbackCode finish(void* user, EventKind kind, OTF2_TimeStamp time, std::uint64_t position,
                                  std::uint64_t field) {
    of(user).next_->fields[0] = field;
    of(user).commit(kind, time, position);
    return OTF2_CALLBACK_SUCCESS;
  }

  static OTF2_CallbackCode buffer_flush(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t position, void* user,
                                        OTF2_AttributeList*, OTF2_TimeStamp stop) {
    return finish(user, EventKind::kBufferFlush, time, position, stop > time ? stop - time : 0);
  }

  static OTF2_CallbackCode measurement_on_off(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t position,
                                              void* user, OTF2_AttributeList*, OTF2_MeasurementMode mode) {
    return finish(user, EventKind::kMeasurementOnOff, time, position, mode == OTF2_MEASUREMENT_ON);
  }

  static OTF2_CallbackCode program_begin(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t position, void* user,
                                         OTF2_AttributeList*, OTF2_StringRef name, std::uint32_t,
                                         const OTF2_StringRef*) {
    const std::uint32_t region = of(user).model_.find_program(name);
    const bool is_known = region != Otf2Index::kMissing;
    if (!is_known) of(user).note_undefined("program name", name, position);
    return finish(user, EventKind::kProgramBegin, time, position, is_known ? region : kNoField);
  }

  static OTF2_CallbackCode program_end(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t position, void* user,
                                       OTF2_AttributeList*, std::int64_t status) {
    const bool is_known = status != OTF2_UNDEFINED_INT64;
    return finish(user, EventKind::kProgramEnd, time, position,
                  is_known ? static_cast<std::uint64_t>(status) & 0xff : kNoField);
  }

  template <class... Values>
  static OTF2_CallbackCode unknown(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t position, void* user,
                                   OTF2_AttributeList*, Values...) {
    of(user).add_fault(Fault::kUnknownRecord, position);
    return OTF2_CALLBACK_SUCCESS;
  }
};

bool Otf2Decoder::check_operation(std::uint64_t value, std::uint64_t position, std::uint64_t*& out) {
  static_assert(static_cast<int>(CollectiveOp::kAllreduce) == OTF2_COLLECTIVE_OP_ALLREDUCE);
  static_assert(static_cast<int>(CollectiveOp::kScan) == OTF2_COLLECTIVE_OP_SCAN);
  static_assert(static_cast<int>(CollectiveOp::kReduceScatterBlock) == OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK);
  static_assert(static_cast<int>(CollectiveOp::kDestroyHandleAndDeallocate) ==
                OTF2_COLLECTIVE_OP_DESTROY_HANDLE_AND_DEALLOCATE);
  *out++ = value;
  if (value <= OTF2_COLLECTIVE_OP_DESTROY_HANDLE_AND_DEALLOCATE) return true;
  add_fault(Fault::kUnknownRecord, position, "collective operation " + std::to_string(value));
  return false;
}

bool Otf2Decoder::note_undefined(const char* what, std::uint64_t value, std::uint64_t position) {
  add_fault(Fault::kUndefinedReference, position, std::string(what) + " " + std::to_string(value));
  return false;
}

void Otf2Decoder::note_backwards(std::uint64_t position) {
  add_fault(Fault::kTimeBackwards, position);
  next_->time = last_time_;
}

namespace {

using enum EventKind;
using enum Otf2Field;

void set_regions_and_messages(OTF2_EvtReaderCallbacks* set) {
  OTF2_EvtReaderCallbacks_SetEnterCallback(set, Otf2Record<kEnter, kRegion>::read);
  OTF2_EvtReaderCallbacks_SetLeaveCallback(set, Otf2Record<kLeave, kRegion>::read);
  OTF2_EvtReaderCallbacks_SetCallingContextEnterCallback(set, Otf2Record<kEnter, kContext, kDropped>::read);
  OTF2_EvtReaderCallbacks_SetCallingContextLeaveCallback(set, Otf2Record<kLeave, kContext>::read);
  OTF2_EvtReaderCallbacks_SetMpiSendCallback(set, Otf2Record<kMpiSend, kPlain, kComm, kPlain, kPlain>::read);
  OTF2_EvtReaderCallbacks_SetMpiIsendCallback(set, Otf2Record<kMpiIsend, kPlain, kComm, kPlain, kPlain, kPlain>::read);
  OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(set, Otf2Record<kMpiIsendComplete, kPlain>::read);
  OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(set, Otf2Record<kMpiIrecvRequest, kPlain>::read);
  OTF2_EvtReaderCallbacks_SetMpiRecvCallback(set, Otf2Record<kMpiRecv, kPlain, kComm, kPlain, kPlain>::read);
  OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(set, Otf2Record<kMpiIrecv, kPlain, kComm, kPlain, kPlain, kPlain>::read);
  OTF2_EvtReaderCallbacks_SetMpiRequestTestCallback(set, Otf2Record<kMpiRequestTest, kPlain>::read);
  OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(set, Otf2Record<kMpiRequestCancelled, kPlain>::read);
}

void set_collectives(OTF2_EvtReaderCallbacks* set) {
  OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(set, Otf2Record<kMpiCollectiveBegin>::read);
  OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(
      set, Otf2Record<kMpiCollectiveEnd, kOperation, kComm, kRoot, kPlain, kPlain>::read);
  OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(
      set, Otf2Record<kNonBlockingCollectiveRequest, kPlain>::read);
  OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(
      set, Otf2Record<kNonBlockingCollectiveComplete, kOperation, kComm, kRoot, kPlain, kPlain, kPlain>::read);
  OTF2_EvtReaderCallbacks_SetCommCreateCallback(set, Otf2Record<kCommCreate, kComm>::read);
  OTF2_EvtReaderCallbacks_SetCommDestroyCallback(set, Otf2Record<kCommDestroy, kComm>::read);
}

void set_threads(OTF2_EvtReaderCallbacks* set) {
  OTF2_EvtReaderCallbacks_SetThreadForkCallback(set, Otf2Record<kThreadFork, kParadigm, kPlain>::read);
  OTF2_EvtReaderCallbacks_SetThreadJoinCallback(set, Otf2Record<kThreadJoin, kParadigm>::read);
  OTF2_EvtReaderCallbacks_SetThreadTeamBeginCallback(set, Otf2Record<kThreadTeamBegin, kComm>::read);
  OTF2_EvtReaderCallbacks_SetThreadTeamEndCallback(set, Otf2Record<kThreadTeamEnd, kComm>::read);
  OTF2_EvtReaderCallbacks_SetThreadAcquireLockCallback(
      set, Otf2Record<kThreadAcquireLock, kParadigm, kPlain, kPlain>::read);
  OTF2_EvtReaderCallbacks_SetThreadReleaseLockCallback(
      set, Otf2Record<kThreadReleaseLock, kParadigm, kPlain, kPlain>::read);
  OTF2_EvtReaderCallbacks_SetThreadTaskCreateCallback(set, Otf2Record<kThreadTaskCreate, kComm, kPlain, kPlain>::read);
  OTF2_EvtReaderCallbacks_SetThreadTaskSwitchCallback(set, Otf2Record<kThreadTaskSwitch, kComm, kPlain, kPlain>::read);
  OTF2_EvtReaderCallbacks_SetThreadTaskCompleteCallback(
      set, Otf2Record<kThreadTaskComplete, kComm, kPlain, kPlain>::read);
  OTF2_EvtReaderCallbacks_SetThreadCreateCallback(set, Otf2Record<kThreadCreate, kComm, kPlain>::read);
  OTF2_EvtReaderCallbacks_SetThreadBeginCallback(set, Otf2Record<kThreadBegin, kComm, kPlain>::read);
  OTF2_EvtReaderCallbacks_SetThreadWaitCallback(set, Otf2Record<kThreadWait, kComm, kPlain>::read);
  OTF2_EvtReaderCallbacks_SetThreadEndCallback(set, Otf2Record<kThreadEnd, kComm, kPlain>::read);
}

void set_one_sided(OTF2_EvtReaderCallbacks* set) {
  OTF2_EvtReaderCallbacks_SetRmaWinCreateCallback(set, Otf2Record<kRmaWinCreate, kWindow>::read);
  OTF2_EvtReaderCallbacks_SetRmaWinDestroyCallback(set, Otf2Record<kRmaWinDestroy, kWindow>::read);
  OTF2_EvtReaderCallbacks_SetRmaCollectiveBeginCallback(set, Otf2Record<kRmaCollectiveBegin>::read);
  OTF2_EvtReaderCallbacks_SetRmaCollectiveEndCallback(
      set, Otf2Record<kRmaCollectiveEnd, kOperation, kPlain, kWindow, kRoot, kPlain, kPlain>::read);
  OTF2_EvtReaderCallbacks_SetRmaGroupSyncCallback(set, Otf2Record<kRmaGroupSync, kPlain, kWindow, kGroup>::read);
  OTF2_EvtReaderCallbacks_SetRmaRequestLockCallback(
      set, Otf2Record<kRmaRequestLock, kWindow, kPlain, kPlain, kPlain>::read);
  OTF2_EvtReaderCallbacks_SetRmaAcquireLockCallback(
      set, Otf2Record<kRmaAcquireLock, kWindow, kPlain, kPlain, kPlain>::read);
  OTF2_EvtReaderCallbacks_SetRmaTryLockCallback(set, Otf2Record<kRmaTryLock, kWindow, kPlain, kPlain, kPlain>::read);
  OTF2_EvtReaderCallbacks_SetRmaReleaseLockCallback(set, Otf2Record<kRmaReleaseLock, kWindow, kPlain, kPlain>::read);
  OTF2_EvtReaderCallbacks_SetRmaSyncCallback(set, Otf2Record<kRmaSync, kWindow, kPlain, kPlain>::read);
  OTF2_EvtReaderCallbacks_SetRmaWaitChangeCallback(set, Otf2Record<kRmaWaitChange, kWindow>::read);
  OTF2_EvtReaderCallbacks_SetRmaPutCallback(set, Otf2Record<kRmaPut, kWindow, kPlain, kPlain, kPlain>::read);
  OTF2_EvtReaderCallbacks_SetRmaGetCallback(set, Otf2Record<kRmaGet, kWindow, kPlain, kPlain, kPlain>::read);
  OTF2_EvtReaderCallbacks_SetRmaAtomicCallback(
      set, Otf2Record<kRmaAtomic, kWindow, kPlain, kPlain, kPlain, kPlain, kPlain>::read);
  OTF2_EvtReaderCallbacks_SetRmaOpCompleteBlockingCallback(
      set, Otf2Record<kRmaOpCompleteBlocking, kWindow, kPlain>::read);
  OTF2_EvtReaderCallbacks_SetRmaOpCompleteNonBlockingCallback(
      set, Otf2Record<kRmaOpCompleteNonBlocking, kWindow, kPlain>::read);
  OTF2_EvtReaderCallbacks_SetRmaOpTestCallback(set, Otf2Record<kRmaOpTest, kWindow, kPlain>::read);
  OTF2_EvtReaderCallbacks_SetRmaOpCompleteRemoteCallback(set, Otf2Record<kRmaOpCompleteRemote, kWindow, kPlain>::read);
}

/// Metrics, parameters, samples and I/O records have no callback: they are not needed. OTF2 1.0's OpenMP records were
/// replaced by the thread records before the first version we read.
void set_special(OTF2_EvtReaderCallbacks* set) {
  OTF2_EvtReaderCallbacks_SetBufferFlushCallback(set, Otf2SpecialRecords::buffer_flush);
  OTF2_EvtReaderCallbacks_SetMeasurementOnOffCallback(set, Otf2SpecialRecords::measurement_on_off);
  OTF2_EvtReaderCallbacks_SetProgramBeginCallback(set, Otf2SpecialRecords::program_begin);
  OTF2_EvtReaderCallbacks_SetProgramEndCallback(set, Otf2SpecialRecords::program_end);
  OTF2_EvtReaderCallbacks_SetUnknownCallback(set, Otf2SpecialRecords::unknown);
  OTF2_EvtReaderCallbacks_SetOmpForkCallback(set, Otf2SpecialRecords::unknown);
  OTF2_EvtReaderCallbacks_SetOmpJoinCallback(set, Otf2SpecialRecords::unknown);
  OTF2_EvtReaderCallbacks_SetOmpAcquireLockCallback(set, Otf2SpecialRecords::unknown);
  OTF2_EvtReaderCallbacks_SetOmpReleaseLockCallback(set, Otf2SpecialRecords::unknown);
  OTF2_EvtReaderCallbacks_SetOmpTaskCreateCallback(set, Otf2SpecialRecords::unknown);
  OTF2_EvtReaderCallbacks_SetOmpTaskSwitchCallback(set, Otf2SpecialRecords::unknown);
  OTF2_EvtReaderCallbacks_SetOmpTaskCompleteCallback(set, Otf2SpecialRecords::unknown);
}

}  // namespace

const OTF2_EvtReaderCallbacks* Otf2Decoder::callbacks() {
  static const OTF2_EvtReaderCallbacks* const kCallbacks = [] {
    OTF2_EvtReaderCallbacks* set = OTF2_EvtReaderCallbacks_New();
    set_regions_and_messages(set);
    set_collectives(set);
    set_threads(set);
    set_one_sided(set);
    set_special(set);
    return set;
  }();
  return kCallbacks;
}

}  // namespace tarry
