// kernel_objects.cpp -- which arguments of a kernel are memory, and whether the kernel may write it.
//
// An argument is a memory object if its value is the handle of one. With a value that may be an unknown handle, a
// kernel may use any memory. So it may with shared memory, with arguments that extensions set, and where kernels share
// variables of their program.
#include "measure/opencl-layer/kernel_objects.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "measure/opencl-layer/recorded_function.hpp"

namespace tarry::measure {
namespace {

/// What the compiler tells of an argument.
enum class ArgumentKind : std::uint8_t { kNotTold, kMemory, kReadMemory, kOther };

/// What an argument was given.
enum class Given : std::uint8_t { kNothing, kPlainValue, kHandle };

struct KernelArgument {
  ArgumentKind kind = ArgumentKind::kNotTold;
  std::atomic<Given> given = Given::kNothing;
  std::atomic<std::uintptr_t> value = 0;  // if it may be a handle
};

struct KernelObject : ObjectRecord<cl_kernel, KernelObject> {
  std::atomic<bool> uses_unknown = false;
  std::uint32_t count = 0;
  KernelArgument arguments[kMostArguments];
};

/// What is asked of a kernel when it is created.
struct KernelFacts {
  bool uses_unknown = false;
  std::uint32_t count = 0;
  ArgumentKind kinds[kMostArguments];
};

ObjectTable<cl_kernel, KernelObject> g_kernels;

template <class Value>
bool ask_argument(cl_kernel kernel, cl_uint index, cl_kernel_arg_info what, Value& value) {
  return g_next.clGetKernelArgInfo &&
         g_next.clGetKernelArgInfo(kernel, index, what, sizeof value, &value, nullptr) == CL_SUCCESS;
}

// Images and pipes have an access qualifier, pointers a qualifier of their type.
ArgumentKind kind_of(cl_kernel kernel, cl_uint index) {
  cl_kernel_arg_address_qualifier address = 0;
  cl_kernel_arg_access_qualifier access = 0;
  cl_kernel_arg_type_qualifier type = 0;
  if (!ask_argument(kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, address) ||
      !ask_argument(kernel, index, CL_KERNEL_ARG_ACCESS_QUALIFIER, access) ||
      !ask_argument(kernel, index, CL_KERNEL_ARG_TYPE_QUALIFIER, type))
    return ArgumentKind::kNotTold;
  if (access != CL_KERNEL_ARG_ACCESS_NONE) {
    const bool is_pipe = type & CL_KERNEL_ARG_TYPE_PIPE;
    return access == CL_KERNEL_ARG_ACCESS_READ_ONLY && !is_pipe ? ArgumentKind::kReadMemory : ArgumentKind::kMemory;
  }
  if (address == CL_KERNEL_ARG_ADDRESS_CONSTANT) return ArgumentKind::kReadMemory;
  if (address != CL_KERNEL_ARG_ADDRESS_GLOBAL) return ArgumentKind::kOther;
  return type & CL_KERNEL_ARG_TYPE_CONST ? ArgumentKind::kReadMemory : ArgumentKind::kMemory;
}

// Drivers before OpenCL 2.0 know of none.
bool has_shared_variables(cl_kernel kernel) {
  cl_program program = nullptr;
  cl_device_id devices[8] = {};
  std::size_t size = 0;
  if (g_next.clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof program, &program, nullptr) != CL_SUCCESS ||
      g_next.clGetProgramInfo(program, CL_PROGRAM_DEVICES, sizeof devices, devices, &size) != CL_SUCCESS)
    return true;
  return std::any_of(devices, devices + size / sizeof *devices, [&](cl_device_id device) {
    std::size_t bytes = 0;
    return g_next.clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, sizeof bytes,
                                        &bytes, nullptr) == CL_SUCCESS &&
           bytes > 0;
  });
}

KernelFacts facts_of(cl_kernel kernel) {
  KernelFacts facts;
  if (g_next.clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof facts.count, &facts.count, nullptr) != CL_SUCCESS ||
      facts.count > kMostArguments || has_shared_variables(kernel)) {
    facts.uses_unknown = true;
    facts.count = 0;
  }
  for (std::uint32_t i = 0; i < facts.count; ++i) facts.kinds[i] = kind_of(kernel, i);
  return facts;
}

void add_kernel(cl_kernel created) {
  if (!created || !g_hooks->may_record_queues()) return;
  const KernelFacts facts = facts_of(created);
  g_kernels.add(created, [&](KernelObject& kernel) {
    kernel.uses_unknown = facts.uses_unknown;
    kernel.count = facts.count;
    for (std::uint32_t i = 0; i < facts.count; ++i) {
      kernel.arguments[i].kind = facts.kinds[i];
      kernel.arguments[i].given = Given::kNothing;
    }
  });
}

// The arguments are those of the other one.
void add_clone(cl_kernel created, cl_kernel of) {
  g_kernels.forget(created);
  const KernelObject* const source = created ? g_kernels.find(of) : nullptr;
  if (!source) return;
  g_kernels.add(created, [&](KernelObject& kernel) {
    kernel.uses_unknown = source->uses_unknown.load();
    kernel.count = source->count;
    for (std::uint32_t i = 0; i < kernel.count; ++i) {
      kernel.arguments[i].kind = source->arguments[i].kind;
      kernel.arguments[i].value = source->arguments[i].value.load();
      kernel.arguments[i].given = source->arguments[i].given.load();
    }
  });
}

// Handles are addresses of what begins with a pointer.
bool may_be_handle(std::uintptr_t value) {
  constexpr std::uintptr_t kFirst = 0x10000, kLast = std::uintptr_t{1} << 56;
  return value >= kFirst && value < kLast && value % alignof(void*) == 0;
}

void give(KernelArgument& argument, std::size_t size, const void* value) {
  std::uintptr_t bits = 0;
  if (value && size == sizeof bits) std::memcpy(&bits, value, sizeof bits);
  argument.value.store(bits, std::memory_order_relaxed);
  argument.given.store(may_be_handle(bits) ? Given::kHandle : Given::kPlainValue, std::memory_order_relaxed);
}

void add_argument(const KernelArgument& argument, CommandUses& uses) {
  switch (argument.given.load(std::memory_order_relaxed)) {
    case Given::kNothing: return uses.set_unknown();
    case Given::kPlainValue: return;
    case Given::kHandle: break;
  }
  auto* const handle = reinterpret_cast<cl_mem>(argument.value.load(std::memory_order_relaxed));
  MemoryObject* const memory = find_memory(handle);
  if (memory) uses.add(memory, argument.kind != ArgumentKind::kReadMemory && !memory->is_read_only);
  else if (argument.kind != ArgumentKind::kOther) uses.set_unknown();
}

struct NoteKernel {
  static void after(cl_kernel created, cl_program, const char*, cl_int*) { add_kernel(created); }
};

struct NoteKernels {
  static void after(cl_int outcome, cl_program, cl_uint room, cl_kernel* created, cl_uint* count) {
    if (outcome != CL_SUCCESS || !created || !count) return;
    for (cl_uint i = 0; i < std::min(*count, room); ++i) add_kernel(created[i]);
  }
};

struct NoteClone {
  static void after(cl_kernel created, cl_kernel of, cl_int*) { add_clone(created, of); }
};

struct NoteArgument {
  static void after(cl_int outcome, cl_kernel handle, cl_uint index, std::size_t size, const void* value) {
    KernelObject* const kernel = outcome == CL_SUCCESS ? g_kernels.find(handle) : nullptr;
    if (kernel && index < kernel->count) give(kernel->arguments[index], size, value);
  }
};

struct NoteSharedArgument {
  static void after(cl_int outcome, cl_kernel handle, cl_uint index, const void*) {
    KernelObject* const kernel = outcome == CL_SUCCESS ? g_kernels.find(handle) : nullptr;
    if (kernel && index < kernel->count) kernel->arguments[index].given = Given::kNothing;
  }
};

// Such as shared memory that the kernel reaches through pointers.
struct NoteSetUp {
  template <class... Rest>
  static void after(cl_int, cl_kernel handle, Rest...) {
    if (KernelObject* const kernel = g_kernels.find(handle)) kernel->uses_unknown = true;
  }
};

}  // namespace

void add_uses_of_kernel(cl_kernel handle, CommandUses& uses) {
  const KernelObject* const kernel = g_kernels.find(handle);
  if (!kernel || kernel->uses_unknown) return uses.set_unknown();
  for (std::uint32_t i = 0; i < kernel->count; ++i) add_argument(kernel->arguments[i], uses);
}

void replace_kernel_calls(cl_icd_dispatch& table) {
  using Calls = cl_icd_dispatch;
  put_in_front<&Calls::clCreateKernel>(table, SilentCall<&Calls::clCreateKernel, NoteKernel>::call);
  put_in_front<&Calls::clCreateKernelsInProgram>(table,
                                                 SilentCall<&Calls::clCreateKernelsInProgram, NoteKernels>::call);
  put_in_front<&Calls::clCloneKernel>(table, SilentCall<&Calls::clCloneKernel, NoteClone>::call);
  put_in_front<&Calls::clRetainKernel>(table, SilentCall<&Calls::clRetainKernel, NoteRetained<g_kernels>>::call);
  put_in_front<&Calls::clReleaseKernel>(table, SilentCall<&Calls::clReleaseKernel, NoteReleased<g_kernels>>::call);
  put_in_front<&Calls::clSetKernelArg>(table, SilentCall<&Calls::clSetKernelArg, NoteArgument>::call);
  put_in_front<&Calls::clSetKernelArgSVMPointer>(
      table, SilentCall<&Calls::clSetKernelArgSVMPointer, NoteSharedArgument>::call);
  put_in_front<&Calls::clSetKernelExecInfo>(table, SilentCall<&Calls::clSetKernelExecInfo, NoteSetUp>::call);
}

}  // namespace tarry::measure
