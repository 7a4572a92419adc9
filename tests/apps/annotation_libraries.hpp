// annotation_libraries.hpp -- the classes of Caliper, as its header declares them, and functions of three libraries for
// annotations. annotation_libraries.cpp implements them, annotated_calls.cpp calls them.
#pragma once

#include <cstdint>
#include <cstring>

namespace cali {

class Function {
 public:
  Function(const char* name);
  Function(const Function&) = delete;
  Function& operator=(const Function&) = delete;
  ~Function();
};

class ScopeAnnotation {
 public:
  explicit ScopeAnnotation(const char* name);
  ScopeAnnotation(const ScopeAnnotation&) = delete;
  ScopeAnnotation& operator=(const ScopeAnnotation&) = delete;
  ~ScopeAnnotation();
};

class Loop {
  struct Impl;
  Impl* pI;

 public:
  class Iteration {
    const Impl* pI;

   public:
    Iteration(const Impl*, int);
    ~Iteration();
  };

  Loop(const char* name);
  Loop(const Loop& loop);
  ~Loop();
  Iteration iteration(int i) const;
  void end();
};

class Variant {
  std::uint64_t type_and_size;
  const char* text;

 public:
  Variant(const char* value) : type_and_size(std::strlen(value) << 32 | 4), text(value) {}
};

class Annotation {
  struct Impl;
  Impl* pI;

 public:
  class Guard {
    Impl* pI;

   public:
    Guard(Annotation& annotation);
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    ~Guard();
  };

  Annotation(const char* name, int properties = 0);
  Annotation(const Annotation&) = delete;
  ~Annotation();
  Annotation& begin();
  Annotation& begin(const char* value) { return begin(Variant(value)); }
  Annotation& begin(const Variant& value);
  void end();
};

}  // namespace cali

extern "C" {
extern std::uint64_t cali_loop_attr_id;
std::uint64_t cali_make_loop_iteration_attribute(const char* name);
std::uint64_t cali_find_attribute(const char* name);
const char* cali_attribute_name(std::uint64_t attribute);
int cali_attribute_properties(std::uint64_t attribute);
void cali_begin_region(const char* name);
void cali_end_region(const char* name);
void cali_begin_phase(const char* name);
void cali_end_phase(const char* name);
void cali_begin_comm_region(const char* name);
void cali_end_comm_region(const char* name);
void cali_begin(std::uint64_t attribute);
void cali_begin_int(std::uint64_t attribute, int value);
void cali_begin_string(std::uint64_t attribute, const char* value);
void cali_end(std::uint64_t attribute);
void cali_begin_byname(const char* name);
void cali_begin_int_byname(const char* name, int value);
void cali_begin_string_byname(const char* name, const char* value);
void cali_end_byname(const char* name);

void roctxMarkA(const char* message);
int roctxRangePushA(const char* message);
int roctxRangePop();
std::uint64_t roctxRangeStartA(const char* message);
void roctxRangeStop(std::uint64_t range);

int likwid_markerStartRegion(const char* tag);
int likwid_markerStopRegion(const char* tag);
void likwid_markerstartregion_(const char* tag, int length);
void likwid_markerstopregion_(const char* tag, int length);

// So many calls have come in, as the program has made them.
long calls_of_libraries();
}
