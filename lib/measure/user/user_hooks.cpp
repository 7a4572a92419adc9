// user_hooks.cpp -- the entry points behind tarry/user.h, and for annotations of other interfaces.
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "base/text/mangled_name.hpp"
#include "base/text/text_hash.hpp"
#include "measure/callpath/call_path.hpp"
#include "measure/compiler/function_recorder.hpp"
#include "measure/core/process_start.hpp"
#include "measure/core/runtime.hpp"
#include "measure/core/say.hpp"
#include "measure/user/annotation_hooks.hpp"
#include "measure/user/record_selection.hpp"
#include "measure/user/user_metrics.hpp"

// The functions of tarry/user.h are declared for programs that are instrumented.
#define TARRY
#include "measure/user/tarry/user.h"

#define TARRY_HOOK extern "C" __attribute__((visibility("default")))

namespace tarry::measure {
namespace {

std::uintptr_t key_of(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

// A key for one value of a place: odd, so that it is no address of a function.
std::uintptr_t mix(const void* place, std::uint64_t value) {
  std::uint64_t mixed = (key_of(place) ^ (value + 1) * 0x9e3779b97f4a7c15ull) * 0xbf58476d1ce4e5b9ull;
  mixed ^= mixed >> 29;
  return static_cast<std::uintptr_t>(mixed | 1);
}

KeyFacts facts_of(const tarry_region& place, RegionRole role) {
  return {.name = place.name, .file = place.file, .line = place.line, .role = role};
}

// Numbers from the bound on share one call path.
long long bounded(long long number) {
  if (!is_recording()) return number;
  return number >= 0 && number < settings().max_iterations ? number : KeyFacts::kFurtherNumbers;
}

void enter_place(std::uintptr_t key, const KeyFacts& facts, std::uintptr_t stack = 0) {
  const Entered entered{key_of(facts.name), key, stack, true};
  const RegionId region = g_regions.find_at_once(key);
  if (region == kFiltered) return;
  if (region == kUnknownRegion) [[unlikely]]
    return enter_unknown(entered, facts);
  record_enter(entered, region);
}

// The loop of an iteration: what it is known by, and how long its iterations last.
struct LoopPlace {
  const tarry_region& facts;
  const void* address;
  std::uintptr_t stack;  // kLasting: of an annotation
};

// In a summary, similar iterations beyond the bound share a call path.
void begin_further_iteration(std::uintptr_t key, const KeyFacts& facts, long long number) {
  const RegionId region = region_of_key(key, facts);
  Thread* thread = current_thread();
  if (!thread || !thread->summarises || !is_recorded(region)) return;
  end_coalesced_visit(*thread);
  const Guard guard(thread->gate);
  if (guard) update_call_path(*thread);
  if (guard) thread->profile.begin_iteration(region, number, settings().max_clusters);
}

// One of the last iterations, so far: in the place of one that is no longer.
void enter_latest(const LoopPlace& loop, long long number, std::size_t slot) {
  const tarry_region& place = loop.facts;
  Selection::Latest& latest = selection().latest(slot);
  KeyFacts facts = facts_of(place, RegionRole::kDynamicPhase);
  facts.number = KeyFacts::kFurtherNumbers;  // until the end
  facts.has_number = true;
  const std::uintptr_t key = mix(loop.address, ~static_cast<std::uint64_t>(slot) - 1);
  Thread* thread = current_thread();
  if (!thread) return;
  end_coalesced_visit(*thread);
  if (latest.path) {
    const Guard guard(thread->gate);
    if (guard) thread->profile.forget(*latest.path);
  }
  const RegionId region = region_of_key(key, facts);
  if (!is_recorded(region)) return;
  record_enter({key_of(facts.name), key, loop.stack, true}, region);
  latest.name = place.name;
  latest.file = place.file;
  latest.line = place.line;
  latest.region = region;
  latest.number = number;
  latest.path = thread->summarises ? thread->profile.open_path() : nullptr;
}

// A parameter has no end of its own: it is left together with the frame around it.
void enter_parameter(std::uintptr_t key, const KeyFacts& facts) {
  if (!is_recording()) return;
  const RegionId region = region_of_key(key, facts);
  Thread* thread = current_thread();
  if (thread && is_recorded(region)) enter(*thread, region, now());
}

void begin_iteration(const LoopPlace& loop, long long number) {
  if (g_has_selection) [[unlikely]] {
    selection().begin(loop.facts.name, number);
    if (const auto latest = selection().place_of_latest()) return enter_latest(loop, number, *latest);
  }
  KeyFacts facts = facts_of(loop.facts, RegionRole::kDynamicPhase);
  facts.number = bounded(number);
  facts.has_number = true;
  const std::uintptr_t key = mix(loop.address, static_cast<std::uint64_t>(facts.number));
  if (facts.number == KeyFacts::kFurtherNumbers) begin_further_iteration(key, facts, number);
  enter_place(key, facts, loop.stack);
}

void begin_annotated_iteration(const char* name, long long number) {
  const tarry_region facts = {.name = name, .file = "", .line = 0, .kind = TARRY_KIND_REGION};
  begin_iteration({.facts = facts, .address = name, .stack = kLasting}, number);
}

void begin_annotated(const char* name) {
  if (g_has_selection) [[unlikely]]
    selection().begin(name);
  enter_place(key_of(name), {.name = name, .role = RegionRole::kCode}, kLasting);
}

bool demangle_type(const char* mangled, char* text, std::size_t most) {
  constexpr std::string_view kPrefix = "typeinfo name for ";
  const std::optional<std::string> found = demangled(std::string("_ZTS") + mangled);
  if (!found || !found->starts_with(kPrefix)) return false;
  text[found->copy(text, most, kPrefix.size())] = '\0';
  return true;
}

template <class Value>
void record_metric(const tarry_metric& place, CounterType type, Value value) {
  UserMetric* const metric = user_metric(place.name ? place.name : "", place.unit ? place.unit : "", type,
                                         place.kind == TARRY_METRIC_KIND_LEVEL);
  if (metric) record_user_metric(*metric, value);
}

void say_for_annotations(const char* text) { say(text); }

}  // namespace
}  // namespace tarry::measure

using namespace tarry;
using namespace tarry::measure;

TARRY_HOOK void tarry_region_begin(const tarry_region* region) {
  if (g_has_selection) [[unlikely]]
    selection().begin(region->name);
  enter_place(key_of(region),
              facts_of(*region, region->kind == TARRY_KIND_PHASE ? RegionRole::kPhase : RegionRole::kCode));
}

TARRY_HOOK void tarry_region_end(const char* name) {
  if (!is_recording()) [[unlikely]]
    leave_unknown({key_of(name), 0, true});
  else record_leave({key_of(name), 0, true});
  if (g_has_selection) [[unlikely]]
    selection().end(name);
}

TARRY_HOOK void tarry_iteration_begin(const tarry_region* region, long long number) {
  begin_iteration({.facts = *region, .address = region, .stack = 0}, number);
}

TARRY_HOOK void tarry_parameter_int(const tarry_region* parameter, long long value) {
  KeyFacts facts = facts_of(*parameter, RegionRole::kArtificial);
  facts.number = value;
  facts.has_number = true;
  enter_parameter(mix(parameter, static_cast<std::uint64_t>(value)), facts);
}

TARRY_HOOK void tarry_parameter_string(const tarry_region* parameter, const char* value) {
  KeyFacts facts = facts_of(*parameter, RegionRole::kArtificial);
  facts.text = value;
  enter_parameter(mix(parameter, hash_text(value)), facts);
}

TARRY_HOOK void tarry_metric_int64(const tarry_metric* metric, long long value) {
  record_metric(*metric, CounterType::kSigned, std::int64_t{value});
}
TARRY_HOOK void tarry_metric_uint64(const tarry_metric* metric, unsigned long long value) {
  record_metric(*metric, CounterType::kUnsigned, std::uint64_t{value});
}
TARRY_HOOK void tarry_metric_double(const tarry_metric* metric, double value) {
  record_metric(*metric, CounterType::kDouble, value);
}

TARRY_HOOK const AnnotationHooks* tarry_annotation_hooks() {
  static constexpr AnnotationHooks kHooks = {.begin = begin_annotated,
                                             .begin_iteration = begin_annotated_iteration,
                                             .end = tarry_region_end,
                                             .pause = tarry_recording_off,
                                             .resume = tarry_recording_on,
                                             .demangle_type = demangle_type,
                                             .say = say_for_annotations};
  return &kHooks;
}

TARRY_HOOK void tarry_recording_off(void) { pause_events(); }
TARRY_HOOK void tarry_recording_on(void) { resume_events(); }

TARRY_HOOK int tarry_is_recording(void) {
  if (!is_recording()) return 0;
  const Thread* thread = current_thread();
  return thread && thread->gate.is_open();
}
