// nvtx.cpp -- annotations by NVTX, of version 3 and the library of version 2: NVTX_INJECTION64_PATH names this library.
//
// NVTX is in the program itself. At its first annotation it loads the library and hands over tables of pointers to
// functions, by module and number. What is put there is called from then on; the rest does nothing.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "measure/annotations-layer/annotation_names.hpp"
#include "measure/annotations-layer/open_annotations.hpp"
#include "measure/annotations-layer/recorder_access.hpp"

namespace tarry::measure {
namespace {

using Function = void (*)();

// By the address of one of these a program makes its NVTX known.
struct CallbackTables {
  std::size_t size;
  int (*functions_of)(int module, Function*** functions, unsigned* count);
};
constexpr std::uint32_t kCallbackTables = 1;

enum MessageType : std::int32_t { kPlain = 1, kWide = 2, kRegistered = 3 };

// NVTX calls these event attributes, of version 2.
struct Event {
  std::uint16_t version, size;
  std::uint32_t category;
  std::int32_t color_type;
  std::uint32_t color;
  std::int32_t payload_type, reserved;
  std::uint64_t payload;
  std::int32_t message_type;
  const void* message;
};

// A domain, as the program knows it, is its name. That of programs without domains is nullptr.
using Domain = const char*;
constexpr char kDefaultDomain = 0;

// What programs get from a push where nobody listens: they see no difference.
constexpr int kNotTracked = -2;

Domain checked(Domain domain) { return is_kept_name(domain) ? domain : nullptr; }

AnnotationStack stack_of(Domain domain) { return checked(domain) ? domain : &kDefaultDomain; }

AnnotationText in_domain(Domain domain) {
  AnnotationText text;
  if (checked(domain)) text.add(domain).add(".");
  return text;
}

void add_message(AnnotationText& text, const Event* event) {
  if (!event || event->size < sizeof *event || !event->message) return;
  const auto* const plain = static_cast<const char*>(event->message);
  if (event->message_type == kWide) text.add(static_cast<const wchar_t*>(event->message));
  else if (event->message_type == kPlain || (event->message_type == kRegistered && is_kept_name(plain)))
    text.add(plain);
}

const char* name_of(Domain domain, const Event* event) {
  AnnotationText text = in_domain(domain);
  const std::size_t before = text.view().size();
  add_message(text, event);
  return text.view().size() > before ? kept_name(text) : kept_name(text.add(kept_name("")));
}

template <class Character>
const char* kept_text(const Character* text) {
  return kept_name(AnnotationText().add(text));
}

template <class Character>
int push(const Character* text) {
  begin_annotation(kept_text(text), &kDefaultDomain);
  return kNotTracked;
}

int push_event_in(Domain domain, const Event* event) {
  begin_annotation(name_of(domain, event), stack_of(domain));
  return kNotTracked;
}
int push_event(const Event* event) { return push_event_in(nullptr, event); }

int pop_in(Domain domain) {
  end_annotation(stack_of(domain));
  return kNotTracked;
}
int pop() { return pop_in(nullptr); }

template <class Character>
AnnotationNumber start(const Character* text) {
  return begin_range(kept_text(text));
}
AnnotationNumber start_event_in(Domain domain, const Event* event) { return begin_range(name_of(domain, event)); }
AnnotationNumber start_event(const Event* event) { return start_event_in(nullptr, event); }
void end_range_in(Domain, AnnotationNumber range) { end_range(range); }

template <class Character>
void mark(const Character* text) {
  mark_annotation(kept_text(text));
}
void mark_event_in(Domain domain, const Event* event) { mark_annotation(name_of(domain, event)); }
void mark_event(const Event* event) { mark_event_in(nullptr, event); }

template <class Character>
const char* create_domain(const Character* name) {
  return kept_text(name);
}
template <class Character>
const char* register_string(Domain, const Character* text) {
  return kept_text(text);
}

struct Listener {
  unsigned number;  // in its module
  Function function;
};

template <class F>
Listener listener(unsigned number, F* function) {
  return {number, reinterpret_cast<Function>(function)};
}

constexpr int kCore = 1, kDomains = 5;

const Listener kCoreListeners[] = {listener(1, mark_event),     listener(2, mark<char>),  listener(3, mark<wchar_t>),
                                   listener(4, start_event),    listener(5, start<char>), listener(6, start<wchar_t>),
                                   listener(7, end_range),      listener(8, push_event),  listener(9, push<char>),
                                   listener(10, push<wchar_t>), listener(11, pop)};
const Listener kDomainListeners[] = {listener(1, mark_event_in),
                                     listener(2, start_event_in),
                                     listener(3, end_range_in),
                                     listener(4, push_event_in),
                                     listener(5, pop_in),
                                     listener(10, register_string<char>),
                                     listener(11, register_string<wchar_t>),
                                     listener(12, create_domain<char>),
                                     listener(13, create_domain<wchar_t>)};

template <std::size_t kCount>
void listen(const CallbackTables& tables, int module, const Listener (&listeners)[kCount]) {
  Function** functions = nullptr;
  unsigned count = 0;
  if (!tables.functions_of(module, &functions, &count) || !functions) return;
  for (const Listener& each : listeners)
    if (each.number < count && functions[each.number]) *functions[each.number] = each.function;
}

}  // namespace
}  // namespace tarry::measure

/// NVTX looks this up by name. 0: the library is of no use.
extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(
    const void* (*table_of)(std::uint32_t number)) {
  using namespace tarry::measure;
  const auto* const tables = table_of ? static_cast<const CallbackTables*>(table_of(kCallbackTables)) : nullptr;
  if (!recorder() || !tables || tables->size < sizeof *tables || !tables->functions_of) return 0;
  listen(*tables, kCore, kCoreListeners);
  listen(*tables, kDomains, kDomainListeners);
  return 1;
}
