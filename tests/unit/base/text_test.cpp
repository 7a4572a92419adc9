// text_test.cpp -- text as machines read it.
#include "base/text/text.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace tarry {
namespace {

TEST(Text, ExactNumbersReadBackAsTheSame) {
  EXPECT_EQ(exact_number(0.5), "0.5");
  for (const double value : {0.1, 1.0 / 3, 1e-300, 123456789.123456789, -4.0}) {
    EXPECT_EQ(std::strtod(exact_number(value).c_str(), nullptr), value);
  }
}

TEST(Text, FortranSpellingsBecomePlain) {
  EXPECT_EQ(plain_name("MPI_SEND__"), "mpi_send");
  EXPECT_EQ(plain_name("__"), "");
  EXPECT_TRUE(is_one_of("b", {"a", "b"}));
  EXPECT_FALSE(is_one_of("", {"a", "b"}));
}

}  // namespace
}  // namespace tarry
