// caliper_classes.cpp -- annotations by Caliper in C++ (CALI_CXX_MARK_FUNCTION, _SCOPE, _LOOP_BEGIN, _LOOP_ITERATION):
// our members come before those of its library.
//
// The classes are declared as programs have compiled them. An object of the library belongs to the library: of a loop
// it holds an address, which tells loops apart here.
#include <cstdint>
#include <string_view>

#include "measure/annotations-layer/annotation_names.hpp"
#include "measure/annotations-layer/caliper_attribute.hpp"
#include "measure/annotations-layer/next_call.hpp"
#include "measure/annotations-layer/open_annotations.hpp"
#include "measure/annotations-layer/shared_table.hpp"

#define CALIPER_CLASS __attribute__((visibility("default")))

namespace cali {

class CALIPER_CLASS Function {
 public:
  Function(const char* name);
  ~Function();
};

class CALIPER_CLASS ScopeAnnotation {
 public:
  explicit ScopeAnnotation(const char* name);
  ~ScopeAnnotation();
};

class CALIPER_CLASS Loop {
  const void* own_ = nullptr;

 public:
  class CALIPER_CLASS Iteration {
    const void* loop_ = nullptr;

   public:
    ~Iteration();
  };

  Loop(const char* name);
  ~Loop();
  Iteration iteration(int number) const;
  void end();
};

// A value. Its type is in the lowest byte, the size of a text in the upper half.
struct Variant {
  std::uint64_t type_and_size;
  union {
    bool is_true;
    const char* text;
  } value;
};

class CALIPER_CLASS Annotation {
  const void* own_ = nullptr;

 public:
  class CALIPER_CLASS Guard {
    const void* annotation_ = nullptr;

   public:
    ~Guard();
  };

  Annotation(const char* name, int properties);
  Annotation& begin();
  Annotation& begin(const Variant& value);
  void end();
};

}  // namespace cali

namespace tarry::measure {
namespace {

constexpr char kScopes = 0;  // its address is the stack

// Names of iterations, by the loop.
constinit SharedTable<1024> g_iterations;

// A loop and its iterations end by themselves: the byte behind is no other object's.
AnnotationStack stack_of_loop(const void* loop) { return loop; }
AnnotationStack stack_of_iterations(const void* loop) { return static_cast<const char*>(loop) + 1; }

void begin_scope(const char* name) { begin_annotation(kept_name(AnnotationText().add(name)), &kScopes); }

void begin_loop(const void* loop, const char* name) {
  const char* const iterations = kept_name(AnnotationText().add("iteration#").add(name));
  g_iterations.put(reinterpret_cast<std::uintptr_t>(loop), reinterpret_cast<std::uintptr_t>(iterations));
  begin_annotation(kept_name(AnnotationText().add(name)), stack_of_loop(loop));
}

void begin_iteration_of(const void* loop, int number) {
  const auto name = static_cast<std::uintptr_t>(g_iterations.get(reinterpret_cast<std::uintptr_t>(loop)));
  if (name) begin_iteration(reinterpret_cast<const char*>(name), number, stack_of_iterations(loop));
}

// Names of attributes, by the annotation.
constinit SharedTable<4096> g_attributes;

void note_attribute(const void* annotation, const char* name) {
  const char* const kept = kept_name(AnnotationText().add(name));
  g_attributes.put(reinterpret_cast<std::uintptr_t>(annotation), reinterpret_cast<std::uintptr_t>(kept));
}

// nullptr: an annotation that has been made in another way.
const char* attribute_of(const void* annotation) {
  return reinterpret_cast<const char*>(
      static_cast<std::uintptr_t>(g_attributes.get(reinterpret_cast<std::uintptr_t>(annotation))));
}

void begin_value(const CaliperAttribute& attribute, const cali::Variant& value) {
  constexpr std::uint64_t kType = 0xff, kText = 4, kTruth = 7;
  const std::uint64_t type = value.type_and_size & kType;
  if (type == kText) attribute.begin(std::string_view(value.value.text, value.type_and_size >> 32));
  else if (type == kTruth && value.value.is_true) attribute.begin();
}

void end_value(const void* caller, const void* annotation) {
  if (const char* const name = attribute_of(annotation)) CaliperAttribute(caller, name).end();
}

}  // namespace
}  // namespace tarry::measure

using namespace tarry::measure;

namespace cali {

Function::Function(const char* name) {
  static constinit NextCall<void(Function*, const char*)> next("_ZN4cali8FunctionC1EPKc");
  const InsideLibrary inside(CalledInterface::kCaliper);
  next(__builtin_return_address(0), this, name);
  if (inside.is_heard()) begin_scope(name);
}

Function::~Function() {
  static constinit NextCall<void(Function*)> next("_ZN4cali8FunctionD1Ev");
  const InsideLibrary inside(CalledInterface::kCaliper);
  if (inside.is_heard()) end_annotation(&kScopes);
  next(__builtin_return_address(0), this);
}

ScopeAnnotation::ScopeAnnotation(const char* name) {
  static constinit NextCall<void(ScopeAnnotation*, const char*)> next("_ZN4cali15ScopeAnnotationC1EPKc");
  const InsideLibrary inside(CalledInterface::kCaliper);
  next(__builtin_return_address(0), this, name);
  if (inside.is_heard()) begin_scope(name);
}

ScopeAnnotation::~ScopeAnnotation() {
  static constinit NextCall<void(ScopeAnnotation*)> next("_ZN4cali15ScopeAnnotationD1Ev");
  const InsideLibrary inside(CalledInterface::kCaliper);
  if (inside.is_heard()) end_annotation(&kScopes);
  next(__builtin_return_address(0), this);
}

Loop::Loop(const char* name) {
  static constinit NextCall<void(Loop*, const char*)> next("_ZN4cali4LoopC1EPKc");
  const InsideLibrary inside(CalledInterface::kCaliper);
  next(__builtin_return_address(0), this, name);
  if (inside.is_heard()) begin_loop(own_, name);
}

// Has ended, or ends here. The object is gone then.
Loop::~Loop() {
  static constinit NextCall<void(Loop*)> next("_ZN4cali4LoopD1Ev");
  const InsideLibrary inside(CalledInterface::kCaliper);
  if (inside.is_heard()) end_annotation(stack_of_loop(own_));
  next(__builtin_return_address(0), this);
}

void Loop::end() {
  static constinit NextCall<void(Loop*)> next("_ZN4cali4Loop3endEv");
  const InsideLibrary inside(CalledInterface::kCaliper);
  if (inside.is_heard()) end_annotation(stack_of_loop(own_));
  next(__builtin_return_address(0), this);
}

// The library makes the result in place, so ours begins before.
Loop::Iteration Loop::iteration(int number) const {
  static constinit NextCall<Iteration(const Loop*, int)> next("_ZNK4cali4Loop9iterationEi");
  const InsideLibrary inside(CalledInterface::kCaliper);
  if (inside.is_heard()) begin_iteration_of(own_, number);
  return next(__builtin_return_address(0), this, number);
}

Loop::Iteration::~Iteration() {
  static constinit NextCall<void(Iteration*)> next("_ZN4cali4Loop9IterationD1Ev");
  const InsideLibrary inside(CalledInterface::kCaliper);
  if (inside.is_heard()) end_annotation(stack_of_iterations(loop_));
  next(__builtin_return_address(0), this);
}

Annotation::Annotation(const char* name, int properties) {
  static constinit NextCall<void(Annotation*, const char*, int)> next("_ZN4cali10AnnotationC1EPKci");
  const InsideLibrary inside(CalledInterface::kCaliper);
  next(__builtin_return_address(0), this, name, properties);
  if (inside.is_heard()) note_attribute(own_, name);
}

Annotation& Annotation::begin() {
  static constinit NextCall<Annotation*(Annotation*)> next("_ZN4cali10Annotation5beginEv");
  const InsideLibrary inside(CalledInterface::kCaliper);
  next(__builtin_return_address(0), this);
  const char* const name = inside.is_heard() ? attribute_of(own_) : nullptr;
  if (name) CaliperAttribute(__builtin_return_address(0), name).begin();
  return *this;
}

Annotation& Annotation::begin(const Variant& value) {
  static constinit NextCall<Annotation*(Annotation*, const Variant*)> next("_ZN4cali10Annotation5beginERKNS_7VariantE");
  const InsideLibrary inside(CalledInterface::kCaliper);
  next(__builtin_return_address(0), this, &value);
  const char* const name = inside.is_heard() ? attribute_of(own_) : nullptr;
  if (name) begin_value(CaliperAttribute(__builtin_return_address(0), name), value);
  return *this;
}

void Annotation::end() {
  static constinit NextCall<void(Annotation*)> next("_ZN4cali10Annotation3endEv");
  const InsideLibrary inside(CalledInterface::kCaliper);
  if (inside.is_heard()) end_value(__builtin_return_address(0), own_);
  next(__builtin_return_address(0), this);
}

Annotation::Guard::~Guard() {
  static constinit NextCall<void(Guard*)> next("_ZN4cali10Annotation5GuardD1Ev");
  const InsideLibrary inside(CalledInterface::kCaliper);
  if (inside.is_heard()) end_value(__builtin_return_address(0), annotation_);
  next(__builtin_return_address(0), this);
}

}  // namespace cali
