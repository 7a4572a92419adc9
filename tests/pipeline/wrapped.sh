# wrapped.sh -- functions of a header are recorded, and the program stays itself: all kinds of arguments and results,
# callbacks, exceptions, jumps, handlers, threads.
# no-san
# timed
set -u
failed=0
fail() { echo "FAILED: $1"; failed=1; }
apps=$TARRY_ROOT/tests/apps
for python in python3 /usr/bin/python3; do
  $python -c 'import clang.cindex; clang.cindex.Index.create()' 2>/dev/null && break
  [ $python = python3 ] || { echo "libclang for Python is not installed"; exit 77; }
done
export XDG_CACHE_HOME=$PWD/cache
gcc -O1 -g -shared -fPIC "$apps/wrapped_library.c" -o libwrapped.so || exit 1
for optimisation in -O0 -O2; do
  g++ $optimisation -g -std=gnu++20 "$apps/calls_wrapped.cpp" -o calls$optimisation -L. -lwrapped -Wl,-rpath,"$PWD" \
    -pthread || exit 1
done
visits() { tarry cube dump --csv "$1" -m visits | awk -F, -v path="$2" 'NR > 1 && $0 ~ path {sum += $NF} END {print sum + 0}'; }

# The same output and status, and what it has measured itself.
./calls-O2 >bare.out 2>bare.err
[ $? = 3 ] || exit 1
tarry measure -s -t --wrap-header "$apps/wrapped.h,./libwrapped.so" -o run -- ./calls-O2 >out 2>err
[ $? = 3 ] || fail "another status"
diff bare.out out || fail "another output"
grep -q 'wrapped.h: 12 functions; left out: wrapped_sum' err || fail "what is left out is not told: $(cat err)"
grep '^wrapped_work' err >told
/usr/bin/env python3 "$TARRY_ROOT/tests/pipeline/check_annotated.py" run/summary.cubex told --tolerance 0.1 || fail "summary"
tarry archive verify run >/dev/null || fail "not intact"
tarry replay -q --strict run || fail "not analysed"
/usr/bin/env python3 "$TARRY_ROOT/tests/pipeline/check_annotated.py" run/analysis.cubex told --tolerance 0.1 || fail "analysis"

# Each call once: left by exceptions and jumps, too. What a call calls is part of it.
for expected in 'wrapped_many,:1' 'wrapped_floats,:1' 'wrapped_long_double,:1' 'wrapped_complex,:1' 'wrapped_pairs,:1' \
  'wrapped_blocks,:1' 'wrapped_errno,:1' 'print_values/wrapped_recursive,:1' 'leave_calls()/wrapped_call_back,:200' \
  'wrapped_jump,:100' 'main/wrapped_call_back,:3' 'wrapped_sizes(dims=3x4x5)":1' 'wrapped_recursive(n=10),:1' \
  'wrapped_work(n=1),:24' 'wrapped_sum:0' 'wrapped_inline:0'; do
  pattern=$(printf %s "${expected%:*}" | sed 's/[()]/[&]/g; s/"$/"?/')
  [ "$(visits run/summary.cubex "$pattern")" = "${expected##*:}" ] ||
    fail "$(visits run/summary.cubex "$pattern") visits of ${expected%:*}, and not ${expected##*:}"
done
tarry archive dump run >events
[ "$(grep -c ' ENTER ' events)" = "$(grep -c ' LEAVE ' events)" ] || fail "enters without leaves"

# Without optimisation, with samples, in an instrumented program, with files, and a trace that is killed.
tarry measure -q -s --wrap-header "$apps/wrapped.h" --sample 997 -o sampled -- ./calls-O0 >out 2>err
diff bare.out out || fail "another output with samples"
[ "$(visits sampled/summary.cubex 'wrapped_jump,')" = 100 ] || fail "sampled: $(visits sampled/summary.cubex 'wrapped_jump,') jumps"
tarry instrument g++ -O1 -g -std=gnu++20 "$apps/calls_wrapped.cpp" -o hooked -L. -lwrapped -Wl,-rpath,"$PWD" -pthread
tarry measure -q -s -t --wrap-header "$apps/wrapped.h,./libwrapped.so" -o hooked.run -- ./hooked >out 2>err
diff bare.out out || fail "another output of an instrumented program"
tarry archive verify hooked.run >/dev/null || fail "hooked is not intact"
[ "$(visits hooked.run/summary.cubex 'wrapped_call_back/wrapped_call_back.n=5./throws[^/]*,')" = 400 ] ||
  fail "$(visits hooked.run/summary.cubex 'wrapped_call_back/wrapped_call_back.n=5./throws[^/]*,') calls of throws"

# Calls inside of calls, on demand; a filter.
tarry measure -q -s --wrap-nested --wrap-header "$apps/wrapped.h" -o nested -- ./calls-O2 >out 2>err
diff bare.out out || fail "another output with nested calls"
[ "$(visits nested/summary.cubex 'wrapped_call_back.n=4./wrapped_call_back/wrapped_call_back,')" = 4 ] ||
  fail "nested: $(visits nested/summary.cubex 'wrapped_call_back.n=4./wrapped_call_back/wrapped_call_back,') calls"
echo 'wrapped_jump' >jump.filter
tarry measure -q -s -f jump.filter --wrap-header "$apps/wrapped.h" -o filtered -- ./calls-O2 >out 2>err
diff bare.out out || fail "another output with a filter"
[ "$(visits filtered/summary.cubex 'wrapped_jump')" = 0 ] || fail "a filter excludes wrapped_jump, and it is recorded"

# Libraries that are opened later, two with the same function: who calls decides. The program itself has its address.
for number in 1 2; do
  echo "int wrapped_recursive(int n) { return n + ${number}00; }" >own$number.c
  echo 'int wrapped_recursive(int); int call(int n) { return wrapped_recursive(n); }
        int (*address(void))(int) { return wrapped_recursive; }' >user$number.c
  gcc -shared -fPIC own$number.c -o libown$number.so || exit 1
  gcc -shared -fPIC user$number.c -o libuser$number.so -L. -lown$number -Wl,-rpath,"$PWD" || exit 1
done
cat >opens.c <<'C'
#include <dlfcn.h>
#include <stdio.h>
int main(void) {
  for (int round = 0; round < 2; ++round) {
    void* const one = dlopen("./libuser1.so", RTLD_NOW | RTLD_LOCAL);
    void* const two = dlopen("./libuser2.so", RTLD_NOW | RTLD_LOCAL);
    int (*call_one)(int) = (int (*)(int))dlsym(one, "call"), (*call_two)(int) = (int (*)(int))dlsym(two, "call");
    int (*address)(int) = ((int (*(*)(void))(int))dlsym(one, "address"))();
    for (int i = 0; i < 3; ++i) printf("%d %d ", call_one(i), call_two(i));
    printf("%d\n", address(5));
    dlclose(two);
    dlclose(one);
  }
  return 0;
}
C
gcc opens.c -o opens -ldl || exit 1
./opens >opens.bare
tarry measure -q -s --wrap-header "$apps/wrapped.h" -o opens.run -- ./opens >opens.out || fail "opened libraries: status $?"
diff opens.bare opens.out || fail "opened libraries: another output"
[ "$(visits opens.run/summary.cubex 'wrapped_recursive,')" = 14 ] ||
  fail "opened libraries: $(visits opens.run/summary.cubex 'wrapped_recursive,') calls, and not 14"

# What cannot be is said, before anything runs.
tarry measure --wrap nonsense -o x -- touch ran 2>err && fail "nonsense is no library"
grep -q "does not know 'nonsense' (it knows blas, fftw, hdf5, lapack, netcdf)" err || fail "$(cat err)"
tarry measure --wrap-header nothing.h -o x -- touch ran 2>err && fail "nothing.h is not there"
echo 'int broken(' >broken.h
tarry measure --wrap-header broken.h -o x -- touch ran 2>err && fail "broken.h is no header"
echo 'extern int number;' >empty.h
tarry measure --wrap-header empty.h -o x -- touch ran 2>err && fail "empty.h has no functions"
grep -q 'declares no functions' err || fail "$(cat err)"
tarry measure --wrap-header "$apps/wrapped.h,nowhere" -o x -- touch ran 2>err && fail "there is no library 'nowhere'"
[ -e ran ] && fail "the program runs in spite of an error"
# A program that lacks a function ends as without Tarry.
echo 'int missing_function(int); int main(int c, char** v) { (void)v; return c > 1 ? missing_function(1) : 0; }' >missing.c
echo 'int missing_function(int n);' >missing.h
echo 'int missing_function(int n) { return n; }' >there.c
gcc -shared -fPIC there.c -o libmissing.so && gcc missing.c -o missing -Wl,-z,lazy -L. -lmissing -Wl,-rpath,"$PWD" || exit 1
echo 'int another_function;' >there.c
gcc -shared -fPIC there.c -o libmissing.so || exit 1
tarry measure -q --wrap-header missing.h -o missing.run -- ./missing || fail "a program that calls nothing fails"
./missing 1 2>/dev/null
bare=$?
tarry measure -q --wrap-header missing.h -o missing.call -- ./missing 1 2>err
[ $? = $bare ] || fail "a function that is not there: another status"
exit $failed
