# status.sh -- the compiler's status is passed on; wrong usage and missing compilers have the statuses of a shell.
. "$TARRY_ROOT/tests/cli/expect.bash"
expect_status() {  # expect_status STATUS COMMAND...
  local wanted=$1
  shift
  "$@" >out 2>err
  local status=$?
  [ $status -eq "$wanted" ] || complain "status $status instead of $wanted: $*"
}
echo 'int main(void) { return 0; }' >good.c
echo 'int main(void) { return 0 }' >bad.c
expect_status 0 tarry instrument gcc -c good.c
expect_status 1 tarry instrument gcc -c bad.c
expect_status 2 tarry instrument
expect_status 2 tarry instrument --no-such-option gcc -c good.c
expect_status 1 tarry instrument -f missing.filter gcc -c good.c
expect_status 127 tarry instrument no-such-compiler -c good.c
expect_status 0 tarry instrument --dry-run gcc -O3 -c other.c
grep -q -- '-finstrument-functions .*-O3 -c other.c$' out || complain "the dry run prints: $(cat out)"
[ ! -e other.o ] || complain "the dry run compiles"
expect_status 0 env TARRY_INSTRUMENT=off tarry instrument --dry-run gcc -O3 -c other.c
[ "$(cat out)" = 'gcc -O3 -c other.c' ] || complain "switched off it prints: $(cat out)"
TARRY_CC=gcc expect_status 0 "$TARRY_ROOT/bin/tarry-cc" -c good.c -o wrapped.o
nm wrapped.o | grep -q __cyg_profile_func_enter || complain "the wrapper does not instrument"
TARRY_CC=gcc TARRY_INSTRUMENT=off expect_status 0 "$TARRY_ROOT/bin/tarry-cc" -c good.c -o plain.o
nm plain.o | grep -q __cyg_profile && complain "the wrapper instruments though it is switched off"
exit $wrong
