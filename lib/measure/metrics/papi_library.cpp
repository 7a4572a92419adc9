// papi_library.cpp -- finds PAPI's functions and calls them.
//
// PAPI's header is not needed: the parts that are used have been the same since version 5. Values that may change are
// checked before they are used.
#include "measure/metrics/papi_library.hpp"

#include <dlfcn.h>
#include <pthread.h>

#include <algorithm>
#include <cstring>
#include <memory>

namespace tarry::measure {
namespace {

constexpr const char* kLibraries[] = {"libpapi.so.7.2", "libpapi.so.7.1", "libpapi.so.7.0", "libpapi.so.7",
                                      "libpapi.so.6.0", "libpapi.so.6",   "libpapi.so.5",   "libpapi.so"};
constexpr int kOk = 0, kNull = -1;
constexpr int kFirstEvent = 1, kNextEvent = 0;             // PAPI_ENUM_FIRST, PAPI_ENUM_EVENTS
constexpr int kSinceLast = 1, kUntilNext = 2, kPoint = 3;  // PAPI_TIMESCOPE_*
constexpr int kPreset = static_cast<int>(0x80000000u), kNative = 0x40000000;

// PAPI_event_info_t and PAPI_component_info_t as far as they are used. Buffers are larger than either has ever been.
constexpr std::size_t kSymbolAt = 4, kHuge = 1024, kShort = 64, kLong = 128;
constexpr std::size_t kDescriptionAt = kSymbolAt + kHuge + kShort;
constexpr std::size_t kComponentAt = kDescriptionAt + kHuge;
constexpr std::size_t kUnitsAt = kComponentAt + 4;
constexpr std::size_t kTimescopeAt = kUnitsAt + kShort + 3 * 4;
constexpr std::size_t kEventInfoBytes = 64 << 10;
constexpr std::size_t kNameBytes = 4096;
constexpr std::size_t kDisabledReasonAt = 2 * kLong + 4 * kShort;

std::string text_at(const char* data, std::size_t at, std::size_t size) {
  return {data + at, ::strnlen(data + at, size)};
}

int number_at(const char* data, std::size_t at) {
  int number;
  std::memcpy(&number, data + at, sizeof number);
  return number;
}

unsigned long own_thread() { return static_cast<unsigned long>(::pthread_self()); }

}  // namespace

PapiLibrary* PapiLibrary::load(std::string& why) {
  static std::string failure;
  static PapiLibrary* const loaded = []() -> PapiLibrary* {
    static PapiLibrary library;
    void* handle = nullptr;
    for (const char* name : kLibraries)
      if (!handle) handle = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!handle) failure = "PAPI is not installed";
    else if (!library.find_functions(handle)) failure = "PAPI's library lacks a function";
    else if (library.initialise(failure)) return &library;
    return nullptr;
  }();
  why = failure;
  return loaded;
}

bool PapiLibrary::find_functions(void* handle) {
  const auto find = [handle](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(handle, name));
    return function != nullptr;
  };
  return find(init_, "PAPI_library_init") && find(thread_init_, "PAPI_thread_init") &&
         find(num_components_, "PAPI_num_components") && find(num_counters_, "PAPI_num_cmp_hwctrs") &&
         find(component_info_, "PAPI_get_component_info") && find(name_to_code_, "PAPI_event_name_to_code") &&
         find(code_to_name_, "PAPI_event_code_to_name") && find(query_, "PAPI_query_event") &&
         find(event_info_, "PAPI_get_event_info") && find(event_component_, "PAPI_get_event_component") &&
         find(enumerate_, "PAPI_enum_cmp_event") && find(create_, "PAPI_create_eventset") &&
         find(add_, "PAPI_add_named_event") && find(start_, "PAPI_start") && find(read_, "PAPI_read") &&
         find(stop_, "PAPI_stop") && find(cleanup_, "PAPI_cleanup_eventset") &&
         find(destroy_, "PAPI_destroy_eventset") && find(strerror_, "PAPI_strerror");
}

// The library wants to hear its own version, and refuses any other.
bool PapiLibrary::initialise(std::string& why) {
  int status = 0;
  for (int major = 7; major >= 5; --major)
    for (int minor = 0; minor < 10; ++minor) {
      const int version = major << 24 | minor << 16;
      status = init_(version);
      if (status == version) return thread_init_(own_thread) == kOk || (why = "PAPI does not work with threads", false);
    }
  why = "PAPI does not start" + (status < 0 ? " (" + text_of(status) + ")" : std::string());
  return false;
}

std::string PapiLibrary::text_of(int status) const {
  const char* text = strerror_(status);
  return text ? text : "error " + std::to_string(status);
}

bool PapiLibrary::knows(const std::string& name) const {
  int code = 0;
  return name_to_code_(name.c_str(), &code) == kOk;
}

bool PapiLibrary::find(const std::string& name, PapiEvent& event, std::string& why) const {
  int status = name_to_code_(name.c_str(), &event.code);
  if (status == kOk) status = query_(event.code);
  if (status != kOk) {
    why = text_of(status);
    return false;
  }
  event.component = event_component_(event.code);
  if (describe(name, event)) return true;
  why = "is counted from one reading to the next, which is not supported";
  return false;
}

// False if its values are neither counted from the start nor levels.
bool PapiLibrary::describe(const std::string& name, PapiEvent& event) const {
  const auto info = std::make_unique<char[]>(kEventInfoBytes);
  if (event_info_(event.code, info.get()) != kOk) return true;
  const char* data = info.get();
  if (text_at(data, kSymbolAt, kHuge) != name || number_at(data, kComponentAt) != event.component) return true;
  event.description = text_at(data, kDescriptionAt, kHuge);
  event.unit = text_at(data, kUnitsAt, kShort);
  const int timescope = number_at(data, kTimescopeAt);
  if (timescope == kPoint) event.mode = CounterMode::kAbsolutePoint;
  return timescope != kSinceLast && timescope != kUntilNext;
}

template <class Visit>
void PapiLibrary::for_each_event(Visit visit) const {
  const auto name = std::make_unique<char[]>(kNameBytes);
  for (const int kind : {kPreset, kNative})
    for (int component = 0; component < num_components_(); ++component) {
      int code = kind;
      for (int status = enumerate_(&code, kFirstEvent, component); status == kOk;
           status = enumerate_(&code, kNextEvent, component))
        if (query_(code) == kOk && code_to_name_(code, name.get()) == kOk && !visit(std::string(name.get()))) return;
    }
}

bool PapiLibrary::has_native_prefix(std::string_view prefix) const {
  bool is_there = false;
  for_each_event([&](const std::string& name) {
    is_there = name.starts_with(prefix);
    return !is_there;
  });
  return is_there;
}

// PAPI lists events of processors that the kernel lets nobody count: in virtual machines, or for lack of rights.
bool PapiLibrary::can_count(const std::string& event) const {
  std::string why;
  const int set = start({event}, why);
  if (set >= 0) stop(set, 1);
  return set >= 0;
}

std::vector<std::string> PapiLibrary::list(std::size_t limit) const {
  std::vector<std::string> names;
  for_each_event([&](std::string name) {
    if (can_count(name)) names.push_back(std::move(name));
    return names.size() < limit;
  });
  return names;
}

// Component 0 is the processor's.
int PapiLibrary::count_hardware_counters() const { return num_components_() > 0 ? std::max(num_counters_(0), 0) : 0; }

std::string PapiLibrary::why_no_hardware_counters() const {
  const auto* info = static_cast<const char*>(num_components_() > 0 ? component_info_(0) : nullptr);
  return info ? text_at(info, kDisabledReasonAt, kHuge) : "";
}

int PapiLibrary::start(const std::vector<std::string>& events, std::string& why) const {
  int set = kNull;
  int status = create_(&set);
  for (std::size_t i = 0; i < events.size() && status == kOk; ++i) status = add_(set, events[i].c_str());
  if (status == kOk) status = start_(set);
  if (status == kOk) return set;
  why = text_of(status);
  if (set != kNull) {
    cleanup_(set);
    destroy_(&set);
  }
  return kNull;
}

void PapiLibrary::stop(int set, std::size_t events) const {
  std::vector<long long> values(events);
  stop_(set, values.data());
  cleanup_(set);
  destroy_(&set);
}

}  // namespace tarry::measure
