// files.hpp -- records of MPI I/O: files that are opened and closed, operations on them.
//
// Calls: may block.
#pragma once

#include "base/units.hpp"
#include "defs/definitions.hpp"
#include "measure/mpi/mpi_call.hpp"
#include "measure/mpi/point_to_point.hpp"

namespace tarry::measure {

// Numbers as in OTF2_IoOperationMode and OTF2_IoOperationFlag.
enum class FileMode : std::uint8_t { kRead = 0, kWrite = 1, kFlush = 2 };
inline constexpr unsigned kIndividual = 0, kNonBlockingFlag = 1, kCollectiveFlag = 2;

/// One operation on a file; `matching` is kNoRequest if the file is not known.
struct FileOperation {
  IoHandleId handle = {};
  RequestId matching = kNoRequest;
  FileMode mode = FileMode::kRead;
};

/// IO_CREATE_HANDLE and the END of the collective that has opened the file.
void record_file_open(MpiCall& call, const RecordPlace& begin, MPI_Comm comm, const char* name, int mode,
                      const MPI_File* file, int outcome);

/// IO_SEEK, at the return.
void record_seek(MpiCall& call, MPI_File file, MPI_Offset offset, int whence);

/// IO_OPERATION_BEGIN, at the entry. `flags`: kNonBlockingFlag | kCollectiveFlag.
FileOperation record_file_begin(MpiCall& call, MPI_File file, FileMode mode, unsigned flags, MPI_Count count,
                                MPI_Datatype type);

/// The record of a file operation that is complete, and its bytes in the summary.
void record_file_bytes(MpiCall& call, IoHandleId handle, Bytes bytes, RequestId matching, FileMode mode);

/// IO_OPERATION_COMPLETE, at the return.
void record_file_end(MpiCall& call, const FileOperation& operation, OwnStatus& status, int outcome);

/// IO_OPERATION_BEGIN and IO_OPERATION_ISSUED of a call that has succeeded, and what the completion of the request will
/// need. To be called before the return is stamped.
void record_file_start(MpiCall& call, MPI_File file, FileMode mode, unsigned flags, MPI_Count count, MPI_Datatype type,
                       const MPI_Request* request, int outcome);

/// IO_OPERATION_ISSUED of the first half of a split collective operation; a file has one at a time.
void record_split_begin(MpiCall& call, MPI_File file, const FileOperation& operation, int outcome);
void record_split_end(MpiCall& call, MPI_File file, OwnStatus& status, int outcome);

/// The operation of MPI_File_sync, at its entry and at its return.
FileOperation record_file_flush(MpiCall& call, MPI_File file);
void record_file_synced(MpiCall& call, const FileOperation& operation);

}  // namespace tarry::measure
