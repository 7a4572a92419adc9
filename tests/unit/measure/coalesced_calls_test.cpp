// coalesced_calls_test.cpp -- calls that are recorded together: what closes a visit, and what is recorded of it then.
#include "measure/callpath/coalesced_calls.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <filesystem>
#include <map>

#include "archive/profile/profile_codec.hpp"
#include "measure/callpath/gone_frames.hpp"
#include "measure/compiler/function_recorder.hpp"
#include "measure/core/runtime_state.hpp"
#include "trace/container.hpp"

namespace tarry::measure {
namespace {

constexpr RegionId kMain{0}, kTestRegion{1}, kProbeRegion{2}, kOther{3};
constexpr auto kTest = CoalescedFunction::kTest;
constexpr auto kProbe = CoalescedFunction::kProbe;

class CoalescedCallsTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) / ("coalesced_calls." + std::to_string(::getpid()));
    std::filesystem::create_directory(folder_);
    pool_.open({.container = folder_ / "n.tev", .spool = folder_ / "n.1.spool", .memory = 16 << 20, .compression = 1});
    length_before_ = std::exchange(g_coalesced_length, Ticks{1} << 40);
    t_coalesced = {};
    t_thread = &thread;
    thread.traces = thread.summarises = true;
    thread.frames.open(100);
    thread.events.open(pool_, WorldRank(0), 0, now());
    enter(thread, kMain, now());
  }
  void TearDown() override {
    t_thread = nullptr;
    g_coalesced_length = length_before_;
    std::filesystem::remove_all(folder_);
  }

  // As the entry points of MPI do it.
  void call_in_full(CoalescedFunction function, RegionId region) {
    ASSERT_TRUE(enter(thread, region, now()));
    put(thread, now(), record::MpiRequestTest{.request = 7});
    leave(thread, now());
    note_unsuccessful_call(function);
  }
  template <class During>
  bool call_in_visit(CoalescedFunction function, RegionId region, During during) {
    CoalescedCall call;
    if (!may_join_visit(call, function) && !open_coalesced_visit(call, function, region)) return false;
    join_visit(call);
    during(call);
    return count_in_visit();
  }
  bool call_in_visit(CoalescedFunction function = kTest, RegionId region = kTestRegion) {
    return call_in_visit(function, region, [](CoalescedCall&) {});
  }
  void coalesce(int calls) {
    call_in_full(kTest, kTestRegion);
    for (int i = 0; i < calls; ++i) ASSERT_TRUE(call_in_visit());
    EXPECT_TRUE(thread.gate.has_coalesced_visit());
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
          case EventKind::kEnter: text += "E" + std::to_string(record_of<record::Enter>(event).region.value); break;
          case EventKind::kLeave: text += "L"; break;
          case EventKind::kAttribute: text += "A" + std::to_string(record_of<record::Attribute>(event).value); break;
          case EventKind::kMpiRequestTest: text += "T"; break;
          default: text += info_of(event.kind).name; break;
        }
      }
    }
    return text;
  }

  std::map<RegionId, ProfileNode> profile() {
    if (!thread.is_finished) finish_thread(thread, now());
    ByteWriter bytes;
    thread.profile.encode(bytes);
    const auto decoded = decode_profile(bytes.bytes());
    EXPECT_TRUE(decoded.ok());
    std::map<RegionId, ProfileNode> nodes;
    for (const ProfileNode& node : decoded.value().nodes) nodes[RegionId(node.region)] = node;
    return nodes;
  }

  Thread thread;

 private:
  std::filesystem::path folder_;
  BlockPool pool_;
  Ticks length_before_ = 0;
};

TEST_F(CoalescedCallsTest, TheFirstCallIsRecordedInFullThoseBehindItTogether) {
  coalesce(5);
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

TEST_F(CoalescedCallsTest, OneCallNeedsNoAttribute) {
  coalesce(1);
  EXPECT_EQ(records(), "E0 E1 T L E1 L L");
  EXPECT_EQ(profile().at(kTestRegion).visits, 2u);
}

TEST_F(CoalescedCallsTest, WithoutAnUnsuccessfulCallBeforeNothingIsCoalesced) {
  EXPECT_FALSE(call_in_visit());
  call_in_full(kProbe, kProbeRegion);
  EXPECT_FALSE(call_in_visit()) << "of another function";
  enter(thread, kOther, now());
  leave(thread, now());
  EXPECT_FALSE(call_in_visit(kProbe, kProbeRegion)) << "another event came between";
  EXPECT_FALSE(thread.gate.has_coalesced_visit());
}

TEST_F(CoalescedCallsTest, NothingIsCoalescedWithCountersPausedOrSwitchedOff) {
  call_in_full(kTest, kTestRegion);
  thread.gate.pause();
  EXPECT_FALSE(call_in_visit());
  thread.gate.resume();
  const Ticks length = std::exchange(g_coalesced_length, 0);
  EXPECT_FALSE(call_in_visit());
  g_coalesced_length = length;
  thread.gate.count();
  EXPECT_FALSE(call_in_visit());
}

TEST_F(CoalescedCallsTest, EachKindOfStepClosesTheVisitFirst) {
  coalesce(3);
  enter(thread, kOther, now());
  leave(thread, now());
  coalesce(2);
  put(thread, now(), record::ThreadTeamBegin{.team = TeamId(1)});
  coalesce(4);
  call_in_full(kProbe, kProbeRegion);
  coalesce(6);
  leave(thread, now());
  EXPECT_EQ(records(),
            "E0 E1 T L E1 A3 L E3 L E1 T L E1 A2 L THREAD_TEAM_BEGIN E1 T L E1 A4 L E2 T L E1 T L E1 A6 L L");
}

TEST_F(CoalescedCallsTest, FunctionsCloseItFirst) {
  const auto stack = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  coalesce(3);
  record_enter({.frame = 1000, .key = 1000, .stack = stack, .is_user = false}, kOther);
  coalesce(2);
  record_leave({.frame = 1000, .stack = stack, .is_user = false});
  EXPECT_EQ(records(), "E0 E1 T L E1 A3 L E3 E1 T L E1 A2 L L L");
}

TEST_F(CoalescedCallsTest, APausedThreadWritesItsVisitWhenARegionEnds) {
  coalesce(3);
  thread.gate.pause();
  EXPECT_FALSE(enter(thread, kOther, now()));
  leave(thread, now());
  EXPECT_EQ(records(), "E0 E1 T L E1 A3 L L");
}

TEST_F(CoalescedCallsTest, AVisitThatIsOldGivesWayToTheNext) {
  g_coalesced_length = 1;
  call_in_full(kTest, kTestRegion);
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(call_in_visit());
    for (const Ticks since = now(); now() < since + 10;) continue;  // a sleep would be recorded as blocked time
  }
  EXPECT_EQ(records(), "E0 E1 T L E1 L E1 L E1 L L");
}

TEST_F(CoalescedCallsTest, ACallThatFindsSomethingIsEnteredWhereItBegan) {
  coalesce(3);
  const std::uint32_t depth = thread.depth;
  call_in_visit(kTest, kTestRegion, [&](CoalescedCall& call) {
    end_coalesced_visit(thread);
    EXPECT_TRUE(thread.frames.is_call_on_top(call.stack()));
    EXPECT_EQ(thread.depth, depth + 1);
    thread.frames.pop();
    leave(thread, now());
  });
  EXPECT_EQ(records(), "E0 E1 T L E1 A3 L E1 L L");
  EXPECT_EQ(profile().at(kTestRegion).visits, 5u);
}

TEST_F(CoalescedCallsTest, AHandlersEventsStandInsideTheCallItHasInterrupted) {
  coalesce(3);
  EXPECT_FALSE(call_in_visit(kTest, kTestRegion, [&](CoalescedCall&) {
    enter(thread, kOther, now());
    leave(thread, now());
  })) << "it does not notice";
  EXPECT_FALSE(thread.gate.has_coalesced_visit());
  thread.frames.pop();
  leave(thread, now());
  EXPECT_EQ(records(), "E0 E1 T L E1 A3 L E1 E3 L L L");
}

TEST_F(CoalescedCallsTest, AHandlerBeforeTheCallIsUnderWayLeavesItToNotice) {
  coalesce(2);
  CoalescedCall call;
  ASSERT_TRUE(may_join_visit(call, kTest));
  enter(thread, kOther, now());
  leave(thread, now());
  join_visit(call);
  EXPECT_FALSE(count_in_visit());
  EXPECT_EQ(records(), "E0 E1 T L E1 A2 L E3 L L");
}

TEST_F(CoalescedCallsTest, AHandlerBeforeTheCallIsCountedCountsIt) {
  coalesce(2);
  CoalescedCall call;
  ASSERT_TRUE(may_join_visit(call, kTest));
  join_visit(call);
  ASSERT_FALSE(processor::add_at_once(t_coalesced.sum, processor::read_half_ticks() + 1));
  end_coalesced_visit(thread);
  processor::count_at_once(t_coalesced.calls);
  EXPECT_EQ(records(), "E0 E1 T L E1 A3 L L");
}

TEST_F(CoalescedCallsTest, NoVisitIsOpenedInsideACall) {
  coalesce(1);
  call_in_visit(kTest, kTestRegion, [&](CoalescedCall& call) {
    call_in_full(kProbe, kProbeRegion);
    EXPECT_FALSE(call_in_visit(kProbe, kProbeRegion));
    EXPECT_TRUE(thread.frames.is_call_on_top(call.stack()));
  });
  EXPECT_EQ(records(), "E0 E1 T L E1 L E1 E2 T L L L");
}

TEST_F(CoalescedCallsTest, TheEndOfTheRecordingWritesTheVisitAndTheCallUnderWay) {
  coalesce(3);
  call_in_visit(kTest, kTestRegion, [&](CoalescedCall&) { finish_thread(thread, now()); });
  EXPECT_EQ(records(), "E0 E1 T L E1 A3 L E1 L L");
}

TEST_F(CoalescedCallsTest, AJumpOutOfTheCallEndsIt) {
  coalesce(3);
  call_in_visit(kTest, kTestRegion, [&](CoalescedCall& call) { close_frames_below(call.stack() + 64); });
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

TEST_F(CoalescedCallsTest, CountsAreRightWhereverAHandlerInterrupts) {
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
    CoalescedCall call;
    if (may_join_visit(call, kTest) || open_coalesced_visit(call, kTest, kTestRegion)) {
      join_visit(call);
      if (count_in_visit()) continue;
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
      note_unsuccessful_call(kTest);
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
