// files.cpp -- records of MPI I/O.
#include "measure/mpi/files.hpp"

#include "measure/core/runtime.hpp"
#include "measure/mpi/collectives.hpp"
#include "measure/mpi/handle_table.hpp"
#include "measure/mpi/mpi_entry.hpp"

namespace tarry::measure {
namespace {

struct OpenFile {
  IoHandleId handle;
  CommInfo comm;
  FileOperation split;  // the split collective operation that is under way
};

RecorderLock g_files_lock;

// Never destroyed: MPI may be called while the program ends.
HandleTable<MPI_File, OpenFile>& files() {
  static auto* const table = new HandleTable<MPI_File, OpenFile>;
  return *table;
}

bool find_file(MPI_File file, OpenFile& found) {
  const CallLock lock(g_files_lock);
  const OpenFile* known = files().find(file);
  if (known) found = *known;
  return known;
}

// As in OTF2_IoAccessMode, OTF2_IoCreationFlag and OTF2_IoStatusFlag.
unsigned access_of(int mode) { return mode & MPI_MODE_RDWR ? 2 : mode & MPI_MODE_WRONLY ? 1 : 0; }
unsigned creation_flags(int mode) { return (mode & MPI_MODE_CREATE ? 1 : 0) | (mode & MPI_MODE_EXCL ? 8 : 0); }
unsigned status_flags(int mode) {
  return (mode & MPI_MODE_APPEND ? 2 : 0) | (mode & MPI_MODE_DELETE_ON_CLOSE ? 256 : 0);
}

void remember_file(MPI_File file, const OpenFile& opened) {
  const CallLock lock(g_files_lock);
  if (const OpenFile* stale = files().find(file)) files().remove(file, stale);
  files().add(file, opened);
}

void forget_file(MPI_File file) {
  const CallLock lock(g_files_lock);
  if (const OpenFile* known = files().find(file)) files().remove(file, known);
}

void set_split(MPI_File file, const FileOperation& operation) {
  const CallLock lock(g_files_lock);
  if (OpenFile* known = files().find(file)) known->split = operation;
}

}  // namespace

void record_file_open(MpiCall& call, const RecordPlace& begin, MPI_Comm comm, const char* name, int mode,
                      const MPI_File* file, int outcome) {
  OpenFile opened;
  if (outcome == MPI_SUCCESS) {
    opened.comm = find_comm(comm);
    opened.handle = definitions().add_io_handle(name, opened.comm.id);
    remember_file(*file, opened);
  }
  if (!has_ended(call, begin, outcome)) return;
  if (outcome == MPI_SUCCESS)
    call.put(record::IoCreateHandle{.handle = opened.handle,
                                    .access = access_of(mode),
                                    .creation_flags = creation_flags(mode),
                                    .status_flags = status_flags(mode)});
  record_collective_end(call, CollectiveOp::kCreateHandle, find_comm(comm), MPI_PROC_NULL, {});
}

void record_seek(MpiCall& call, MPI_File file, MPI_Offset offset, int whence) {
  OpenFile known;
  if (!find_file(file, known)) return;
  const auto place = static_cast<std::uint64_t>(offset);
  const unsigned from = whence == MPI_SEEK_SET ? 0 : whence == MPI_SEEK_CUR ? 1 : 2;
  call.put(
      record::IoSeek{.handle = known.handle, .offset = place, .whence = from, .result = from == 0 ? place : kNoField});
}

namespace {

FileOperation put_begin(MpiCall& call, const OpenFile& file, FileMode mode, unsigned flags, Bytes bytes) {
  const FileOperation operation{file.handle, next_request_id(), mode};
  call.put(record::IoOperationBegin{.handle = operation.handle,
                                    .mode = static_cast<unsigned>(mode),
                                    .flags = flags,
                                    .bytes = bytes,
                                    .matching = operation.matching});
  return operation;
}

}  // namespace

FileOperation record_file_begin(MpiCall& call, MPI_File file, FileMode mode, unsigned flags, MPI_Count count,
                                MPI_Datatype type) {
  OpenFile known;
  if (!find_file(file, known)) return {};
  return put_begin(call, known, mode, flags, bytes_of(count, type));
}

FileOperation record_file_flush(MpiCall& call, MPI_File file) {
  OpenFile known;
  if (!find_file(file, known)) return {};
  return put_begin(call, known, FileMode::kFlush, kCollectiveFlag, kNoField);
}

void record_file_bytes(MpiCall& call, IoHandleId handle, Bytes bytes, RequestId matching, FileMode mode) {
  call.put(record::IoOperationComplete{.handle = handle, .bytes = bytes, .matching = matching});
  Thread& thread = call.thread();
  if (!thread.summarises || !thread.gate.is_open()) return;
  if (mode != FileMode::kFlush) thread.profile.count_file_operation(handle, mode == FileMode::kWrite, bytes);
}

void record_file_end(MpiCall& call, const FileOperation& operation, OwnStatus& status, int outcome) {
  if (operation.matching == kNoRequest) return;
  const Bytes bytes = outcome == MPI_SUCCESS ? received_bytes(*status.get()) : 0;
  record_file_bytes(call, operation.handle, bytes, operation.matching, operation.mode);
}

void record_file_start(MpiCall& call, MPI_File file, FileMode mode, unsigned flags, MPI_Count count, MPI_Datatype type,
                       const MPI_Request* request, int outcome) {
  FileOperation operation;
  if (outcome == MPI_SUCCESS) operation = record_file_begin(call, file, mode, flags, count, type);
  call.returned();
  if (operation.matching == kNoRequest) return;
  call.put(record::IoOperationIssued{.handle = operation.handle, .matching = operation.matching});
  const bool is_write = mode == FileMode::kWrite;
  remember_request({.kind = RequestKind::kFile, .object = operation.handle, .tag = is_write, .id = operation.matching},
                   request);
}

void record_split_begin(MpiCall& call, MPI_File file, const FileOperation& operation, int outcome) {
  if (operation.matching == kNoRequest) return;
  if (outcome != MPI_SUCCESS) return record_file_bytes(call, operation.handle, 0, operation.matching, operation.mode);
  call.put(record::IoOperationIssued{.handle = operation.handle, .matching = operation.matching});
  set_split(file, operation);
}

void record_split_end(MpiCall& call, MPI_File file, OwnStatus& status, int outcome) {
  OpenFile known;
  if (!find_file(file, known)) return;
  record_file_end(call, known.split, status, outcome);
  set_split(file, {});
}

void record_file_synced(MpiCall& call, const FileOperation& operation) {
  if (operation.matching == kNoRequest) return;
  call.put(record::IoOperationComplete{.handle = operation.handle, .bytes = 0, .matching = operation.matching});
}

}  // namespace tarry::measure

using namespace tarry;
using namespace tarry::measure;

TARRY_MPI_ENTRY int MPI_File_close(MPI_File* file) {
  MpiCall call(MpiFunction::File_close);
  OpenFile closed;
  if (!call.is_recorded() || !file || !find_file(*file, closed)) {
    const int outcome = NMPI_File_close(file);
    if (call.is_recorded()) call.returned();
    return outcome;
  }
  const MPI_File handle = *file;
  const RecordPlace begin = record_collective_begin(call);
  forget_file(handle);  // before another thread can be given the same handle
  const int outcome = NMPI_File_close(file);
  if (!has_ended(call, begin, outcome)) {
    remember_file(handle, closed);
    return outcome;
  }
  call.put(record::IoDestroyHandle{.handle = closed.handle});
  record_collective_end(call, CollectiveOp::kDestroyHandle, closed.comm, MPI_PROC_NULL, {});
  return outcome;
}
