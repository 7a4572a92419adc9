// other_handlers.cpp -- functions in front of signal handlers, to which no signal leads: no samples are taken here.
#include "measure/processor/handler_entries.hpp"
#include "measure/processor/processor.hpp"

extern "C" {
[[gnu::visibility("hidden")]] void (*tarry_choose_handler(int signal, siginfo_t* info, void* context))(int, siginfo_t*,
                                                                                                       void*);

void tarry_stand_before_handler(int signal, siginfo_t* info, void* context) {
  if (const auto handler = tarry_choose_handler(signal, info, context)) handler(signal, info, context);
}

void tarry_sample_handler(int, siginfo_t*, void*) {}
void tarry_return_from_sigaction() {}
const char tarry_sample_context_kept[1] = {}, tarry_sample_handler_end[1] = {};

void tarry_call_on_stack(void (*function)(void*), void* argument, void*) { function(argument); }
}

namespace tarry::measure::processor {

bool has_steady_counter() { return false; }

std::uintptr_t stack_of_jump(const __jmp_buf_tag*) { return 0; }

}  // namespace tarry::measure::processor
