// annotation_libraries.cpp -- a library with the functions of Caliper, ROCTX and LIKWID for annotations, as programs
// see them. It counts its calls. Names may be missing.
#include "annotation_libraries.hpp"

#include <atomic>
#include <cstring>
#include <string>

namespace {

std::atomic<long> g_calls = 0;
std::atomic<std::uint64_t> g_ranges = 1;
thread_local int t_level = 0;

void count() { g_calls.fetch_add(1, std::memory_order_relaxed); }

// Names of attributes stay. Two are nested.
constexpr std::size_t kMost = 4096;
std::atomic<const char*> g_attributes[kMost];
constexpr int kNested = 256;

std::uint64_t attribute_named(const char* name, bool makes) {
  const std::string text = name ? name : "";
  for (std::uint64_t i = 0; i < kMost; ++i) {
    const char* there = g_attributes[i];
    if (!there) {
      if (!makes) break;
      char* const copy = ::strdup(text.c_str());
      if (g_attributes[i].compare_exchange_strong(there, copy)) return i;
    }
    if (text == there) return i;
  }
  return ~std::uint64_t{0};
}

}  // namespace

std::uint64_t cali_loop_attr_id = attribute_named("loop", true);

namespace cali {

struct Loop::Impl {
  int level = 1, references = 1;
};

Function::Function(const char* name) { cali_begin_region(name); }  // in turn: this is not the program's call
Function::~Function() { cali_end_region(""); }
ScopeAnnotation::ScopeAnnotation(const char*) { count(); }
ScopeAnnotation::~ScopeAnnotation() { count(); }

Loop::Iteration::Iteration(const Impl* loop, int) : pI(loop) { count(); }
Loop::Iteration::~Iteration() { count(); }
Loop::Loop(const char*) : pI(new Impl) { count(); }
Loop::Loop(const Loop& loop) : pI(loop.pI) { ++pI->references; }
Loop::~Loop() {
  if (--pI->references > 0) return;
  end();
  delete pI;
}
Loop::Iteration Loop::iteration(int i) const { return Iteration(pI, i); }
void Loop::end() {
  if (pI->level-- > 0) count();
}

struct Annotation::Impl {
  std::string name;
};

Annotation::Annotation(const char* name, int) : pI(new Impl{name ? name : ""}) { attribute_named(name, true); }
Annotation::~Annotation() { delete pI; }
Annotation& Annotation::begin() {
  count();
  return *this;
}
Annotation& Annotation::begin(const Variant&) { return begin(); }
void Annotation::end() { cali_end_byname(pI->name.c_str()); }
Annotation::Guard::Guard(Annotation& annotation) : pI(annotation.pI) {}
Annotation::Guard::~Guard() { cali_end_byname(pI->name.c_str()); }

}  // namespace cali

long calls_of_libraries() { return g_calls; }

std::uint64_t cali_make_loop_iteration_attribute(const char* name) {
  return attribute_named((std::string("iteration#") + (name ? name : "")).c_str(), true);
}
std::uint64_t cali_find_attribute(const char* name) { return attribute_named(name, false); }
const char* cali_attribute_name(std::uint64_t attribute) {
  return attribute < kMost ? g_attributes[attribute].load() : nullptr;
}
int cali_attribute_properties(std::uint64_t attribute) {
  const char* const name = cali_attribute_name(attribute);
  return name && (!std::strcmp(name, "loop") || !std::strcmp(name, "stage")) ? kNested : 0;
}

void cali_begin_region(const char*) { count(); }
void cali_end_region(const char*) { count(); }
void cali_begin_phase(const char*) { count(); }
void cali_end_phase(const char*) { count(); }
void cali_begin_comm_region(const char*) { count(); }
void cali_end_comm_region(const char*) { count(); }
void cali_begin(std::uint64_t) { count(); }
void cali_begin_int(std::uint64_t, int) { count(); }
void cali_begin_string(std::uint64_t, const char*) { count(); }
void cali_end(std::uint64_t) { count(); }
void cali_begin_byname(const char* name) { cali_begin(attribute_named(name, true)); }
void cali_begin_int_byname(const char* name, int) { cali_begin(attribute_named(name, true)); }
void cali_begin_string_byname(const char* name, const char*) { cali_begin(attribute_named(name, true)); }
void cali_end_byname(const char*) { count(); }

void roctxMarkA(const char*) { count(); }
int roctxRangePushA(const char*) {
  count();
  return t_level++;
}
int roctxRangePop() {
  count();
  return t_level == 0 ? -1 : --t_level;
}
std::uint64_t roctxRangeStartA(const char*) {
  count();
  return g_ranges++;
}
void roctxRangeStop(std::uint64_t) { count(); }

// As where likwid-perfctr has not started the program.
int likwid_markerStartRegion(const char*) {
  count();
  return -14;
}
int likwid_markerStopRegion(const char*) {
  count();
  return -14;
}
void likwid_markerstartregion_(const char* tag, int) { likwid_markerStartRegion(tag); }
void likwid_markerstopregion_(const char* tag, int) { likwid_markerStopRegion(tag); }
