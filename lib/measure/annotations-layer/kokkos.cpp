// kokkos.cpp -- Kokkos Tools: kernels, regions, copies, fences and sections. KOKKOS_TOOLS_LIBS names this library,
// or KOKKOS_PROFILE_LIBRARY before Kokkos 3.7.
//
// Kokkos looks these functions up by their names. Allocations are no annotations of the program: nobody asks for them.
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "measure/annotations-layer/annotation_names.hpp"
#include "measure/annotations-layer/open_annotations.hpp"

#define KOKKOS_CALLBACK extern "C" __attribute__((visibility("default"), used))

namespace tarry::measure {
namespace {

constexpr char kRegions = 0, kCopies = 0;  // their addresses are stacks

struct MemorySpace {
  char name[64];
};

struct ToolSettings {
  bool requires_global_fencing;
  bool reserved[255];
};

// Sections may overlap, and begin again. The name is what a program's number of one refers to.
constexpr std::uint32_t kMostSections = 1024;
struct Section {
  std::atomic<const char*> name = nullptr;
  std::atomic<AnnotationNumber> running = 0;
};
Section g_sections[kMostSections];
std::atomic<std::uint32_t> g_section_count = 0;

void begin_numbered(const char* name, std::uint64_t* number) {
  const AnnotationNumber begun = begin_range(kept_name(AnnotationText().add(name)));
  if (number) *number = begun;
}

Section* find_section(std::uint32_t number) { return number < kMostSections ? &g_sections[number] : nullptr; }

void stop_section(Section& section) { end_range(section.running.exchange(0)); }

}  // namespace
}  // namespace tarry::measure

using namespace tarry::measure;

KOKKOS_CALLBACK void kokkosp_init_library(int, std::uint64_t, std::uint32_t, const void*) {}

// Kokkos waits for devices around each kernel otherwise.
KOKKOS_CALLBACK void kokkosp_request_tool_settings(std::uint32_t, ToolSettings* settings) {
  if (settings) settings->requires_global_fencing = false;
}

KOKKOS_CALLBACK void kokkosp_begin_parallel_for(const char* name, std::uint32_t, std::uint64_t* number) {
  begin_numbered(name, number);
}
KOKKOS_CALLBACK void kokkosp_begin_parallel_reduce(const char* name, std::uint32_t, std::uint64_t* number) {
  begin_numbered(name, number);
}
KOKKOS_CALLBACK void kokkosp_begin_parallel_scan(const char* name, std::uint32_t, std::uint64_t* number) {
  begin_numbered(name, number);
}
KOKKOS_CALLBACK void kokkosp_begin_fence(const char* name, std::uint32_t, std::uint64_t* number) {
  begin_numbered(name, number);
}
KOKKOS_CALLBACK void kokkosp_end_parallel_for(std::uint64_t number) { end_range(number); }
KOKKOS_CALLBACK void kokkosp_end_parallel_reduce(std::uint64_t number) { end_range(number); }
KOKKOS_CALLBACK void kokkosp_end_parallel_scan(std::uint64_t number) { end_range(number); }
KOKKOS_CALLBACK void kokkosp_end_fence(std::uint64_t number) { end_range(number); }

KOKKOS_CALLBACK void kokkosp_push_profile_region(const char* name) {
  begin_annotation(kept_name(AnnotationText().add(name)), &kRegions);
}
KOKKOS_CALLBACK void kokkosp_pop_profile_region() { end_annotation(&kRegions); }

KOKKOS_CALLBACK void kokkosp_begin_deep_copy(MemorySpace to, const char* to_name, const void*, MemorySpace from,
                                             const char* from_name, const void*, std::uint64_t) {
  AnnotationText text;
  text.add("copy ").add(from_name).add(" (").add(from.name, sizeof from.name).add(") to ");
  text.add(to_name).add(" (").add(to.name, sizeof to.name).add(")");
  begin_annotation(kept_name(text), &kCopies);
}
KOKKOS_CALLBACK void kokkosp_end_deep_copy() { end_annotation(&kCopies); }

KOKKOS_CALLBACK void kokkosp_create_profile_section(const char* name, std::uint32_t* number) {
  if (!number) return;
  *number = g_section_count.fetch_add(1);
  if (Section* const section = find_section(*number)) section->name = kept_name(AnnotationText().add(name));
}
KOKKOS_CALLBACK void kokkosp_start_profile_section(std::uint32_t number) {
  Section* const section = find_section(number);
  if (!section || !section->name) return;
  stop_section(*section);
  section->running = begin_range(section->name);
}
KOKKOS_CALLBACK void kokkosp_stop_profile_section(std::uint32_t number) {
  if (Section* const section = find_section(number)) stop_section(*section);
}
KOKKOS_CALLBACK void kokkosp_destroy_profile_section(std::uint32_t number) { kokkosp_stop_profile_section(number); }

KOKKOS_CALLBACK void kokkosp_profile_event(const char* name) { mark_annotation(kept_name(AnnotationText().add(name))); }
