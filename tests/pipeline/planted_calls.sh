# planted_calls.sh -- check_calls.py finds calls that were planted in a small library, and nothing in one without. Locks
# of others do not compile in the recorder.
# no-san
set -u
fail() { echo "$1"; exit 1; }
mkdir headers

# A header without a mark, and one for each context.
header() { printf '// %s.hpp -- planted.\n//\n%s\n#pragma once\n%s\n' "$1" "$2" "$3" >headers/"$1".hpp; }
header safe '// Calls: handler-safe.' 'namespace tarry::measure { void record_event(); }'
header blocking '// Calls: may block.' 'namespace tarry::measure { void write_out(); void finish_it(); }'
header ending '// Calls: at end only.' 'namespace tarry::measure { void end_all(); }'

# check BODY: what the check says of a library in which record_event() does this.
check() {
  cat >planted.cpp <<END
#include <cstdlib>
namespace tarry::measure {
struct RecorderLock { void wait(); };
volatile int calls;
[[gnu::noinline]] void RecorderLock::wait() { calls = calls + 1; }
[[gnu::noinline]] void write_out() { calls = calls + 2; }
[[gnu::noinline]] void end_all() { calls = calls + 3; }
void* volatile memory;
void (*volatile by_address)();
RecorderLock lock;
namespace {
[[gnu::noinline]] void step() { calls = calls + 4; $1 }
}
void record_event() { step(); calls = calls + 5; }
void finish_it() { write_out(); $2 calls = calls + 6; }
}
END
  g++ -std=c++20 -O2 -shared -fPIC -fvisibility=hidden -o planted.so planted.cpp || fail "does not compile: $1"
  "$PYTHON" "$TARRY_ROOT/tests/check_calls.py" --library planted.so --headers headers >said
}

check '' '' || { cat said; fail "a library without a fault has one"; }
while IFS='|' read -r body of_blocking said; do
  ! check "$body" "$of_blocking" || fail "not found: $body$of_blocking"
  grep -q "$said" said || { cat said; fail "found for another reason: $body$of_blocking"; }
done <<'END'
write_out();||record_event (handler-safe) calls write_out, which may block
lock.wait();||record_event (handler-safe) calls RecorderLock::wait, which waits for a lock
memory = std::malloc(9);||record_event (handler-safe) calls malloc, which is not on the list
end_all();||record_event (handler-safe) calls end_all, which is for the end only
by_address();||record_event (handler-safe) calls step, which calls by address
|end_all();|finish_it (may block) calls end_all, which is for the end only
END

# shown BODY: what the check says of a library that shows such a function to programs.
shown() {
  printf 'extern "C" void %s() {}\n' "$1" >shown.cpp
  g++ -shared -fPIC -o planted.so shown.cpp || fail "does not compile: $1"
  "$PYTHON" "$TARRY_ROOT/tests/check_calls.py" --library planted.so --headers headers >said
}
shown tarry_region_begin || { cat said; fail "a function of the list is not known"; }
! shown tarry_new_entry || fail "a function that is shown without a mark is not found"
grep -q 'tarry_new_entry: shown to programs' said || { cat said; fail "a function is found for another reason"; }

# Each of these lines, and no other, is an error in a source of the recorder.
cat >locks.cpp <<'END'
static std::atomic<int> count;
void use_mutex() { static std::mutex one; one.lock(); }
void use_guard(std::mutex& one) { std::lock_guard held(one); }
void use_shared() { static std::shared_mutex one; one.lock_shared(); }
void use_pthreads(pthread_mutex_t& one) { pthread_mutex_lock(&one); }
void use_rwlock(pthread_rwlock_t& one) { pthread_rwlock_rdlock(&one); }
void use_semaphore(sem_t& one) { sem_wait(&one); }
void use_once() { static std::once_flag once; std::call_once(once, [] {}); }
END
g++ -std=c++20 -I"$TARRY_ROOT/lib" -include measure/core/no_other_locks.hpp -fsyntax-only locks.cpp 2>said
lines=$(sed -n 's/^locks.cpp:\([0-9]*\):.*poisoned.*/\1/p' said | sort -un | tr '\n' ' ')
[ "$lines" = '2 3 4 5 6 7 8 ' ] || { cat said; fail "locks of others are errors in the lines $lines"; }
grep -q '^MEASURE_FIRST_HEADER := lib/measure/core/no_other_locks.hpp' "$TARRY_ROOT/lib/measure/rules.mk" ||
  fail "the recorder is compiled without the list of locks"

header unmarked '// Nothing about calls.' 'namespace tarry::measure { void forgotten(); }'
! check '' '' || fail "a header without a mark is not found"
grep -q 'unmarked.hpp: has no mark' said || { cat said; fail "a header without a mark is found for another reason"; }
