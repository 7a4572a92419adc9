# wait_states.sh -- programs that wait on purpose: measured, replayed, and found to wait as long as they say.
# timed
# no-san
# timeout 240
# mpich-long
#
# On a busy machine ranks may really wait longer than they were told to, so each value must be right in one of five runs,
# each with longer delays than the one before: a wrong analysis is wrong in each.
set -u
failed=0

# is_right PROGRAM SOURCE
is_right() {
  local run
  for attempt in 1 2 3 4 5; do
    run=run-$1-$attempt
    TARRY_TEST_STRETCH=$attempt tarry measure -q -t -o "$run" -- mpirun -np 4 "./$1" && tarry replay -q "$run" &&
      tarry cube dump --csv "$run/analysis.cubex" >"$run.csv" || return
    "$PYTHON" "$TARRY_ROOT/tests/pipeline/check_expect.py" --stretched "$2" "run-$1"-?.csv >"$1.txt" && { cat "$1.txt"; return; }
  done
  cat "$1.txt"
  return 1
}

for source in $(grep -l '#include "scene.h"' "$TARRY_ROOT"/tests/apps/*.c); do
  app=$(basename "$source" .c)
  # MPICH's windows need the target inside of MPI and a core for each rank: other waits than these scenes have.
  [ "$TARRY_TEST_MPI" = mpich ] && case $app in one_sided_*) continue ;; esac
  echo "== $app"
  "$MPICC" -std=gnu11 -O1 -g -Wall -Werror -o "$app" "$source" -lm && is_right "$app" "$source" ||
    { echo "FAILED: $app"; failed=1; }
done
"$PYTHON" "$TARRY_ROOT/tests/report/check_ideal.py" run-*-1 || { echo "FAILED: predictions"; failed=1; }
exit $failed
