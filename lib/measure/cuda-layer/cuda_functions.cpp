// cuda_functions.cpp -- the functions of CUDA's runtime and driver, by the names that CUPTI has for them.
#include "measure/cuda-layer/cuda_functions.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace tarry::measure {
namespace {

constexpr unsigned kMostFunctions = 2048;  // of a domain; CUDA 13 has some 800

// What names begin with behind "cuda" or "cu".
constexpr std::string_view kWork[] = {"Launch", "Memcpy", "Memset", "MemPrefetch", "GraphLaunch"};
constexpr std::string_view kWaits[] = {"StreamSynchronize", "EventSynchronize", "DeviceSynchronize", "CtxSynchronize",
                                       "ThreadSynchronize"};
constexpr std::string_view kOrder[] = {"EventRecord", "StreamWaitEvent", "StreamCreate", "StreamDestroy"};
constexpr std::string_view kMemory[] = {
    "Malloc",         "Free",         "MemAlloc",        "MemFree",           "HostAlloc",  "HostRegister",
    "HostUnregister", "MemHostAlloc", "MemHostRegister", "MemHostUnregister", "MemCreate",  "MemRelease",
    "MemMap",         "MemUnmap",     "MemPoolCreate",   "MemPoolDestroy",    "MemPoolTrim"};
constexpr std::string_view kManagement[] = {
    "InitDevice",       "SetDevice",          "DeviceReset",      "DevicePrimaryCtxRe", "CtxCreate",
    "CtxDestroy",       "ModuleLoad",         "ModuleUnload",     "LibraryLoad",        "LibraryUnload",
    "LinkAdd",          "LinkComplete",       "GraphInstantiate", "GraphUpload",        "GraphExecUpdate",
    "GraphExecDestroy", "StreamBeginCapture", "StreamEndCapture"};

constexpr std::string_view kEndsOfContexts[] = {"DeviceReset", "CtxDestroy", "DevicePrimaryCtxRel",
                                                "DevicePrimaryCtxRes"};

CudaFunction* g_functions[2][kMostFunctions];  // never freed

std::string_view without_prefix(std::string_view name) {
  if (!name.starts_with("cu")) return "";
  name.remove_prefix(name.starts_with("cuda") ? 4 : 2);
  return name;
}

template <std::size_t kCount>
bool begins_with_one(std::string_view name, const std::string_view (&words)[kCount]) {
  return std::ranges::any_of(words, [name](std::string_view word) { return name.starts_with(word); });
}

CudaFunction** place_of(CUpti_CallbackDomain domain, CUpti_CallbackId number) {
  if (number >= kMostFunctions) return nullptr;
  if (domain == CUPTI_CB_DOMAIN_RUNTIME_API) return &g_functions[0][number];
  return domain == CUPTI_CB_DOMAIN_DRIVER_API ? &g_functions[1][number] : nullptr;
}

CudaFunction* make_function(std::string_view cupti_name) {
  const std::string_view name = name_in_programs(cupti_name);
  void* const memory = std::malloc(sizeof(CudaFunction) + name.size() + 1);
  if (!memory) return nullptr;
  char* const text = static_cast<char*>(memory) + sizeof(CudaFunction);
  std::memcpy(text, name.data(), name.size());
  text[name.size()] = '\0';
  cupti_name.remove_prefix(name.size());
  return new (memory) CudaFunction{.function = {text, Paradigm::kCuda},
                                   .starts_work = starts_work(name),
                                   .waits_for_stream = without_prefix(name) == "StreamSynchronize",
                                   .is_per_thread = cupti_name.starts_with("_pt"),
                                   .ends_contexts = begins_with_one(without_prefix(name), kEndsOfContexts)};
}

void watch_domain(CUpti_SubscriberHandle subscriber, CUpti_CallbackDomain domain) {
  for (CUpti_CallbackId number = 1; number < kMostFunctions; ++number) {
    const char* name = nullptr;
    if (g_cupti.cuptiGetCallbackName(domain, number, &name) != CUPTI_SUCCESS || !name) continue;
    if (!is_recorded_function(name_in_programs(name))) continue;
    CudaFunction* const function = make_function(name);
    if (!function) return;
    *place_of(domain, number) = function;
    g_cupti.cuptiEnableCallback(1, subscriber, domain, number);
  }
}

}  // namespace

std::string_view name_in_programs(std::string_view cupti_name) {
  return {cupti_name.data(), std::min(cupti_name.find('_'), cupti_name.size())};
}

bool starts_work(std::string_view name) { return begins_with_one(without_prefix(name), kWork); }

bool is_recorded_function(std::string_view name) {
  const std::string_view rest = without_prefix(name);
  return starts_work(name) || begins_with_one(rest, kWaits) || begins_with_one(rest, kOrder) ||
         begins_with_one(rest, kMemory) || begins_with_one(rest, kManagement);
}

void watch_functions(CUpti_SubscriberHandle subscriber) {
  watch_domain(subscriber, CUPTI_CB_DOMAIN_RUNTIME_API);
  watch_domain(subscriber, CUPTI_CB_DOMAIN_DRIVER_API);
}

CudaFunction* find_function(CUpti_CallbackDomain domain, CUpti_CallbackId number) {
  CudaFunction** const place = place_of(domain, number);
  return place ? *place : nullptr;
}

}  // namespace tarry::measure
