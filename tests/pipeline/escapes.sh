# escapes.sh -- regions left by exceptions and pthread_exit are closed, and children leave nothing in the archive.
# no-san
set -eu
fail() { echo "$1"; exit 1; }
visits() { tarry cube dump --csv "$1/summary.cubex" | awk -F, -v path="$2" '$1 == "visits" && $2 ~ path { sum += $5 } END { print sum + 0 }'; }
expect() { [ "$(visits "$1" "$2")" = "$3" ] || fail "$1: $(visits "$1" "$2") visits of $2 instead of $3"; }
balanced() {
  tarry archive dump "$1" >"$1.events"
  awk '/ ENTER / { ++depth[$2] } / LEAVE / { if (--depth[$2] < 0) bad = 1 } END { exit bad || depth[0] || depth[1] }' "$1.events" ||
    fail "$1: enters and leaves do not match"
}
for compiler in g++ clang++; do
  command -v $compiler >/dev/null || continue
  tarry instrument $compiler -O1 -pthread -o escapes "$TARRY_ROOT/tests/apps/instrumented/escapes.cpp"
  tarry instrument gcc -O1 -o hard "$TARRY_ROOT/tests/apps/instrumented/hard.c"
  tarry measure -q -s -t -o run-$compiler -- ./escapes 5 './hard many 1000' >out 2>err
  tarry archive verify run-$compiler
  tarry replay -q --strict run-$compiler
  balanced run-$compiler
  expect run-$compiler '^escapes/main/step.int./step=[0-4]/risky../inner/work..$' 5
  expect run-$compiler '^escapes/main/after../work..$' 1
  expect run-$compiler '/leave_thread.int./leave_thread.int./leave_thread.int./work..$' 1
  # 5 in the steps, 3 in the thread, 1 after: none of the children's, which run 100,000 times each.
  expect run-$compiler '/work..$' 9
  [ "$(awk '$3 != last { last = $3 } END { print NR }' run-$compiler.events)" -lt 200 ] || fail "children leave events"
  grep -q 'holds another MPI job or program already .*hard is not recorded' err || fail "nobody says that hard is not recorded"

  # The selection ends with the iteration, also by an exception: nothing is recorded between and behind the chosen ones.
  TARRY_SELECT=step:1,3 tarry measure -q -s -t -o chosen-$compiler -- ./escapes 5 >out
  tarry archive verify chosen-$compiler
  tarry replay -q --strict chosen-$compiler
  balanced chosen-$compiler
  expect chosen-$compiler '/step=1/' 3
  expect chosen-$compiler '/step=3/' 3
  expect chosen-$compiler '/work..$' 2
done
