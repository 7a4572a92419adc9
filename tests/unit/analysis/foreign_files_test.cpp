// foreign_files_test.cpp -- files in a trace of Score-P: a handle for each open, one above another, and some that are
// there from the beginning.
#include <gtest/gtest.h>

#include "analysis_of.hpp"
#include "tests/unit/trace/otf2_writer.hpp"
#include "trace/otf2/otf2_source.hpp"

namespace tarry {
namespace {

using enum Metric;

constexpr OTF2_IoHandleRef kOutput = 0, kDescriptor = 1, kStream = 2, kAgain = 3, kCopy = 4;

void define_files(OTF2_GlobalDefWriter* writer) {
  const char* const strings[] = {"fopen", "fwrite",    "read", "data.bin", "stdout",
                                 "POSIX", "POSIX I/O", "ISOC", "ISO C I/O"};
  for (std::uint32_t i = 0; i < std::size(strings); ++i) OTF2_GlobalDefWriter_WriteString(writer, 100 + i, strings[i]);
  for (std::uint32_t i = 0; i < 3; ++i)
    OTF2_GlobalDefWriter_WriteRegion(writer, 2 + i, 100 + i, 100 + i, 0,
                                     i == 0 ? OTF2_REGION_ROLE_FILE_IO_METADATA : OTF2_REGION_ROLE_FILE_IO,
                                     OTF2_PARADIGM_NONE, OTF2_REGION_FLAG_NONE, 0, 0, 0);
  for (std::uint32_t i = 0; i < 2; ++i)
    OTF2_GlobalDefWriter_WriteIoParadigm(writer, i, 105 + 2 * i, 106 + 2 * i, OTF2_IO_PARADIGM_CLASS_SERIAL,
                                         OTF2_IO_PARADIGM_FLAG_NONE, 0, nullptr, nullptr, nullptr);
  OTF2_GlobalDefWriter_WriteIoRegularFile(writer, 0, 103, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
  const auto handle = [writer](OTF2_IoHandleRef self, OTF2_IoFileRef file, OTF2_IoParadigmRef paradigm,
                               OTF2_IoHandleFlag flags, OTF2_IoHandleRef parent) {
    OTF2_GlobalDefWriter_WriteIoHandle(writer, self, self == kOutput ? 104 : 0, file, paradigm, flags,
                                       OTF2_UNDEFINED_COMM, parent);
  };
  handle(kOutput, OTF2_UNDEFINED_IO_FILE, 0, OTF2_IO_HANDLE_FLAG_PRE_CREATED, OTF2_UNDEFINED_IO_HANDLE);
  handle(kDescriptor, 0, 0, OTF2_IO_HANDLE_FLAG_NONE, OTF2_UNDEFINED_IO_HANDLE);
  handle(kStream, 0, 1, OTF2_IO_HANDLE_FLAG_NONE, kDescriptor);
  handle(kAgain, 0, 0, OTF2_IO_HANDLE_FLAG_NONE, OTF2_UNDEFINED_IO_HANDLE);
  handle(kCopy, 0, 0, OTF2_IO_HANDLE_FLAG_NONE, OTF2_UNDEFINED_IO_HANDLE);
  OTF2_GlobalDefWriter_WriteIoPreCreatedHandleState(writer, kOutput, OTF2_IO_ACCESS_MODE_WRITE_ONLY,
                                                    OTF2_IO_STATUS_FLAG_NONE);
}

constexpr OTF2_RegionRef kFopen = 2, kFwrite = 3, kRead = 4;

void transfer(OTF2_EvtWriter* writer, OTF2_TimeStamp time, OTF2_RegionRef region, OTF2_IoHandleRef handle,
              OTF2_IoOperationMode mode, std::uint64_t wanted, std::uint64_t done) {
  OTF2_EvtWriter_Enter(writer, nullptr, time, region);
  OTF2_EvtWriter_IoOperationBegin(writer, nullptr, time, handle, mode, OTF2_IO_OPERATION_FLAG_NONE, wanted, 0);
  OTF2_EvtWriter_IoOperationComplete(writer, nullptr, time + 10, handle, done, 0);
  OTF2_EvtWriter_Leave(writer, nullptr, time + 10, region);
}

// What a stream does with its descriptor is part of the operation on the stream.
void write_through(OTF2_EvtWriter* writer, OTF2_TimeStamp time, OTF2_IoHandleRef below, std::uint64_t bytes) {
  OTF2_EvtWriter_Enter(writer, nullptr, time, kFwrite);
  OTF2_EvtWriter_IoOperationBegin(writer, nullptr, time, kStream, OTF2_IO_OPERATION_MODE_WRITE,
                                  OTF2_IO_OPERATION_FLAG_NONE, bytes, 0);
  transfer(writer, time + 1, kRead, below, OTF2_IO_OPERATION_MODE_WRITE, bytes, bytes);
  OTF2_EvtWriter_IoOperationComplete(writer, nullptr, time + 12, kStream, bytes, 0);
  OTF2_EvtWriter_Leave(writer, nullptr, time + 12, kFwrite);
}

// Writes 64 and 36 bytes to data.bin through a stream, and reads 100 through another descriptor and its copy. A read
// fails, and 5 bytes go to the standard output.
void write_events(OTF2_EvtWriter* writer, std::uint64_t) {
  OTF2_EvtWriter_Enter(writer, nullptr, 100, 0);
  OTF2_EvtWriter_Enter(writer, nullptr, 110, kFopen);
  OTF2_EvtWriter_IoCreateHandle(writer, nullptr, 115, kDescriptor, OTF2_IO_ACCESS_MODE_WRITE_ONLY,
                                OTF2_IO_CREATION_FLAG_CREATE, OTF2_IO_STATUS_FLAG_NONE);
  OTF2_EvtWriter_IoCreateHandle(writer, nullptr, 120, kStream, OTF2_IO_ACCESS_MODE_WRITE_ONLY,
                                OTF2_IO_CREATION_FLAG_CREATE, OTF2_IO_STATUS_FLAG_NONE);
  OTF2_EvtWriter_Leave(writer, nullptr, 120, kFopen);
  transfer(writer, 130, kFwrite, kStream, OTF2_IO_OPERATION_MODE_WRITE, 64, 64);
  transfer(writer, 150, kFwrite, kStream, OTF2_IO_OPERATION_MODE_WRITE, 40, 36);
  OTF2_EvtWriter_IoDestroyHandle(writer, nullptr, 160, kStream);
  OTF2_EvtWriter_IoDuplicateHandle(writer, nullptr, 165, kAgain, kCopy, OTF2_IO_STATUS_FLAG_NONE);
  transfer(writer, 170, kRead, kAgain, OTF2_IO_OPERATION_MODE_READ, 60, 60);
  transfer(writer, 190, kRead, kCopy, OTF2_IO_OPERATION_MODE_READ, 60, 40);
  transfer(writer, 210, kRead, kCopy, OTF2_IO_OPERATION_MODE_READ, 60, OTF2_UNDEFINED_UINT64);
  OTF2_EvtWriter_IoSeek(writer, nullptr, 225, kCopy, -4, OTF2_IO_SEEK_FROM_END, 96);
  OTF2_EvtWriter_IoDeleteFile(writer, nullptr, 226, 0, 0);
  transfer(writer, 230, kFwrite, kOutput, OTF2_IO_OPERATION_MODE_WRITE, 5, 5);
  OTF2_EvtWriter_Leave(writer, nullptr, 260, 0);
}

void write_layered_events(OTF2_EvtWriter* writer, std::uint64_t) {
  OTF2_EvtWriter_Enter(writer, nullptr, 100, 0);
  write_through(writer, 110, kDescriptor, 64);
  write_through(writer, 130, kOutput, 3);  // another file
  transfer(writer, 150, kRead, kDescriptor, OTF2_IO_OPERATION_MODE_WRITE, 7, 7);
  OTF2_EvtWriter_Leave(writer, nullptr, 260, 0);
}

TEST(ForeignFiles, CountOnceWhereLayersAreRecorded) {
  TempFolder folder;
  Otf2TestTrace trace;
  trace.events = write_layered_events;
  trace.definitions = define_files;
  auto source = open_otf2(trace.write(folder / "trace"));
  ASSERT_TRUE(source.ok()) << source.error().text();
  AnalysisOf found(*source.value());
  EXPECT_EQ(found.faults(), 0u);
  EXPECT_EQ(found.value(kIoBytesWritten, "main/fwrite", 0), 64 + 3);
  EXPECT_EQ(found.value(kIoBytesWritten, "main/fwrite/read", 0), 3);
  EXPECT_EQ(found.value(kIoOperations, "main/fwrite/read", 0), 1);
  EXPECT_EQ(found.value(kIoBytesWritten, "main/read", 0), 7);
  ASSERT_EQ(found.result().files.size(), 2u);
  EXPECT_EQ(found.result().files[0].bytes_written, 64 + 3 + 7u);
  EXPECT_EQ(found.result().files[0].writes, 3u);
  EXPECT_EQ(found.result().files[1].bytes_written, 3u);
}

TEST(ForeignFiles, AreCountedByNameAndByCallPath) {
  TempFolder folder;
  Otf2TestTrace trace;
  trace.events = write_events;
  trace.definitions = define_files;
  auto source = open_otf2(trace.write(folder / "trace"));
  ASSERT_TRUE(source.ok()) << source.error().text();
  AnalysisOf found(*source.value());
  EXPECT_EQ(found.faults(), 0u);
  EXPECT_EQ(found.value(kIoOperations, "main/fwrite", 0), 3);
  EXPECT_EQ(found.value(kIoBytesWritten, "main/fwrite", 0), 105);
  EXPECT_EQ(found.value(kIoOperations, "main/read", 0), 3);
  EXPECT_EQ(found.value(kIoBytesRead, "main/read", 0), 100);
  EXPECT_EQ(found.value(kIoTime, "main/read", 0), 30);
  EXPECT_EQ(found.value(kComputation, "main/fwrite", 0), 0);

  const FileTable& files = found.result().files;
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0].name, "data.bin");
  EXPECT_EQ(files[0].opens, 2u);
  EXPECT_EQ(files[0].reads, 3u);
  EXPECT_EQ(files[0].bytes_read, 100u);
  EXPECT_EQ(files[0].writes, 2u);
  EXPECT_EQ(files[0].bytes_written, 100u);
  EXPECT_EQ(files[1].name, "stdout");
  EXPECT_EQ(files[1].bytes_written, 5u);
  EXPECT_NEAR(files[1].seconds, 10e-6, 1e-12);
}

}  // namespace
}  // namespace tarry
