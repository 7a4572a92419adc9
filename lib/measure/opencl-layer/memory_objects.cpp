// memory_objects.cpp -- which memory objects the program has, and which share memory.
#include "measure/opencl-layer/memory_objects.hpp"

#include "measure/opencl-layer/recorded_function.hpp"

namespace tarry::measure {
namespace {

ObjectTable<cl_mem, MemoryObject> g_memory;

void set_up_memory(MemoryObject& memory, MemoryObject* whole, bool is_read_only) {
  memory.whole = whole ? whole : &memory;
  memory.is_read_only = is_read_only;
  for (LatestUse& use : memory.uses) {
    use.queue = nullptr;
    use.wrote = use.read = 0;
  }
}

void add_memory(cl_mem created, cl_mem_flags flags) {
  if (!created || !g_hooks->may_record_queues()) return;
  g_memory.add(created, [&](MemoryObject& memory) { set_up_memory(memory, nullptr, flags & CL_MEM_READ_ONLY); });
}

// A part keeps the whole. That of an unknown whole is unknown.
void add_part(cl_mem created, cl_mem of, cl_mem_flags flags) {
  g_memory.forget(created);
  MemoryObject* const parent = find_memory(of);
  if (!created || !parent) return;
  MemoryObject* const whole = parent->whole;
  whole->references.fetch_add(1);
  g_memory.add(created, [&](MemoryObject& memory) {
    set_up_memory(memory, whole, parent->is_read_only || (flags & CL_MEM_READ_ONLY));
  });
}

void add_image(cl_mem created, cl_mem_flags flags, const cl_image_desc* description) {
  const cl_mem of = description ? description->mem_object : nullptr;
  if (of) add_part(created, of, flags);
  else add_memory(created, flags);
}

struct NoteMemory {
  template <class... Rest>
  static void after(cl_mem created, cl_context, cl_mem_flags flags, Rest...) {
    add_memory(created, flags);
  }
};

struct NoteMemoryWithProperties {
  template <class... Rest>
  static void after(cl_mem created, cl_context, const cl_mem_properties*, cl_mem_flags flags, Rest...) {
    add_memory(created, flags);
  }
};

struct NoteImage {
  static void after(cl_mem created, cl_context, cl_mem_flags flags, const cl_image_format*,
                    const cl_image_desc* description, void*, cl_int*) {
    add_image(created, flags, description);
  }
};

struct NoteImageWithProperties {
  static void after(cl_mem created, cl_context, const cl_mem_properties*, cl_mem_flags flags, const cl_image_format*,
                    const cl_image_desc* description, void*, cl_int*) {
    add_image(created, flags, description);
  }
};

struct NotePart {
  static void after(cl_mem created, cl_mem of, cl_mem_flags flags, cl_buffer_create_type, const void*, cl_int*) {
    add_part(created, of, flags);
  }
};

// Once it is released, another object may have its handle.
struct NoteReleasedMemory {
  static void before(cl_mem handle) {
    MemoryObject* const memory = find_memory(handle);
    if (!memory) return;
    MemoryObject* const whole = memory->whole;
    if (g_memory.drop(*memory) && whole != memory) g_memory.drop(*whole);
  }
};

}  // namespace

MemoryObject* find_memory(cl_mem handle) { return g_memory.find(handle); }

void replace_memory_calls(cl_icd_dispatch& table) {
  using Calls = cl_icd_dispatch;
  put_in_front<&Calls::clCreateBuffer>(table, PlainCall<&Calls::clCreateBuffer, NoteMemory>::call, "clCreateBuffer");
  put_in_front<&Calls::clCreateImage>(table, PlainCall<&Calls::clCreateImage, NoteImage>::call, "clCreateImage");
  put_in_front<&Calls::clReleaseMemObject>(table, PlainCall<&Calls::clReleaseMemObject, NoteReleasedMemory>::call,
                                           "clReleaseMemObject");
  put_in_front<&Calls::clRetainMemObject>(table, SilentCall<&Calls::clRetainMemObject, NoteRetained<g_memory>>::call);
  put_in_front<&Calls::clCreateSubBuffer>(table, SilentCall<&Calls::clCreateSubBuffer, NotePart>::call);
  put_in_front<&Calls::clCreatePipe>(table, SilentCall<&Calls::clCreatePipe, NoteMemory>::call);
  put_in_front<&Calls::clCreateImage2D>(table, SilentCall<&Calls::clCreateImage2D, NoteMemory>::call);
  put_in_front<&Calls::clCreateImage3D>(table, SilentCall<&Calls::clCreateImage3D, NoteMemory>::call);
  put_in_front<&Calls::clCreateBufferWithProperties>(
      table, SilentCall<&Calls::clCreateBufferWithProperties, NoteMemoryWithProperties>::call);
  put_in_front<&Calls::clCreateImageWithProperties>(
      table, SilentCall<&Calls::clCreateImageWithProperties, NoteImageWithProperties>::call);
}

}  // namespace tarry::measure
