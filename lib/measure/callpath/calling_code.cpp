// calling_code.cpp -- tells calls of the program from those of the libraries that run it.
//
// Each loaded object is judged once, when an address of it is first seen. Its name decides, but for this library its
// address: it may have been renamed. The dynamic linker is asked in the way that unwinders use. That takes no lock, as
// a thread may call us while another one loads a library.
#include "measure/callpath/calling_code.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <climits>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "base/processes/environment_value.hpp"
#include "measure/core/recorder_lock.hpp"

namespace tarry::measure {
namespace {

constexpr std::string_view kRuntimeLibraries[] = {
    "libtarry-", "libmpi", "libopen-", "libopen_", "mca_", "libpmix", "libprrte", "libevent", "libhwloc", "hwloc_",
    "libuc", "libfabric", "libibverbs", "librdmacm", "libnl-", "libpsm", "libtsan", "libasan", "libpapi", "libc.",
    "libpthread", "ld-linux", "linux-vdso", "libdl.", "libm.", "libquadmath", "libgcc_s", "libffi",
    // Allocators: to record their locks would take memory while they hold them.
    "libjemalloc", "libtcmalloc", "libmimalloc", "libtbbmalloc", "libhoard", "libsnmalloc"};
// Of accelerators, and what these load.
constexpr std::string_view kDriverLibraries[] = {
    "libOpenCL", "libpocl",   "libnvidia-", "libcuda",        "libnvrtc",  "libnvvm",
    "libcupti",  "libamdocl", "libamdhip",  "libhsa-runtime", "libhsakmt", "libamd_comgr",
    "libigdrcl", "libigc",    "libigdgmm",  "libigdfcl",      "libze_",    "libdrm"};
// Drivers of OpenCL and OpenMP's devices use these. A compiler is a program of its own.
constexpr std::string_view kCompilerLibraries[] = {"libLLVM", "libclang", "libSPIRV"};
constexpr std::string_view kOpenMpLibraries[] = {"libgomp", "libomp", "libiomp"};
constexpr std::string_view kFortranLibraries[] = {"libgfortran", "libflang", "libFortran"};
constexpr std::string_view kCxxLibraries[] = {"libstdc++", "libc++"};

struct Object {
  std::uintptr_t begin = 0;
  std::atomic<std::uintptr_t> end = 0;
  CallingCode code = CallingCode::kProgram;
  std::atomic<bool> is_on_stacks = false;

  bool has(std::uintptr_t address) const { return address - begin < end.load(std::memory_order_relaxed) - begin; }
};

// Written once each, in order; `g_object_count` follows. One that is unloaded ends where it begins.
constexpr unsigned kMaxObjects = 512;
Object g_objects[kMaxObjects];
std::atomic<unsigned> g_object_count = 0;
RecorderLock g_objects_lock;
std::atomic<bool> g_has_omp_devices = false;
__thread unsigned t_latest __attribute__((tls_model("initial-exec"))) = 0;

bool is_python(std::string_view file) {
  constexpr std::string_view kName = "python";
  return file.starts_with("libpython") ||
         (file.starts_with(kName) && file.find_first_not_of("0123456789.", kName.size()) == file.npos);
}

std::string_view file_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool records_opencl() {
  const char* const value = environment_value("TARRY_OPENCL");
  return value && *value == '1';
}

CallingCode judge(std::string_view path) {
  const std::string_view file = file_of(path);
  if (is_python(file) || path.find("/lib-dynload/") != path.npos) return CallingCode::kPython;
  if (path.find("/mpi4py/") != path.npos) return CallingCode::kRuntime;  // MPI for Python
  const auto is_one = [file](std::string_view prefix) { return file.starts_with(prefix); };
  if (std::any_of(std::begin(kOpenMpLibraries), std::end(kOpenMpLibraries), is_one)) return CallingCode::kOpenMp;
  if (std::any_of(std::begin(kFortranLibraries), std::end(kFortranLibraries), is_one)) return CallingCode::kFortran;
  if (std::any_of(std::begin(kRuntimeLibraries), std::end(kRuntimeLibraries), is_one)) return CallingCode::kRuntime;
  if (std::any_of(std::begin(kDriverLibraries), std::end(kDriverLibraries), is_one)) return CallingCode::kRuntime;
  if ((records_opencl() || g_has_omp_devices.load()) &&
      std::any_of(std::begin(kCompilerLibraries), std::end(kCompilerLibraries), is_one))
    return CallingCode::kRuntime;
  if (std::any_of(std::begin(kCxxLibraries), std::end(kCxxLibraries), is_one)) return CallingCode::kCxxLibrary;
  return CallingCode::kProgram;
}

// A program may be called as a library is ("libmpi_test"), but for an interpreter. The dynamic linker has no name for
// it. The kernel is asked: readlink() may be a sanitizer's, which calls the one that is recorded, and that asks who has
// called it.
CallingCode judge_program() {
  char path[PATH_MAX];
  const long length = ::syscall(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", path, sizeof path);
  const std::string_view file = file_of({path, length > 0 ? static_cast<std::size_t>(length) : 0});
  return is_python(file) ? CallingCode::kPython : CallingCode::kProgram;
}

bool find_known(std::uintptr_t address, CallingCode& code) {
  const unsigned count = g_object_count.load(std::memory_order_acquire);
  if (t_latest >= count || !g_objects[t_latest].has(address)) {
    unsigned at = 0;
    while (at < count && !g_objects[at].has(address)) ++at;
    if (at == count) return false;
    t_latest = at;
  }
  code = g_objects[t_latest].code;
  return true;
}

// If another thread is adding one, this call does without.
void remember(std::uintptr_t begin, std::uintptr_t end, CallingCode code) {
  const TryLocked lock(g_objects_lock, TryLocked::kNever);
  if (!lock) return;
  const unsigned count = g_object_count.load(std::memory_order_relaxed);
  unsigned at = 0;
  while (at < count && (g_objects[at].begin != begin || g_objects[at].code != code)) ++at;
  if (at == kMaxObjects) return;
  if (at == count) {
    g_objects[at].begin = begin;
    g_objects[at].code = code;
  }
  g_objects[at].end.store(end, std::memory_order_release);
  if (at == count) g_object_count.store(count + 1, std::memory_order_release);
}

}  // namespace

void note_omp_devices() { g_has_omp_devices.store(true); }

CallingCode calling_code(const void* address) {
  CallingCode code = CallingCode::kProgram;
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  if (find_known(place, code)) [[likely]]
    return code;
  dl_find_object found;
  if (::_dl_find_object(const_cast<void*>(address), &found) != 0) return code;  // code that was made at run time
  const auto begin = reinterpret_cast<std::uintptr_t>(found.dlfo_map_start);
  const auto end = reinterpret_cast<std::uintptr_t>(found.dlfo_map_end);
  const link_map* loaded = found.dlfo_link_map;
  const bool is_recorder = reinterpret_cast<std::uintptr_t>(&calling_code) - begin < end - begin;
  const bool has_name = loaded && loaded->l_name && *loaded->l_name;
  if (is_recorder) code = CallingCode::kRuntime;
  else code = has_name ? judge(loaded->l_name) : judge_program();
  remember(begin, end, code);
  return code;
}

CallingCode calling_code_on_stack(const void* address) {
  const CallingCode code = calling_code(address);
  CallingCode known;
  if (find_known(reinterpret_cast<std::uintptr_t>(address), known))
    g_objects[t_latest].is_on_stacks.store(true, std::memory_order_relaxed);
  return code;
}

std::optional<CodeRange> forget_unloaded_object(unsigned& at) {
  while (at < g_object_count.load(std::memory_order_acquire)) {
    Object& object = g_objects[at++];
    const std::uintptr_t end = object.end.load(std::memory_order_relaxed);
    dl_find_object found;
    if (end == object.begin) continue;
    if (::_dl_find_object(reinterpret_cast<void*>(object.begin), &found) == 0 &&
        reinterpret_cast<std::uintptr_t>(found.dlfo_map_end) == end)
      continue;
    object.end.store(object.begin, std::memory_order_release);
    if (object.is_on_stacks.load(std::memory_order_relaxed)) return CodeRange{object.begin, end};
  }
  return std::nullopt;
}

}  // namespace tarry::measure
