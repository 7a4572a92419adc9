// text_columns_test.cpp -- COLUMNS, else the terminal, else whole lines.
#include "base/text/text_columns.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace tarry {
namespace {

class TextColumns : public testing::Test {
 protected:
  ~TextColumns() override { ::unsetenv("COLUMNS"); }

  static std::size_t with(const char* columns, int descriptor) {
    if (columns) ::setenv("COLUMNS", columns, 1);
    else ::unsetenv("COLUMNS");
    return text_columns(descriptor);
  }
};

TEST_F(TextColumns, AreThoseThatTheUserWants) {
  const int file = ::open("/dev/null", O_WRONLY);
  EXPECT_EQ(with("72", file), 72u);
  EXPECT_EQ(with("1", file), kLeastColumns);
  EXPECT_EQ(with("99999999", file), kWholeLine);
  EXPECT_EQ(with("99999999999999999999999", file), kWholeLine);
  ::close(file);
}

TEST_F(TextColumns, AreUnlimitedWithoutTerminal) {
  const int file = ::open("/dev/null", O_WRONLY);
  for (const char* columns : {(const char*)nullptr, "", "abc", "0", "-5", "80x", " 80"})
    EXPECT_EQ(with(columns, file), kWholeLine) << (columns ? columns : "unset");
  ::close(file);
}

TEST_F(TextColumns, AreThoseOfTheTerminal) {
  int ours = -1, theirs = -1;
  if (::openpty(&ours, &theirs, nullptr, nullptr, nullptr) != 0) GTEST_SKIP() << "no pseudo-terminals here";
  EXPECT_EQ(with(nullptr, theirs), 80u);
  const winsize size{50, 133, 0, 0};
  ASSERT_EQ(::ioctl(theirs, TIOCSWINSZ, &size), 0);
  EXPECT_EQ(with(nullptr, theirs), 133u);
  EXPECT_EQ(with("abc", theirs), 133u);
  EXPECT_EQ(with("90", theirs), 90u);
  ::close(ours);
  ::close(theirs);
}

}  // namespace
}  // namespace tarry
