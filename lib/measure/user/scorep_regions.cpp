// scorep_regions.cpp -- regions of Score-P's user interface: what a handle points to.
#include "measure/user/scorep_regions.hpp"

#include <limits>

#include "measure/core/runtime.hpp"
#include "measure/user/name_table.hpp"
#include "measure/user/named_places.hpp"

static unsigned kind_of(SCOREP_User_RegionType type) {
  return type & SCOREP_USER_REGION_TYPE_PHASE ? TARRY_KIND_PHASE : TARRY_KIND_REGION;
}

tarry_scorep_region::tarry_scorep_region(std::string_view region_name, SCOREP_User_RegionType type,
                                         std::string_view file_name, unsigned line)
    : name(region_name),
      file(file_name),
      place{name.c_str(), file.c_str(), line, kind_of(type)},
      is_dynamic(type & SCOREP_USER_REGION_TYPE_DYNAMIC) {}

void tarry_scorep_region::begin() {
  if (is_dynamic) tarry_iteration_begin(&place, next_instance());
  else tarry_region_begin(&place);
}

// Threads count for themselves: the passes of a loop have the same numbers in each of them.
long long tarry_scorep_region::next_instance() {
  constinit static thread_local char t_here = 0;
  for (Instances* one = instances_.load(std::memory_order_acquire); one; one = one->next)
    if (one->thread == &t_here) return one->count++;
  auto* made = new Instances{&t_here, 1, instances_.load(std::memory_order_relaxed)};
  while (!instances_.compare_exchange_weak(made->next, made, std::memory_order_release)) continue;
  return 0;
}

namespace tarry::measure {
namespace {

constinit NameTable<tarry_scorep_region> g_scorep_regions;

// What is not recorded, as "metric energy".
struct LeftOut {
  explicit LeftOut(std::string_view text) : name(text) {}
  const std::string name;
};
constinit NameTable<LeftOut> g_left_out;

void describe_left_out() {
  std::string all;
  g_left_out.for_each([&all](const LeftOut& one) { all += (all.empty() ? "" : ", ") + one.name; });
  if (!all.empty()) definitions().add_property("not_recorded", "of Score-P's user interface: " + all);
}

}  // namespace

constinit const Adapter kScorepAdapter = {.ending = describe_left_out};

tarry_scorep_region& scorep_region_of(SCOREP_User_RegionHandle& handle, std::string_view name,
                                      SCOREP_User_RegionType type, std::string_view file, unsigned line) {
  tarry_scorep_region* known = __atomic_load_n(&handle, __ATOMIC_ACQUIRE);
  if (known) [[likely]]
    return *known;
  auto* made = new tarry_scorep_region(name, type, file, line);
  if (__atomic_compare_exchange_n(&handle, &known, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return *made;
  delete made;
  return *known;
}

tarry_scorep_region& scorep_region_named(std::string_view name, SCOREP_User_RegionType type, std::string_view file,
                                         unsigned line) {
  return g_scorep_regions.find_or_make(name, type, file, line);
}

tarry_scorep_region* find_scorep_region(std::string_view name) { return g_scorep_regions.find(name); }

void begin_scorep_parameter(std::string_view name, long long value) {
  tarry_parameter_int(&place_named(name, 0, TARRY_KIND_REGION), value);
}

void begin_scorep_parameter(std::string_view name, unsigned long long value) {
  if (value > std::numeric_limits<long long>::max()) return begin_scorep_parameter(name, std::to_string(value).c_str());
  begin_scorep_parameter(name, static_cast<long long>(value));
}

void begin_scorep_parameter(std::string_view name, const char* value) {
  tarry_parameter_string(&place_named(name, 0, TARRY_KIND_REGION), value);
}

void leave_out_of_scorep(std::string_view what, std::string_view name) {
  g_left_out.find_or_make(std::string(what) + " " + std::string(without_trailing_blanks(name)));
}

}  // namespace tarry::measure
