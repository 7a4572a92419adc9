// annotation_entries.hpp -- functions of annotations that a program would not find without libtarry-annotations.so.
//
// That library has them in front of those of others. Programs may ask whether they are there.
//
// Calls: may block.
#pragma once

namespace tarry::measure {

/// Whether that library has the function, and no other one that is loaded has it.
bool is_only_for_annotations(const char* name);

}  // namespace tarry::measure
