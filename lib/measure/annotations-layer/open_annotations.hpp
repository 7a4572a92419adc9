// open_annotations.hpp -- which annotated regions are open in a thread, and what ends when the program says so.
//
// Interfaces have stacks of their own: one for each domain, one for kernels, one for ranges that have a number. The
// recorder has one call path. A region that ends while others are open inside it, which began later, does not nest with
// them. Then those end with it, and begin anew at once: all times remain right, and they have one more visit.
//
// A range that ends in another thread than it began in is no region of either. Once that has been seen, ranges of its
// name are not recorded. The one that shows it ends with the next annotation of its own thread.
//
// Calls: handler-safe.
#pragma once

#include <cstdint>

namespace tarry::measure {

/// What regions belong to that end in the opposite order of their begins: any address.
using AnnotationStack = const void*;

/// The number of an open region of this process; 0: there is none.
using AnnotationNumber = std::uint64_t;

/// Begins a region of a kept name in the calling thread.
AnnotationNumber begin_annotation(const char* name, AnnotationStack stack);

/// The same for one pass of a loop: each number has a call path of its own.
AnnotationNumber begin_iteration(const char* name, long long number, AnnotationStack stack);

/// Ends the region of that stack that the calling thread has begun last. Nothing, if none is open.
void end_annotation(AnnotationStack stack);

/// Ends the region that the calling thread has begun last, of any stack.
void end_latest_annotation();

/// Begins and ends a region that has a number, and may end in another thread than it began in.
AnnotationNumber begin_range(const char* name);
void end_range(AnnotationNumber number);

/// A region that ends where it begins: its visits count.
void mark_annotation(const char* name);

}  // namespace tarry::measure
