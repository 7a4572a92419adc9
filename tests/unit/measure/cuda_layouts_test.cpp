// cuda_layouts_test.cpp -- the oldest type of each of CUPTI's records reads all newer ones that the header has.
#include <cupti.h>
#include <gtest/gtest.h>

#include <cstddef>

#include "tests/apps/cupti_records.h"

namespace {

template <class Old, class... Newer>
constexpr bool have_same_times() {
  return ((offsetof(Old, kind) == offsetof(Newer, kind) && offsetof(Old, start) == offsetof(Newer, start) &&
           offsetof(Old, end) == offsetof(Newer, end)) &&
          ...);
}

template <class Old, class... Newer>
constexpr bool have_same_stream() {
  return have_same_times<Old, Newer...>() && ((offsetof(Old, deviceId) == offsetof(Newer, deviceId) &&
                                               offsetof(Old, contextId) == offsetof(Newer, contextId) &&
                                               offsetof(Old, streamId) == offsetof(Newer, streamId) &&
                                               offsetof(Old, correlationId) == offsetof(Newer, correlationId)) &&
                                              ...);
}

template <class Old, class... Newer>
constexpr bool have_same_bytes() {
  return have_same_stream<Old, Newer...>() && ((offsetof(Old, bytes) == offsetof(Newer, bytes)) && ...);
}

template <class Old, class... Newer>
constexpr bool have_same_name() {
  return ((offsetof(Old, name) == offsetof(Newer, name)) && ...);
}

using FirstKernel = CUpti_ActivityKernel3;
using FirstCopy = CUpti_ActivityMemcpy;
using FirstMigration = CUpti_ActivityUnifiedMemoryCounter2;

TEST(CudaLayouts, Kernels) {
  EXPECT_TRUE((have_same_stream<FirstKernel, CUpti_ActivityKernel4, CUpti_ActivityKernel5, CUpti_ActivityKernel6,
                                CUpti_ActivityKernel7, CUpti_ActivityKernel8, CUpti_ActivityKernel9, KernelRecord>()));
  EXPECT_TRUE((have_same_name<FirstKernel, CUpti_ActivityKernel4, CUpti_ActivityKernel5, CUpti_ActivityKernel6,
                              CUpti_ActivityKernel7, CUpti_ActivityKernel8, CUpti_ActivityKernel9, KernelRecord>()));
}

TEST(CudaLayouts, RecordsBeforeCuda7AreOthers) {
  EXPECT_FALSE((have_same_stream<FirstKernel, CUpti_ActivityKernel2>()));
  EXPECT_NE(offsetof(FirstMigration, value), offsetof(CUpti_ActivityUnifiedMemoryCounter, value));
}

TEST(CudaLayouts, CopiesAndFills) {
  EXPECT_TRUE((have_same_bytes<FirstCopy, CUpti_ActivityMemcpy3, CUpti_ActivityMemcpy4, CopyRecord>()));
  EXPECT_EQ(offsetof(FirstCopy, copyKind), offsetof(CopyRecord, copyKind));
  EXPECT_TRUE((have_same_bytes<CUpti_ActivityMemcpyPtoP, CUpti_ActivityMemcpyPtoP2, CUpti_ActivityMemcpyPtoP3,
                               PeerCopyRecord>()));
  EXPECT_TRUE((have_same_bytes<CUpti_ActivityMemset, CUpti_ActivityMemset2, CUpti_ActivityMemset3, FillRecord>()));
}

TEST(CudaLayouts, Migrations) {
  EXPECT_TRUE((have_same_times<FirstMigration, MigrationRecord>()));
  EXPECT_EQ(offsetof(FirstMigration, counterKind), offsetof(MigrationRecord, counterKind));
  EXPECT_EQ(offsetof(FirstMigration, value), offsetof(MigrationRecord, value));
  EXPECT_EQ(offsetof(FirstMigration, srcId), offsetof(MigrationRecord, srcId));
  EXPECT_EQ(offsetof(FirstMigration, dstId), offsetof(MigrationRecord, dstId));
}

TEST(CudaLayouts, Devices) {
  EXPECT_TRUE((have_same_name<CUpti_ActivityDevice2, CUpti_ActivityDevice3, CUpti_ActivityDevice4, DeviceRecord>()));
  EXPECT_EQ(offsetof(CUpti_ActivityDevice2, id), offsetof(DeviceRecord, id));
}

}  // namespace
