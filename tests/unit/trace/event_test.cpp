// event_test.cpp -- the table of event kinds says what event_kinds.def says.
#include "trace/event.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace tarry {
namespace {

std::string spell(const EventKindInfo& info) {
  std::string text;
  for (int i = 0; i < info.field_count; ++i) {
    const FieldInfo& field = info.fields[static_cast<std::size_t>(i)];
    text += (i > 0 ? " " : "") + std::string(field.name) + (field.is_optional ? "?" : "");
  }
  return text;
}

TEST(EventKinds, TableRepeatsTheDefinitionFile) {
#define TARRY_EVENT(code, identifier, text, fields)         \
  EXPECT_EQ(static_cast<int>(EventKind::identifier), code); \
  EXPECT_EQ(info_of(EventKind::identifier).name, text);     \
  EXPECT_EQ(spell(info_of(EventKind::identifier)), fields);
#include "trace/event_kinds.def"
#undef TARRY_EVENT
}

TEST(EventKinds, CodesOutOfUseHaveNoName) {
  EXPECT_EQ(info_of(EventKind::kNone).name, "");
  for (int code = kEventKindCount; code < 256; ++code) {
    EXPECT_EQ(info_of(static_cast<std::uint8_t>(code)).name, "");
    EXPECT_EQ(info_of(static_cast<std::uint8_t>(code)).field_count, 0);
  }
}

TEST(EventKinds, FieldsThatNameDefinitionsAreKnown) {
  const auto& end = info_of(EventKind::kMpiCollectiveEnd);
  EXPECT_EQ(end.fields[0].meaning, FieldMeaning::kPlain);
  EXPECT_EQ(end.fields[1].meaning, FieldMeaning::kComm);
  EXPECT_TRUE(end.fields[2].is_optional);
  EXPECT_EQ(info_of(EventKind::kEnter).fields[0].meaning, FieldMeaning::kRegion);
  EXPECT_EQ(info_of(EventKind::kLeave).fields[0].meaning, FieldMeaning::kRegion);
  EXPECT_EQ(info_of(EventKind::kRmaGroupSync).fields[1].meaning, FieldMeaning::kWindow);
}

TEST(CollectiveOp, NamesAreDistinctAndEndWithTheTable) {
  EXPECT_EQ(name_of(CollectiveOp::kAllgatherv), "allgatherv");
  EXPECT_EQ(name_of(CollectiveOp::kReduceScatterBlock), "reduce_scatter_block");
  EXPECT_EQ(static_cast<int>(CollectiveOp::kScan), 14);
  std::set<std::string_view> names;
  const auto count = static_cast<int>(CollectiveOp::kDestroyHandleAndDeallocate) + 1;
  for (int op = 0; op < count; ++op) names.insert(name_of(static_cast<CollectiveOp>(op)));
  EXPECT_EQ(names.size(), static_cast<std::size_t>(count));
  EXPECT_EQ(name_of(static_cast<CollectiveOp>(count)), "");
}

}  // namespace
}  // namespace tarry
