// event_test.cpp -- the table of event kinds says what event_kinds.def says.
#include "trace/event.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

namespace tarry {
namespace {

std::string spell(const EventKindInfo& info) {
  std::string text;
  for (int i = 0; i < info.field_count; ++i) {
    const FieldInfo& field = info.fields[static_cast<std::size_t>(i)];
    text += " " + std::string(field.name) + (field.is_optional ? "?" : "");
  }
  return text;
}

TEST(EventKinds, TableRepeatsTheDefinitionFile) {
#define TARRY_FIELD(type, name) " " #name
#define TARRY_OPTIONAL(type, name) " " #name "?"
#define TARRY_EVENT(code, Name, text, fields)            \
  EXPECT_EQ(static_cast<int>(EventKind::k##Name), code); \
  EXPECT_EQ(info_of(EventKind::k##Name).name, text);     \
  EXPECT_EQ(spell(info_of(EventKind::k##Name)), "" fields);
#include "trace/event_kinds.def"
#undef TARRY_EVENT
#undef TARRY_OPTIONAL
#undef TARRY_FIELD
}

TEST(EventKinds, CodesOutOfUseHaveNoName) {
  EXPECT_EQ(info_of(EventKind::kNone).name, "");
  for (int code = kEventKindCount; code < 256; ++code) {
    EXPECT_EQ(info_of(static_cast<std::uint8_t>(code)).name, "");
    EXPECT_EQ(info_of(static_cast<std::uint8_t>(code)).field_count, 0);
  }
}

FieldInfo field_named(EventKind kind, std::string_view name) {
  const auto& fields = info_of(kind).fields;
  const auto found =
      std::find_if(fields.begin(), fields.end(), [&](const FieldInfo& field) { return field.name == name; });
  EXPECT_NE(found, fields.end()) << name;
  return found == fields.end() ? FieldInfo() : *found;
}

TEST(EventKinds, FieldsThatNameDefinitionsAreKnown) {
  EXPECT_EQ(field_named(EventKind::kMpiCollectiveEnd, "operation").meaning, FieldMeaning::kPlain);
  EXPECT_EQ(field_named(EventKind::kMpiCollectiveEnd, "comm").meaning, FieldMeaning::kComm);
  EXPECT_TRUE(field_named(EventKind::kMpiCollectiveEnd, "root").is_optional);
  EXPECT_EQ(field_named(EventKind::kEnter, "region").meaning, FieldMeaning::kRegion);
  EXPECT_EQ(field_named(EventKind::kLeave, "region").meaning, FieldMeaning::kRegion);
  EXPECT_EQ(field_named(EventKind::kRmaGroupSync, "window").meaning, FieldMeaning::kWindow);
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
