// file_transfers.hpp -- the hooks of reads, writes and flushes; see FileHooks.
//
// Calls: handler-safe.
#pragma once

#include "measure/io/file_hooks.hpp"

namespace tarry::measure {

ssize_t record_read(int descriptor, void* buffer, std::size_t size, decltype(&::read) real);
ssize_t record_write(int descriptor, const void* buffer, std::size_t size, decltype(&::write) real);
ssize_t record_pread(int descriptor, void* buffer, std::size_t size, off64_t offset, decltype(&::pread64) real);
ssize_t record_pwrite(int descriptor, const void* buffer, std::size_t size, off64_t offset, decltype(&::pwrite64) real);
void record_transfer(FileFunction function, const void* caller, int descriptor, std::size_t bytes,
                     ssize_t (*real)(void* closure), void* closure);
void add_transfer(FileCall call, bool is_write, std::size_t bytes);

}  // namespace tarry::measure
