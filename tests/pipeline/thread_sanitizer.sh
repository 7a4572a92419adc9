# thread_sanitizer.sh -- programs that are built with -fsanitize=thread run as they do alone: no report is new or lost.
# no-san
# timeout 300
set -u
failed=0
complain() { echo "FAILED: $*"; failed=1; }
apps=$TARRY_ROOT/tests/apps
# The runtime of OpenMP is not built for the sanitizer.
export TSAN_OPTIONS=ignore_noninstrumented_modules=1

# same NAME COMMAND...: alone and measured, with the same lines, status, and number of reports.
same() {
  local name=$1 bare measured
  shift
  "$@" >"$name.bare" 2>"$name.bare.err"
  bare=$?
  tarry measure -q -s -t -o "$name.run" -- "$@" >"$name.out" 2>"$name.err"
  measured=$?
  [ $bare = $measured ] || complain "$name: status $bare alone, $measured measured: $(grep -v '^$' "$name.err" | head -5)"
  cmp -s "$name.bare" "$name.out" || complain "$name: other output: $(diff "$name.bare" "$name.out")"
  [ "$(grep -c 'WARNING: ThreadSanitizer' "$name.err")" = "$(grep -c 'WARNING: ThreadSanitizer' "$name.bare.err")" ] ||
    complain "$name: other reports: $(grep -A8 'WARNING: ThreadSanitizer' "$name.err" | head -20)"
}


for compiler in gcc clang; do
  command -v $compiler >compiler.path || continue
  flags="-g -O1 -fsanitize=thread -pthread"
  $compiler $flags -o alone.$compiler "$apps/thread_sanitizer.c" 2>link.err || { echo "$compiler: no sanitizer"; continue; }
  same plain.$compiler ./alone.$compiler
  tarry instrument $compiler $flags -o inst.$compiler "$apps/thread_sanitizer.c" || complain "$compiler: does not build"
  same inst.$compiler ./inst.$compiler
  tarry archive verify inst.$compiler.run >verify 2>&1 || complain "$compiler: $(cat verify)"
  visits=$(tarry cube dump --csv inst.$compiler.run/summary.cubex |
    awk -F, '$1 == "visits" && $2 ~ /run\/add$/ { sum += $5 } END { print sum + 0 }')
  [ "$visits" = 4000 ] || complain "$compiler: add() was called 4000 times, $visits are recorded"
  # Clang's runtime forgets an access after some 100,000 others. With gcc's, the recorder's locks order accesses that
  # do not meet. Whether they meet is up to chance.
  steps=1000
  [ $compiler = clang ] || steps=500000
  fault="no race is found, not even alone"
  for i in 1 2 3 4 5 6 7 8; do
    ./alone.$compiler $steps >race.out 2>race.err
    grep -q 'data race' race.err || continue
    fault="a race is not found any more"
    tarry measure -q -t -o race.$compiler.$i -- ./alone.$compiler $steps >race.out 2>measured.err
    grep -q 'data race' measured.err && fault= && break
  done
  [ -z "$fault" ] || complain "$compiler: $fault"
done

if clang -g -O1 -fopenmp -fsanitize=thread -o teams "$apps/thread_sanitizer_omp.c" 2>link.err; then
  same teams ./teams
else
  echo "clang has no OpenMP with the sanitizer"
fi
[ $failed = 0 ]
