// kokkos.cpp -- Kokkos Tools: kernels, regions, copies, fences and sections. KOKKOS_TOOLS_LIBS names this library,
// or KOKKOS_PROFILE_LIBRARY before Kokkos 3.7.
//
// Kokkos looks these functions up by their names. Allocations are no annotations of the program: nobody asks for them.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "measure/annotations-layer/annotation_names.hpp"
#include "measure/annotations-layer/open_annotations.hpp"
#include "measure/annotations-layer/recorder_access.hpp"
#include "measure/annotations-layer/shared_table.hpp"

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

const char* kept_label(const char* label) { return kept_name(AnnotationText().add(label)); }

void begin_numbered(const char* name, std::uint64_t* number) {
  const AnnotationNumber begun = begin_range(name);
  if (number) *number = begun;
}

// A kernel without a label has the type of its function, and behind a slash that of its tag, as the linker knows them.
// To make names of these takes memory of the program, as Kokkos itself does for each kernel. A type begins with the
// length of its name, or is nested (N), or local (Z): a lambda.
bool may_be_type(const char* text) { return *text == 'N' || *text == 'Z' || (*text >= '1' && *text <= '9'); }

void add_type(AnnotationText& name, const char* mangled, std::size_t length) {
  constexpr std::size_t kMost = 4096;
  char own[kMost], type[kMost];
  const AnnotationHooks* const hooks = recorder();
  if (!hooks || length >= kMost || !may_be_type(mangled)) return void(name.add(mangled, length));
  std::memcpy(own, mangled, length);
  own[length] = '\0';
  if (hooks->demangle_type(own, type, kMost - 1)) name.add(type);
  else name.add(mangled, length);
}

// The types of labels that have been seen. Longer ones than a name takes are told apart by what that takes.
constinit SharedTable<4096> g_types;

const char* kernel_name(const char* label) {
  const char* const kept = kept_label(label);
  if (!label || !may_be_type(label)) return kept;
  if (const std::uint64_t known = g_types.get(reinterpret_cast<std::uintptr_t>(kept)))
    return reinterpret_cast<const char*>(known);
  AnnotationText name;
  const char* const slash = std::strchr(label, '/');
  add_type(name, label, slash ? static_cast<std::size_t>(slash - label) : std::strlen(label));
  if (slash) add_type(name.add("/"), slash + 1, std::strlen(slash + 1));
  const char* const type = kept_name(name);
  g_types.put(reinterpret_cast<std::uintptr_t>(kept), reinterpret_cast<std::uintptr_t>(type));
  return type;
}

void begin_kernel(const char* label, std::uint64_t* number) { begin_numbered(kernel_name(label), number); }

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
  begin_kernel(name, number);
}
KOKKOS_CALLBACK void kokkosp_begin_parallel_reduce(const char* name, std::uint32_t, std::uint64_t* number) {
  begin_kernel(name, number);
}
KOKKOS_CALLBACK void kokkosp_begin_parallel_scan(const char* name, std::uint32_t, std::uint64_t* number) {
  begin_kernel(name, number);
}
KOKKOS_CALLBACK void kokkosp_begin_fence(const char* name, std::uint32_t, std::uint64_t* number) {
  begin_numbered(kept_label(name), number);
}
KOKKOS_CALLBACK void kokkosp_end_parallel_for(std::uint64_t number) { end_range(number); }
KOKKOS_CALLBACK void kokkosp_end_parallel_reduce(std::uint64_t number) { end_range(number); }
KOKKOS_CALLBACK void kokkosp_end_parallel_scan(std::uint64_t number) { end_range(number); }
KOKKOS_CALLBACK void kokkosp_end_fence(std::uint64_t number) { end_range(number); }

KOKKOS_CALLBACK void kokkosp_push_profile_region(const char* name) { begin_annotation(kept_label(name), &kRegions); }
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
  if (Section* const section = find_section(*number)) section->name = kept_label(name);
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

KOKKOS_CALLBACK void kokkosp_profile_event(const char* name) { mark_annotation(kept_label(name)); }
