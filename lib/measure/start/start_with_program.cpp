// start_with_program.cpp -- starts the recording of a program in which nothing but samples and files may be recorded.
//
// Behind all other initialisation of the recorder: rules.mk links this file last.
#include "measure/core/process_start.hpp"

namespace tarry::measure {
namespace {

[[gnu::constructor]] void start_with_program() { note_plain_program(); }

}  // namespace
}  // namespace tarry::measure
