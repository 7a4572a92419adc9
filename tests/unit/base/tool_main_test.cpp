// tool_main_test.cpp -- exceptions and limits become one line and status 1; a command that is started sees no change.
#include "base/tool/tool_main.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <future>
#include <new>
#include <stdexcept>
#include <system_error>

#include "base/files/limit_signals.hpp"
#include "base/files/temporary_file.hpp"
#include "base/processes/worker_pool.hpp"

namespace tarry {
namespace {

Error message_of(const std::exception_ptr& exception) { return error_of(exception); }

TEST(ToolMain, SaysWhatWasShortAndWhereMoreComesFrom) {
  EXPECT_EQ(message_of(std::make_exception_ptr(std::bad_alloc())).why, "there is not enough memory");
  EXPECT_EQ(message_of(std::make_exception_ptr(std::length_error("vector"))).why, "there is not enough memory");
  const auto threads = std::make_error_code(std::errc::resource_unavailable_try_again);
  EXPECT_EQ(message_of(std::make_exception_ptr(std::system_error(threads))).why, "no more threads can be started");
  const auto none = std::make_error_code(std::errc::no_such_file_or_directory);
  const Error file = message_of(std::make_exception_ptr(std::filesystem::filesystem_error("x", "run/events", none)));
  EXPECT_EQ(file.what, "run/events");
  EXPECT_EQ(file.why, "No such file or directory");
  EXPECT_NE(message_of(std::make_exception_ptr(std::logic_error("odd"))).hint.find("report it"), std::string::npos);
  EXPECT_NE(message_of(std::make_exception_ptr(1)).hint.find("report it"), std::string::npos);
}

TEST(ToolMain, NamesTheInputOnceItIsKnown) {
  EXPECT_EQ(message_of(std::make_exception_ptr(std::bad_alloc())).what, "memory");
  set_subject("run");
  EXPECT_EQ(message_of(std::make_exception_ptr(std::bad_alloc())).what, "run");
  set_subject("");
}

TEST(ToolMain, AnExceptionIsStatusOne) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(tool_main("replay", 0, nullptr, [](int, char**) -> int { throw std::bad_alloc(); }), 1);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "tarry-replay: memory: there is not enough memory (allow more: ulimit -v)\n");
  EXPECT_EQ(tool_main("replay", 0, nullptr, [](int, char**) { return 7; }), 7);
}

// What no caller can catch ends the process with one line, and no file that was being written stays.
TEST(ToolMainDeathTest, WhatLeavesAThreadEndsWithStatusOne) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const std::string path = testing::TempDir() + "tool_main_draft";
  EXPECT_EXIT(
      {
        auto draft = create_file_beside(path);
        std::thread([] { throw std::length_error("x"); }).join();
      },
      testing::ExitedWithCode(1), "there is not enough memory");
  for (const auto& entry : std::filesystem::directory_iterator(testing::TempDir()))
    EXPECT_FALSE(entry.path().string().starts_with(path)) << entry.path();
}

TEST(ToolMainDeathTest, TheLimitOfProcessorTimeIsOneLine) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(std::raise(SIGXCPU), testing::ExitedWithCode(1), "limit of processor time");
}

TEST(LimitSignals, ACommandFindsThemAsTheToolDid) {
  const int status = [] {
    const pid_t child = ::fork();
    if (child == 0) {
      restore_write_signals();
      std::signal(SIGPIPE, SIG_DFL);
      std::signal(SIGXFSZ, SIG_IGN);
      ignore_write_signals();
      const sigset_t changed = changed_write_signals();
      const bool is_right = sigismember(&changed, SIGPIPE) && !sigismember(&changed, SIGXFSZ);
      const bool is_ignored = std::signal(SIGPIPE, SIG_IGN) == SIG_IGN;
      restore_write_signals();
      const bool is_restored = std::signal(SIGPIPE, SIG_DFL) == SIG_DFL && std::signal(SIGXFSZ, SIG_IGN) == SIG_IGN;
      ::_exit(is_right && is_ignored && is_restored ? 0 : 1);
    }
    int how = -1;
    ::waitpid(child, &how, 0);
    return how;
  }();
  EXPECT_EQ(status, 0);
}

TEST(DraftFile, GoesUnlessItIsKept) {
  const std::string path = testing::TempDir() + "kept_draft";
  std::string lost, kept;
  try {
    auto draft = create_file_beside(path);
    ASSERT_TRUE(draft.ok());
    lost = draft->name();
    throw std::bad_alloc();
  } catch (const std::bad_alloc&) {
  }
  EXPECT_FALSE(path_exists(lost));
  auto draft = create_file_beside(path);
  kept = draft->name();
  EXPECT_TRUE(draft->keep_as(path).ok());
  EXPECT_FALSE(path_exists(kept));
  EXPECT_TRUE(path_exists(path));
  std::filesystem::remove(path);
}

TEST(InBackground, GivesTheResultOfTheWork) {
  const std::string text(100, 'x');
  EXPECT_EQ(in_background([text] { return text; }).get(), text);
}

}  // namespace
}  // namespace tarry
