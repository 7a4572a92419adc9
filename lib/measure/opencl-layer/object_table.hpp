// object_table.hpp -- what is known of the program's objects, by their handles.
//
// A record is never freed, only used again once its object is gone. So any thread may look for one without a lock, and
// there are as many as there were objects at the same time.
//
// Calls: may block.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "measure/opencl-layer/layer.hpp"

namespace tarry::measure {

/// What a record has for its table. References are those that keep its object: the program's, and those of its parts.
template <class Handle, class Record>
struct ObjectRecord {
  std::atomic<Handle> handle = nullptr;  // nullptr: of no object
  std::atomic<std::uint32_t> references = 0;
  std::atomic<bool> is_taken = false;
  Record* next = nullptr;  // in its bucket
};

template <class Handle, class Record>
class ObjectTable {
 public:
  /// nullptr: the object is not known. Linear in the objects of a bucket, which are at most kMostInBucket.
  Record* find(Handle handle) const {
    if (!handle) return nullptr;
    for (Record* record = head(handle).load(std::memory_order_acquire); record; record = record->next)
      if (record->handle.load(std::memory_order_acquire) == handle) return record;
    return nullptr;
  }

  /// A new object, with one reference. set_up(record) is called before it is found. Not if there are too many.
  template <class SetUp>
  void add(Handle handle, SetUp set_up) {
    forget(handle);
    Record* const record = handle ? free_record(handle) : nullptr;
    if (!record) return;
    set_up(*record);
    record->references.store(1, std::memory_order_relaxed);
    record->handle.store(handle, std::memory_order_release);
  }

  void retain(Handle handle) {
    if (Record* const record = find(handle)) record->references.fetch_add(1);
  }

  /// To be called before the object may be gone. True: that was the last reference.
  static bool drop(Record& record) {
    if (record.references.fetch_sub(1) != 1) return false;
    clear(record);
    return true;
  }

  /// The handle is that of another object now.
  void forget(Handle handle) {
    if (Record* const record = find(handle)) clear(*record);
  }

 private:
  static constexpr std::size_t kBuckets = 4096, kMostInBucket = 64;
  using Head = std::atomic<Record*>;

  // Handles are addresses.
  static std::size_t bucket_of(Handle handle) {
    const auto address = reinterpret_cast<std::uintptr_t>(handle);
    return (address >> 4 ^ address >> 16) % kBuckets;
  }
  Head& head(Handle handle) { return heads_[bucket_of(handle)]; }
  const Head& head(Handle handle) const { return heads_[bucket_of(handle)]; }

  static void clear(Record& record) {
    record.handle.store(nullptr, std::memory_order_relaxed);
    record.is_taken.store(false, std::memory_order_release);
  }

  // One of the bucket of the handle. nullptr: there is none.
  Record* free_record(Handle handle) {
    std::size_t count = 0;
    for (Record* record = head(handle).load(std::memory_order_acquire); record; record = record->next, ++count)
      if (!record->is_taken.exchange(true)) return record;
    void* const memory = count < kMostInBucket ? std::malloc(sizeof(Record)) : nullptr;
    if (!memory) return nullptr;
    auto* const record = new (memory) Record;
    record->is_taken.store(true, std::memory_order_relaxed);
    record->next = head(handle).load(std::memory_order_relaxed);
    while (!head(handle).compare_exchange_weak(record->next, record)) {
    }
    return record;
  }

  Head heads_[kBuckets] = {};
};

/// Around a call that retains an object of a table.
template <auto& kTable>
struct NoteRetained {
  template <class Handle>
  static void after(cl_int outcome, Handle handle) {
    if (outcome == CL_SUCCESS) kTable.retain(handle);
  }
};

/// Around a call that releases one.
template <auto& kTable>
struct NoteReleased {
  template <class Handle>
  static void before(Handle handle) {
    if (auto* const record = kTable.find(handle)) kTable.drop(*record);
  }
};

}  // namespace tarry::measure
