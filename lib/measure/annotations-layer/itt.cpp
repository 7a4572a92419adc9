// itt.cpp -- annotations by Intel's ITT: INTEL_LIBITTNOTIFY64 names this library.
//
// The static part of ITT is in the program. At its first annotation it loads the library, and hands over a list of its
// functions. Each has a name, and a place for what is called from then on. It keeps the domains and names that it has
// made until then; later ones come from here.
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>

#include "measure/annotations-layer/annotation_names.hpp"
#include "measure/annotations-layer/open_annotations.hpp"
#include "measure/annotations-layer/recorder_access.hpp"

namespace tarry::measure {
namespace {

using IttFunction = void (*)();

struct IttEntry {
  const char* name;  // nullptr: behind the last one
  IttFunction* place;
  IttFunction at_first, without_tool;
  int group;
};

// What the static part begins with.
struct IttProgram {
  unsigned char magic[8];
  unsigned long major_version, minor_version, build;
  volatile long is_initialised, has_lock, counter;
  pthread_mutex_t its_lock;
  void *library, *error_handler;
  const char** library_path;
  IttEntry* entries;
};
constexpr unsigned char kIttMagic[8] = {0xed, 0xab, 0xab, 0xec, 0x0d, 0xee, 0xda, 0x30};
constexpr unsigned long kIttVersion = 3;

// ITT calls it an id.
struct TaskNumber {
  unsigned long long parts[3];
};

struct TaskDomain {
  volatile int is_enabled = 1;
  std::atomic<const char*> name = nullptr;
  void* wide_name = nullptr;
  int own_number = 0;
  void* own_data = nullptr;
  TaskDomain* next = nullptr;
};

struct StringHandle {
  std::atomic<const char*> name = nullptr;
  void* wide_name = nullptr;
  int own_number = 0;
  void* own_data = nullptr;
  StringHandle* next = nullptr;
};

// The one object of each kept name. As many as there is room for.
template <class Object>
class Objects {
 public:
  /// nullptr: there is no room.
  Object* of(const char* name) {
    const std::size_t first = reinterpret_cast<std::uintptr_t>(name) % kMost;
    for (std::size_t i = 0; i < kMost; ++i) {
      Object& object = objects_[(first + i) % kMost];
      const char* there = nullptr;
      if (object.name.compare_exchange_strong(there, name) || there == name) return &object;
    }
    return nullptr;
  }

 private:
  static constexpr std::size_t kMost = 4096;
  Object objects_[kMost];
};

constinit Objects<TaskDomain> g_domains;
constinit Objects<StringHandle> g_strings;

TaskDomain* make_task_domain(const char* name) {
  return name ? g_domains.of(kept_name(AnnotationText().add(name))) : nullptr;
}
StringHandle* make_string_handle(const char* text) {
  return text ? g_strings.of(kept_name(AnnotationText().add(text))) : nullptr;
}

const char* task_name(const TaskDomain* domain, const StringHandle* handle) {
  AnnotationText text;
  if (domain && domain->name) text.add(domain->name.load()).add(".");
  return kept_name(text.add(handle && handle->name ? handle->name.load() : kept_name("")));
}

void begin_task(const TaskDomain* domain, TaskNumber, TaskNumber, const StringHandle* name) {
  begin_annotation(task_name(domain, name), domain);
}
void begin_task_of_function(const TaskDomain* domain, TaskNumber, TaskNumber, const void*) {
  begin_annotation(task_name(domain, nullptr), domain);
}
void end_task(const TaskDomain* domain) { end_annotation(domain); }

void mark_in_domain(const TaskDomain* domain, TaskNumber, const StringHandle* name, int) {
  mark_annotation(task_name(domain, name));
}

void pause() {
  if (const AnnotationHooks* const hooks = recorder()) hooks->pause();
}
void resume() {
  if (const AnnotationHooks* const hooks = recorder()) hooks->resume();
}

struct NamedFunction {
  const char* name;
  IttFunction function;
};

template <class F>
NamedFunction named(const char* name, F* function) {
  return {name, reinterpret_cast<IttFunction>(function)};
}

const NamedFunction kHeardFunctions[] = {named("__itt_task_begin", begin_task),
                                         named("__itt_task_begin_fn", begin_task_of_function),
                                         named("__itt_task_end", end_task),
                                         named("__itt_marker", mark_in_domain),
                                         named("__itt_pause", pause),
                                         named("__itt_resume", resume),
                                         named("__itt_domain_create", make_task_domain),
                                         named("__itt_string_handle_create", make_string_handle)};

IttFunction function_for(const IttEntry& entry) {
  const auto* const found = std::ranges::find_if(
      kHeardFunctions, [&entry](const NamedFunction& each) { return std::strcmp(each.name, entry.name) == 0; });
  return recorder() && found != std::end(kHeardFunctions) ? found->function : entry.without_tool;
}

}  // namespace
}  // namespace tarry::measure

/// ITT looks this up by name.
extern "C" __attribute__((visibility("default"))) void __itt_api_init(tarry::measure::IttProgram* program, int) {
  using namespace tarry::measure;
  if (!program || std::memcmp(program->magic, kIttMagic, sizeof kIttMagic) != 0 ||
      program->major_version != kIttVersion || !program->entries)
    return;
  for (IttEntry* entry = program->entries; entry->name; ++entry)
    if (entry->place) *entry->place = function_for(*entry);
}
