# concurrent.sh -- programs of threads, processes and contexts (cancellation, forks, clone, exec, plug-ins, coroutines,
# fibers, futures, signals): the same output and status with and without the recorder, however they are recorded.
# no-san
# timeout 900
set -u
failed=0
source="$TARRY_ROOT/tests/apps/concurrent.cpp"
build() { "$@" -std=c++20 -O1 -g -w -pthread; }
build g++ -o bare "$source" && build tarry instrument g++ -o instrumented "$source" &&
  build tarry instrument g++ -DPLUGIN -shared -fPIC -o plugin.so "$source" || exit 1
if command -v clang++ >/dev/null && build tarry instrument clang++ -o of_clang "$source" 2>clang.err; then
  clang=of_clang
else
  clang=
fi

# run NAME COMMAND...: its output and status.
run() {
  local name=$1
  shift
  { timeout --kill-after=5 100 "$@" >"$name.out" 2>"$name.err"; echo "status $?" >>"$name.out"; } 2>bash.err
}

# compare CASE NAME OPTIONS PROGRAM
compare() {
  # shellcheck disable=SC2086
  run "$2-$1" tarry measure -q $3 -o "archive-$2-$1" -- "./$4" "$1"
  cmp -s "bare-$1.out" "$2-$1.out" && ! grep -a -q 'terminate called\|Assertion\|libtarry' "$2-$1.err" && return
  echo "$1, $2 ($3): $(diff "bare-$1.out" "$2-$1.out" | head -5) $(tail -3 "$2-$1.err")"
  failed=1
}

cases=${CONCURRENT_CASES:-$(./bare list)}
count=0
for case in $cases; do
  count=$((count + 1))
  run "bare-$case" ./bare "$case"
  grep -q '^status [06]$' "bare-$case.out" || { echo "$case, bare: $(cat "bare-$case.out" "bare-$case.err")"; failed=1; }
  compare "$case" trace -t instrumented
  compare "$case" both "-s -t --memory 1M" instrumented
  compare "$case" samples "-s -t --sample 1999" bare
  compare "$case" all "-s -t --io --sample 997" instrumented
  [ -z "$clang" ] || compare "$case" clang -s "$clang"
done
[ "$count" -ge 18 ] || [ -n "${CONCURRENT_CASES:-}" ] || { echo "only $count cases"; failed=1; }

# What was recorded is there, and complete where the program ends as it should.
for case in waves destructors plugins coroutines fibers futures c11_threads robust signals; do
  for name in trace both samples all; do
    [ -e "archive-$name-$case" ] || [ -z "${CONCURRENT_CASES:-}" ] || continue
    tarry archive verify "archive-$name-$case" >verify 2>&1 || { echo "$case, $name: $(cat verify)"; failed=1; }
  done
done
exit $failed
