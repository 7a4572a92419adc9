# other_compilers.sh -- compilers that lack some of the options of `tarry instrument` still build: the others are left out,
# or handed to the compiler of the host, and one line says what is not recorded.
# no-san
# timeout 300
set -eu
fail() { echo "FAILED: $*"; exit 1; }
export XDG_CACHE_HOME=$PWD/cache
visits() { tarry cube dump --csv "$1/summary.cubex" | awk -F, -v name="$2" '$1 == "visits" && $2 ~ ("(^|/)" name "(\\(int\\))?$") { sum += $5 } END { print sum + 0 }'; }

cat >steps.c <<'C'
#include <stdio.h>
static int __attribute__((noinline)) host_step(int value) { return value + 1; }
int main(void) {
  int value = 0;
  for (int i = 0; i < 3; ++i) value = host_step(value);
  printf("host %d\n", value);
  return 0;
}
C
# A compiler that refuses options with the words it is given; what it takes goes to gcc. It counts its calls.
wrapper() {  # wrapper NAME PATTERN...: options that it does not know
  name=$1
  shift
  { echo '#!/bin/sh'
    echo "echo >>$PWD/$name.calls"
    echo 'for word in "$@"; do case $word in'
    for pattern in "$@"; do echo "$pattern) echo \"$name: error: unknown option '\$word'\" >&2; exit 1 ;;"; done
    echo 'esac; done'
    echo 'exec gcc "$@"'
  } >"$name"
  chmod 755 "$name"
}
try() {  # try NAME COMPILER VISITS LINES: builds in two steps and in one
  tarry instrument "$2" -c steps.c -o "$1.o" 2>"$1.err" || { cat "$1.err"; fail "$1 does not compile"; }
  tarry instrument "$2" "$1.o" -o "$1-two" 2>>"$1.err" || { cat "$1.err"; fail "$1 does not link"; }
  tarry instrument "$2" steps.c -o "$1-one" 2>"$1.err" || { cat "$1.err"; fail "$1 does not build"; }
  [ "$(grep -c 'tarry-instrument: warning' "$1.err" || true)" = "$4" ] || { cat "$1.err"; fail "$1: lines"; }
  [ "$(grep -vc 'tarry-instrument: warning' "$1.err" || true)" = 0 ] || { cat "$1.err"; fail "$1: other lines"; }
  for program in "$1-one" "$1-two"; do
    [ "$("./$program")" = "host 3" ] || fail "$program alone"
    [ "$(tarry measure -q -o "run-$program" -- "./$program" 2>/dev/null)" = "host 3" ] || fail "$program measured"
    [ "$(visits "run-$program" host_step)" = "$3" ] || { tarry cube calltree "run-$program"; fail "$program: visits"; }
  done
}

wrapper knows-all nothing
try knows-all ./knows-all 3 0
calls=$(wc -l <knows-all.calls)
tarry instrument ./knows-all -c steps.c -o again.o
[ "$(wc -l <knows-all.calls)" -le $((calls + 3)) ] || fail "options are tried out once more"  # itself, and twice --version
wrapper no-list '-finstrument-functions-exclude*'
try no-list ./no-list 3 0
wrapper no-debug '-g1'
try no-debug ./no-debug 3 0
wrapper no-hooks '*-finstrument*'
try no-hooks ./no-hooks 0 1
wrapper no-groups '-Wl,--push-state*'
sed -i '2i [ "$1" = --version ] \&\& exec echo some compiler 1.0' no-groups
try no-groups ./no-groups 3 0
wrapper only-files '-finstrument*' '-g1' '-Wl*' '-X*'
try only-files ./only-files 0 1
XDG_CACHE_HOME=/dev/null/none HOME=/dev/null/none tarry instrument ./no-hooks -c steps.c -o without.o 2>/dev/null || fail "without a cache"
TMPDIR=/dev/null/none XDG_CACHE_HOME=$PWD/empty-cache tarry instrument gcc -c steps.c -o without.o || fail "without TMPDIR"
TMPDIR=/dev/null/none tarry instrument gcc -fopenmp -c steps.c -o without.o || fail "OpenMP without TMPDIR"

# Its own errors are its own, and told once.
echo 'int main(void) { return wrong; }' >wrong.c
tarry instrument ./no-hooks -c wrong.c 2>wrong.err && fail "wrong.c compiles"
[ "$(grep -c "error" wrong.err)" = 1 ] || { cat wrong.err; fail "errors"; }
tarry instrument ./not-there -c steps.c 2>/dev/null && fail "a compiler that is not there"

if command -v tcc >/dev/null; then try tcc tcc 0 1; else echo "no tcc"; fi

# CUDA: the host's side is recorded; with MPI by the compiler of the host.
PATH=$PATH:/usr/local/cuda/bin
if command -v nvcc >/dev/null; then
  tarry instrument nvcc "$TARRY_ROOT/tests/apps/instrumented/hosted.cu" -o hosted 2>hosted.err || { cat hosted.err; fail "nvcc"; }
  grep tarry hosted.err && fail "nvcc: a line"
  [ "$(tarry measure -q -o run-hosted -- ./hosted)" = "host 3" ] || fail "hosted"
  [ "$(visits run-hosted host_step)" = 3 ] || { tarry cube calltree run-hosted; fail "hosted: visits"; }
else
  echo "no nvcc"
fi
