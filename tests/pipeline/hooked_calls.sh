# hooked_calls.sh -- instrumented functions that functions without hooks call: the stack is walked where those change,
# not at each call. Call paths are those that walks find.
# no-san
# timeout 180
set -euo pipefail
fail() { echo "$1"; exit 1; }
apps=$TARRY_ROOT/tests/apps

stacks() { sed -n 's/.*call paths cost .*: \([0-9]*\) stacks\?.*/\1/p' "$1.err"; }

# run ARCHIVE COMMAND...: with a trace and a summary, which agree.
run() {
  local archive=$1; shift
  tarry measure -s -t -o "$archive" -- "$@" >"$archive.out" 2>"$archive.err" || { cat "$archive.err"; exit 1; }
  tarry replay -q --strict "$archive"
  for report in summary analysis; do
    tarry cube dump --csv "$archive/$report.cubex" | grep ^visits, | sort >"$archive.$report"
  done
  diff "$archive.summary" "$archive.analysis"
}

# visits ARCHIVE FUNCTION: of all call paths and threads.
visits() { awk -F, -v name="$2" '$2 ~ "/" name "$" { sum += $NF } END { print sum + 0 }' "$1.summary"; }

# few ARCHIVE1 ARCHIVE2 MOST: the second, with more calls, has at most so many stacks more.
few() {
  local more=$(($(stacks "$2") - $(stacks "$1")))
  [ "$more" -le "$3" ] || fail "$2: $(stacks "$2") stacks, $1: $(stacks "$1")"
}

sort >paths <<'PATHS'
10 library_catch/throwing
10 library_catch/throwing/visit
10 library_catch/throwing/visit/inner
10 library_jump/jumping
10 library_jump/jumping/visit
10 library_jump/jumping/visit/inner
14 library_loop/descend/descend
20 library_deeper/library_deeper/library_deeper/visit
20 library_deeper/library_deeper/library_deeper/visit/inner
20 library_deeper/library_deeper/visit
20 library_deeper/library_deeper/visit/inner
20 library_deeper/visit
20 library_deeper/visit/inner
20 library_loop/descend
20 library_loop/visit
20 library_loop/visit/inner
1 behind_end
1 library_catch
1 library_deeper
1 library_deeper/library_deeper
1 library_deeper/library_deeper/library_deeper
1 library_in_turns
1 library_jump
1 library_sort
2 library_loop
3 behind_end/library_end
3 behind_end/visit
3 behind_end/visit/inner
3 library_in_turns/library_first
3 library_in_turns/library_first/visit
3 library_in_turns/library_first/visit/inner
3 library_in_turns/library_second
3 library_in_turns/library_second/visit
3 library_in_turns/library_second/visit/inner
5 library_loop/descend/descend/descend/descend
9 library_loop/descend/descend/descend
PATHS
for options in -O0 "-O2 -fno-optimize-sibling-calls" "-O3 -fomit-frame-pointer -fno-pie -no-pie"; do
  echo "== built with $options"
  "${MPICC%cc}cxx" $options -g -c -o library.o "$apps/hooked_calls_library.cpp"
  tarry instrument "${MPICC%cc}cxx" $options -g -o hooked_calls "$apps/hooked_calls.cpp" library.o
  rm -rf ten thousand
  run ten mpirun -np 1 ./hooked_calls 10
  run thousand mpirun -np 1 ./hooked_calls 1000
  grep -qx "visits 109" ten.out || fail "the program prints $(cat ten.out)"
  sed -n 's,^visits\,hooked_calls/main/\(.*\)\,0\,0\,\([0-9]*\)$,\2 \1,p' ten.summary | grep -v 'MPI_\|compare' | sort >ten.paths
  diff paths ten.paths || fail "call paths are others"
  grep -q '/library_sort/compare,' ten.summary || fail "comparisons are elsewhere"
  # Of some 30,000 calls. Each part of the array is sorted inside other calls of the C library.
  few ten thousand 1000
done

for compiler in gcc clang gfortran; do
  echo "== loops of $compiler"
  [ $compiler != clang ] || command -v clang >/dev/null || continue
  source=$apps/hooked_loops.c
  [ $compiler != gfortran ] || source=$apps/hooked_loops.f90
  tarry instrument $compiler -O2 -g -fopenmp -o hooked_loops "$source"
  rm -rf few_calls many_calls
  run few_calls ./hooked_loops 5 10
  run many_calls ./hooked_loops 5 2000
  [ "small $(visits many_calls small)" = "$(cat many_calls.out)" ] || fail "$(visits many_calls small) visits"
  # A task may run in either thread, and walks once there.
  few few_calls many_calls 40
done
