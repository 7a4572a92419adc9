// folded_calls_test.cpp -- calls that are recorded together: what closes a fold, and what is recorded of it then.
#include "measure/core/folded_calls.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <filesystem>
#include <map>
#include <thread>

#include "archive/profile_codec.hpp"
#include "measure/compiler/function_recorder.hpp"
#include "measure/core/recorder.hpp"
#include "measure/core/runtime_state.hpp"
#include "trace/container.hpp"

namespace tarry::measure {
namespace {

constexpr std::uint32_t kMain = 0, kTestRegion = 1, kProbeRegion = 2, kOther = 3;
constexpr auto kTest = FoldedFunction::kTest;
constexpr auto kProbe = FoldedFunction::kProbe;

class FoldedCallsTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) / ("folded_calls." + std::to_string(::getpid()));
    std::filesystem::create_directory(folder_);
    pool_.open({.container = folder_ / "n.tev", .spool = folder_ / "n.1.spool", .memory = 16 << 20, .compression = 1});
    length_before_ = std::exchange(g_fold_length, Ticks{1} << 40);
    t_folded = {};
    t_thread = &thread;
    thread.traces = thread.summarises = true;
    thread.frames.open(100);
    thread.events.open(pool_, 0, 0, now());
    enter(thread, kMain, now());
  }
  void TearDown() override {
    t_thread = nullptr;
    g_fold_length = length_before_;
    std::filesystem::remove_all(folder_);
  }

  // As the entry points of MPI do it.
  void call_in_full(FoldedFunction function, std::uint32_t region) {
    ASSERT_TRUE(enter(thread, region, now()));
    put(thread, EventKind::kMpiRequestTest, now(), std::uint64_t{7});
    leave(thread, now());
    note_call_in_vain(function);
  }
  template <class During>
  bool call_in_fold(FoldedFunction function, std::uint32_t region, During during) {
    FoldedCall call;
    if (!may_join_fold(call, function) && !open_fold(call, function, region)) return false;
    join_fold(call);
    during(call);
    return count_in_fold();
  }
  bool call_in_fold(FoldedFunction function = kTest, std::uint32_t region = kTestRegion) {
    return call_in_fold(function, region, [](FoldedCall&) {});
  }
  void fold(int calls) {
    call_in_full(kTest, kTestRegion);
    for (int i = 0; i < calls; ++i) ASSERT_TRUE(call_in_fold());
    EXPECT_TRUE(thread.gate.has_fold());
  }

  // "E1 A3 L" of what is recorded behind the first ENTER: kinds by their first letters, with what matters of their
  // fields.
  std::string records() {
    if (!thread.is_finished) finish_thread(thread, now());
    pool_.flush_at_end();
    std::string text;
    Ticks last = 0;
    const auto file = Container::open(folder_ / "n.tev");
    EXPECT_TRUE(file.ok());
    for (const ChunkRef& chunk : file.value().chunks()) {
      if (chunk.header.kind != ChunkKind::kEvents) continue;
      std::vector<std::uint8_t> bytes;
      EXPECT_TRUE(file.value().load(chunk, kDecodePadding, bytes).ok());
      RecordDecoder decoder(bytes.data(), bytes.data() + bytes.size() - kDecodePadding, chunk.header.first_time);
      std::vector<Event> events(kBlockBytes);
      events.resize(decoder.decode(events.data(), events.size()));
      for (const Event& event : events) {
        EXPECT_GE(event.time, last);
        last = event.time;
        if (!text.empty()) text += ' ';
        switch (event.kind) {
          case EventKind::kEnter: text += "E" + std::to_string(event.fields[0]); break;
          case EventKind::kLeave: text += "L"; break;
          case EventKind::kAttribute: text += "A" + std::to_string(event.fields[1]); break;
          case EventKind::kMpiRequestTest: text += "T"; break;
          default: text += info_of(event.kind).name; break;
        }
      }
    }
    return text;
  }

  std::map<std::uint32_t, ProfileNode> profile() {
    if (!thread.is_finished) finish_thread(thread, now());
    ByteWriter bytes;
    thread.profile.encode(bytes);
    const auto decoded = decode_profile(bytes.bytes());
    EXPECT_TRUE(decoded.ok());
    std::map<std::uint32_t, ProfileNode> nodes;
    for (const ProfileNode& node : decoded.value().nodes) nodes[node.region] = node;
    return nodes;
  }

  Thread thread;

 private:
  std::filesystem::path folder_;
  BlockPool pool_;
  Ticks length_before_ = 0;
};

TEST_F(FoldedCallsTest, TheFirstCallIsRecordedInFullThoseBehindItTogether) {
  fold(5);
  EXPECT_EQ(records(), "E0 E1 T L E1 A5 L L");
  const auto nodes = profile();
  const ProfileNode& test = nodes.at(kTestRegion);
  EXPECT_EQ(test.visits, 6u);
  EXPECT_EQ(test.trace_events, 6u);
  EXPECT_LE(test.min_time, test.max_time);
  EXPECT_LE(test.max_time, test.time);
  EXPECT_LE(test.min_time * 6, test.time);
  EXPECT_GE(test.max_time * 6, test.time);
}

TEST_F(FoldedCallsTest, OneCallNeedsNoAttribute) {
  fold(1);
  EXPECT_EQ(records(), "E0 E1 T L E1 L L");
  EXPECT_EQ(profile().at(kTestRegion).visits, 2u);
}

TEST_F(FoldedCallsTest, WithoutACallInVainBeforeNothingIsFolded) {
  EXPECT_FALSE(call_in_fold());
  call_in_full(kProbe, kProbeRegion);
  EXPECT_FALSE(call_in_fold()) << "of another function";
  enter(thread, kOther, now());
  leave(thread, now());
  EXPECT_FALSE(call_in_fold(kProbe, kProbeRegion)) << "another event came between";
  EXPECT_FALSE(thread.gate.has_fold());
}

TEST_F(FoldedCallsTest, NothingIsFoldedWithCountersPausedOrSwitchedOff) {
  call_in_full(kTest, kTestRegion);
  thread.gate.pause();
  EXPECT_FALSE(call_in_fold());
  thread.gate.resume();
  const Ticks length = std::exchange(g_fold_length, 0);
  EXPECT_FALSE(call_in_fold());
  g_fold_length = length;
  thread.gate.count();
  EXPECT_FALSE(call_in_fold());
}

TEST_F(FoldedCallsTest, EachKindOfStepClosesTheFoldFirst) {
  fold(3);
  enter(thread, kOther, now());
  leave(thread, now());
  fold(2);
  put(thread, EventKind::kThreadTeamBegin, now(), std::uint64_t{1});
  fold(4);
  call_in_full(kProbe, kProbeRegion);
  fold(6);
  leave(thread, now());
  EXPECT_EQ(records(),
            "E0 E1 T L E1 A3 L E3 L E1 T L E1 A2 L THREAD_TEAM_BEGIN E1 T L E1 A4 L E2 T L E1 T L E1 A6 L L");
}

TEST_F(FoldedCallsTest, FunctionsCloseItFirst) {
  const auto stack = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  fold(3);
  record_enter({.frame = 1000, .key = 1000, .stack = stack, .is_user = false}, kOther);
  fold(2);
  record_leave({.frame = 1000, .stack = stack, .is_user = false});
  EXPECT_EQ(records(), "E0 E1 T L E1 A3 L E3 E1 T L E1 A2 L L L");
}

TEST_F(FoldedCallsTest, APausedThreadWritesItsFoldWhenARegionEnds) {
  fold(3);
  thread.gate.pause();
  EXPECT_FALSE(enter(thread, kOther, now()));
  leave(thread, now());
  EXPECT_EQ(records(), "E0 E1 T L E1 A3 L L");
}

TEST_F(FoldedCallsTest, AFoldThatIsOldGivesWayToTheNext) {
  g_fold_length = 1;
  call_in_full(kTest, kTestRegion);
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(call_in_fold());
    std::this_thread::sleep_for(std::chrono::microseconds(1));
  }
  EXPECT_EQ(records(), "E0 E1 T L E1 L E1 L E1 L L");
}

TEST_F(FoldedCallsTest, ACallThatFindsSomethingIsEnteredWhereItBegan) {
  fold(3);
  const std::uint32_t depth = thread.depth;
  call_in_fold(kTest, kTestRegion, [&](FoldedCall& call) {
    end_fold(thread);
    EXPECT_TRUE(thread.frames.is_call_on_top(call.stack()));
    EXPECT_EQ(thread.depth, depth + 1);
    thread.frames.pop();
    leave(thread, now());
  });
  EXPECT_EQ(records(), "E0 E1 T L E1 A3 L E1 L L");
  EXPECT_EQ(profile().at(kTestRegion).visits, 5u);
}

TEST_F(FoldedCallsTest, AHandlersEventsStandInsideTheCallItHasInterrupted) {
  fold(3);
  EXPECT_FALSE(call_in_fold(kTest, kTestRegion, [&](FoldedCall&) {
    enter(thread, kOther, now());
    leave(thread, now());
  })) << "it does not notice";
  EXPECT_FALSE(thread.gate.has_fold());
  thread.frames.pop();
  leave(thread, now());
  EXPECT_EQ(records(), "E0 E1 T L E1 A3 L E1 E3 L L L");
}

TEST_F(FoldedCallsTest, AHandlerBeforeTheCallIsUnderWayLeavesItToNotice) {
  fold(2);
  FoldedCall call;
  ASSERT_TRUE(may_join_fold(call, kTest));
  enter(thread, kOther, now());
  leave(thread, now());
  join_fold(call);
  EXPECT_FALSE(count_in_fold());
  EXPECT_EQ(records(), "E0 E1 T L E1 A2 L E3 L L");
}

TEST_F(FoldedCallsTest, AHandlerBeforeTheCallIsCountedCountsIt) {
  fold(2);
  FoldedCall call;
  ASSERT_TRUE(may_join_fold(call, kTest));
  join_fold(call);
  ASSERT_FALSE(folding::add_at_once(t_folded.sum, folding::half_ticks() + 1));
  end_fold(thread);
  folding::count_at_once(t_folded.calls);
  EXPECT_EQ(records(), "E0 E1 T L E1 A3 L L");
}

TEST_F(FoldedCallsTest, NoFoldIsOpenedInsideACall) {
  fold(1);
  call_in_fold(kTest, kTestRegion, [&](FoldedCall& call) {
    call_in_full(kProbe, kProbeRegion);
    EXPECT_FALSE(call_in_fold(kProbe, kProbeRegion));
    EXPECT_TRUE(thread.frames.is_call_on_top(call.stack()));
  });
  EXPECT_EQ(records(), "E0 E1 T L E1 L E1 E2 T L L L");
}

TEST_F(FoldedCallsTest, TheEndOfTheRecordingWritesTheFoldAndTheCallUnderWay) {
  fold(3);
  call_in_fold(kTest, kTestRegion, [&](FoldedCall&) { finish_thread(thread, now()); });
  EXPECT_EQ(records(), "E0 E1 T L E1 A3 L E1 L L");
}

TEST_F(FoldedCallsTest, AJumpOutOfTheCallEndsIt) {
  fold(3);
  call_in_fold(kTest, kTestRegion, [&](FoldedCall& call) { close_frames_below(call.stack() + 64); });
  EXPECT_EQ(thread.depth, 1u);
  EXPECT_EQ(records(), "E0 E1 T L E1 A3 L E1 L L");
}

// ---- a timer's handler at any instruction

Thread* g_interrupted = nullptr;
volatile int g_handled = 0;

void record_in_handler(int) {
  const Ticks time = now();
  if (!g_interrupted || !enter(*g_interrupted, kOther, time)) return;
  leave(*g_interrupted, now());
  g_handled = g_handled + 1;
}

TEST_F(FoldedCallsTest, CountsAreRightWhereverAHandlerInterrupts) {
  struct sigaction action = {}, before;
  action.sa_handler = record_in_handler;
  ASSERT_EQ(::sigaction(SIGALRM, &action, &before), 0);
  g_interrupted = &thread;
  g_handled = 0;
  const itimerval period{{0, 50}, {0, 50}}, none{};
  ::setitimer(ITIMER_REAL, &period, nullptr);
  std::uint64_t calls = 0;
  while (g_handled < 3000) {
    ++calls;
    FoldedCall call;
    if (may_join_fold(call, kTest) || open_fold(call, kTest, kTestRegion)) {
      join_fold(call);
      if (count_in_fold()) continue;
      const bool is_entered = thread.frames.is_call_on_top(call.stack());
      if (is_entered) {
        thread.frames.pop();
      } else {
        while (!enter(thread, kTestRegion, now())) continue;
      }
      leave(thread, now());
    } else {
      enter(thread, kTestRegion, now());
      leave(thread, now());
      note_call_in_vain(kTest);
    }
  }
  ::setitimer(ITIMER_REAL, &none, nullptr);
  ::sigaction(SIGALRM, &before, nullptr);
  g_interrupted = nullptr;
  const auto nodes = profile();
  EXPECT_EQ(nodes.at(kTestRegion).visits, calls);
  std::uint64_t visits = 0;
  std::string text = records();
  for (std::size_t at = 0; (at = text.find("E1", at)) != std::string::npos; ++at)
    visits += text.compare(at + 2, 2, " A") == 0 ? std::strtoull(text.c_str() + at + 4, nullptr, 10) : 1;
  EXPECT_EQ(visits, calls);
}

}  // namespace
}  // namespace tarry::measure
