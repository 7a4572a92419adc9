# wait_states.sh -- programs that wait on purpose: measured, replayed, and found to wait as long as they say.
# serial
# no-san
# timeout 240
# mpich-long
#
# On a busy machine ranks may really wait longer than they were told to, so one right result out of three will do: a
# wrong analysis is wrong each time.
set -u
failed=0

# Runs program $1 with source $2 as attempt number $3.
is_right() {
  local run=run-$1-$3
  tarry measure -t -o "$run" -- mpirun -np 4 "./$1" &&
    tarry replay "$run" &&
    tarry cube dump --csv "$run/analysis.cubex" >"$run.csv" &&
    "$PYTHON" "$TARRY_ROOT/tests/pipeline/check_expect.py" "$2" "$run.csv"
}

for source in $(grep -l '#include "scene.h"' "$TARRY_ROOT"/tests/apps/*.c); do
  app=$(basename "$source" .c)
  # MPICH's windows need the target inside of MPI and a core for each rank: other waits than these scenes have.
  [ "$TARRY_TEST_MPI" = mpich ] && case $app in one_sided_*) continue ;; esac
  echo "== $app"
  "$MPICC" -std=gnu11 -O1 -g -Wall -Werror -o "$app" "$source" -lm &&
    { is_right "$app" "$source" 1 || is_right "$app" "$source" 2 || is_right "$app" "$source" 3; } ||
    { echo "FAILED: $app"; failed=1; }
done
exit $failed
