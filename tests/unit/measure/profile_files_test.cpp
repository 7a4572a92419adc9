// profile_files_test.cpp -- operations and time of each file.
#include "measure/core/profile_files.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "archive/profile/profile_codec.hpp"
#include "measure/core/profile_tree.hpp"

namespace tarry::measure {
namespace {

TEST(ProfileFiles, FilesHaveTheTimeOfTheirRecords) {
  constexpr IoHandleId kFile{7};
  ProfileTree tree;
  tree.enter(0, RegionId(0));
  tree.enter(100, RegionId(1));
  tree.count_record(100, record::IoOperationBegin{.handle = kFile, .mode = 0, .flags = 0, .matching = 0});
  tree.count_record(130, record::IoOperationComplete{.handle = kFile, .bytes = 64, .matching = 0});
  tree.count_file_operation(kFile, false, 64);
  tree.count_record(135, record::IoDestroyHandle{.handle = kFile});
  tree.leave(140);
  tree.enter(150, RegionId(2));
  tree.count_record(153, record::IoCreateHandle{.handle = kFile, .access = 0, .creation_flags = 0, .status_flags = 0});
  tree.leave(153);
  for (std::uint32_t file = 10; file < kMostFiles + 20; ++file) tree.count_file_operation(IoHandleId(file), true, 1);
  tree.leave(200);
  ByteWriter bytes;
  tree.encode(bytes);
  const auto profile = decode_profile(bytes.bytes());
  ASSERT_TRUE(profile.ok());
  const std::vector<FileCount>& files = profile.value().files;
  ASSERT_EQ(files.size(), kMostFiles + 1);
  EXPECT_EQ(files[0], (FileCount{.writes = 11, .bytes_written = 11}));  // all others
  EXPECT_EQ(files.back(), (FileCount{.file = 7, .opens = 1, .reads = 1, .bytes_read = 64, .time = 38}));
  EXPECT_EQ(profile.value().nodes[1].transfers[Transfer::kFileOperations], 1u);
}

}  // namespace
}  // namespace tarry::measure
