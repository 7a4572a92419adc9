// text_hash_test.cpp -- the published values of FNV-1a.
#include "base/text/text_hash.hpp"

#include <gtest/gtest.h>

namespace tarry {
namespace {

TEST(HashText, IsFnv1a) {
  EXPECT_EQ(hash_text(""), 0xcbf29ce484222325u);
  EXPECT_EQ(hash_text("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(hash_text("foobar"), 0x85944171f73967e8u);
}

TEST(HashText, GoesOnWhereAnotherTextEnded) { EXPECT_EQ(hash_text("bar", hash_text("foo")), hash_text("foobar")); }

}  // namespace
}  // namespace tarry
