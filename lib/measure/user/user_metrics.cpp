// user_metrics.cpp -- metrics that the program counts itself: their names, and the records of their values.
#include "measure/user/user_metrics.hpp"

#include <algorithm>
#include <bit>

#include "measure/callpath/steps.hpp"
#include "measure/core/hook.hpp"
#include "measure/core/loaded_object.hpp"
#include "measure/core/runtime.hpp"
#include "measure/core/say.hpp"
#include "measure/user/name_table.hpp"
#include "measure/user/named_places.hpp"

namespace tarry::measure {
namespace {

constinit NameTable<UserMetric> g_user_metrics;
constinit std::atomic<std::uint32_t> g_count = 0;
constinit std::atomic<UserMetric*> g_by_number[kMostUserMetrics];
bool g_has_room_in_summary = false;

// What a program with metrics calls, or at least holds the address of.
constexpr const char* kHooks[] = {
    "tarry_metric_int64",           "tarry_metric_uint64",      "tarry_metric_double",  "tarry_fortran_metric_int64_",
    "tarry_fortran_metric_double_", "tarry_scorep_metric_init", "tarry_sp_metric_init_"};

void say_too_many() {
  static std::atomic<bool> has_told = false;
  if (!has_told.exchange(true))
    say("more than " + std::to_string(kMostUserMetrics) + " metrics of the program: further ones are not recorded");
}

// Who gets no number has lost to another thread, or is one too many.
bool give_number(UserMetric& metric) {
  const std::uint32_t number = g_count.fetch_add(1) + 1;
  std::uint32_t none = 0;
  if (number > kMostUserMetrics) return g_count.store(kMostUserMetrics), false;
  if (metric.number.compare_exchange_strong(none, number)) g_by_number[number - 1].store(&metric);
  return true;
}

CounterId definition_of(UserMetric& metric) {
  const CounterId known = metric.definition.load(std::memory_order_acquire);
  if (known.is_valid()) return known;
  const auto defined =
      definitions().try_add_counter({.name = metric.name,
                                     .unit = metric.unit,
                                     .description = "as the program tells",
                                     .mode = metric.is_level ? CounterMode::kAbsolutePoint : CounterMode::kSinceLast,
                                     .type = metric.type,
                                     .source = CounterSource::kUser});
  if (defined) metric.definition.store(*defined, std::memory_order_release);
  return defined.value_or(CounterId());
}

// Defined twice where two threads come first at the same time: equal counters are one when definitions are unified.
void record(UserMetric& metric, std::uint64_t bits) {
  const Hook hook;
  if (!is_recording()) return;
  Thread* const thread = current_thread();
  if (!thread) return note_missed_call(t_thread);
  if (!thread->gate.is_open()) return;
  const CounterId id = definition_of(metric);
  if (!id.is_valid()) return;
  end_coalesced_visit(*thread);
  find_functions(*thread);
  const Ticks time = now();
  const Guard guard(thread->gate);
  if (!guard) return note_missed_call(thread);
  const record::Metric value{.metric = id, .value = bits};
  if (thread->traces) thread->events.put(time, value);
  if (!thread->summarises) return;
  thread->profile.count_event(time, value);
  thread->profile.count_user_metric(metric.number.load(std::memory_order_relaxed) - 1, id,
                                    combination_of(metric.type, metric.is_level), bits);
}

template <class Value>
std::uint64_t bits_of(CounterType type, Value value) {
  constexpr double kMostUnsigned = 18446744073709549568.0, kMostSigned = 9223372036854774784.0;
  switch (type) {
    case CounterType::kDouble: return std::bit_cast<std::uint64_t>(static_cast<double>(value));
    case CounterType::kSigned:
      if constexpr (std::is_floating_point_v<Value>) {
        const double whole = value == value ? std::clamp(value, -kMostSigned, kMostSigned) : 0;
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(whole));
      } else {
        return static_cast<std::uint64_t>(value);
      }
    case CounterType::kUnsigned:
      if constexpr (std::is_floating_point_v<Value>) {
        return static_cast<std::uint64_t>(value == value ? std::clamp(value, 0.0, kMostUnsigned) : 0);
      } else {
        return value < Value{0} ? 0 : static_cast<std::uint64_t>(value);
      }
  }
  return 0;
}

void look_for_callers(const ProcessFacts&) {
  g_has_room_in_summary = std::ranges::any_of(kHooks, is_called_by_program);
}

void make_room(Thread& thread) {
  if (g_has_room_in_summary && thread.summarises) thread.profile.use_user_metrics();
}

// Libraries that were opened later have values in the trace, and no room in a summary.
void tell_what_is_missing() {
  if (g_has_room_in_summary || g_count.load() == 0 || !settings().summarises) return;
  say("metrics of the program are not in the summary: the library that counts them was opened later; a trace has them");
}

}  // namespace

constinit const Adapter kUserMetricAdapter = {
    .starting = look_for_callers, .thread_begins = make_room, .ending = tell_what_is_missing};

UserMetric* user_metric(std::string_view name, std::string_view unit, CounterType type, bool is_level) {
  constexpr std::size_t kMostBytes = 200;
  name = without_trailing_blanks(name.substr(0, kMostBytes));
  if (UserMetric* const known = g_user_metrics.find(name)) return known->number.load() ? known : nullptr;
  if (g_count.load(std::memory_order_relaxed) >= kMostUserMetrics) return say_too_many(), nullptr;
  UserMetric& made =
      g_user_metrics.find_or_make(name, without_trailing_blanks(unit.substr(0, kMostBytes)), type, is_level);
  if (made.number.load() == 0 && !give_number(made)) return say_too_many(), nullptr;
  return &made;
}

UserMetric* find_user_metric(std::uint32_t number) {
  return number > 0 && number <= kMostUserMetrics ? g_by_number[number - 1].load() : nullptr;
}

void record_user_metric(UserMetric& metric, std::int64_t value) { record(metric, bits_of(metric.type, value)); }
void record_user_metric(UserMetric& metric, std::uint64_t value) { record(metric, bits_of(metric.type, value)); }
void record_user_metric(UserMetric& metric, double value) { record(metric, bits_of(metric.type, value)); }

}  // namespace tarry::measure
