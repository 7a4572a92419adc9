# slurm.sh -- under Slurm: srun around and inside, batch scripts, time limits, jobs that run again, arrays of jobs.
# long
# serial
# no-san
# mpich
# timeout 900
set -u
. "$TARRY_ROOT/tests/pipeline/slurm_cluster.bash"
failed=0
[ "$TARRY_TEST_MPI" = mpich ] && export SLURM_MPI_TYPE=pmi2 || export SLURM_MPI_TYPE=pmix
"$MPICC" -std=gnu11 -O1 -Wall -Werror -DROUNDS=20 -o end "$TARRY_ROOT/tests/apps/end.c" || exit 1

# complain NAME WHAT: and what the measurement has said.
complain() { echo "$1: $2"; cat "$1".err "$1".log 2>/dev/null; failed=1; }
# is_whole NAME RANKS
is_whole() {
  grep -q "<run .*ranks=\"$2\".*complete=\"yes\"" "$1/manifest.xml" 2>/dev/null ||
    { complain "$1" "not complete"; return; }
  [ "$(tarry archive dump "$1" | grep -c ' ENTER .*"MPI_Barrier"')" = $((20 * $2)) ] || complain "$1" "not its rounds"
  tarry replay -q --strict "$1" || complain "$1" "cannot be analysed"
}
# batch NAME OPTION... <SCRIPT: submits it and waits for its end.
batch() {
  local name=$1
  shift
  sbatch -N 2 -n 4 --wait -J "$name" -o "$name.log" --open-mode=append "$@"
}

tarry measure -t -o around -- srun -N 2 -n 4 ./end return 0 2>around.err || complain around "status $?"
is_whole around 4
srun -N 2 -n 4 tarry measure -t -o inside ./end return 0 2>inside.err || complain inside "status $?"
is_whole inside 4
[ "$(grep -c 'inside holds a trace of 4 processes' inside.err)" = 1 ] || complain inside "not said once"
tarry measure -t -o both -- srun -N 2 -n 4 tarry measure -t -o inner ./end return 0 2>both.err || complain both "status $?"
is_whole both 4
[ ! -e inner ] || complain both "recorded twice"
# -K: without it the others go on under pmi2.
srun -K -N 2 -n 4 ./end signal 9 2>/dev/null
bare=$?
srun -K -N 2 -n 4 tarry measure -t -o killed ./end signal 9 2>killed.err
[ $? = $bare ] || complain killed "not status $bare"

# Two steps in one script: an archive each.
batch script >/dev/null <<'SH' || complain script "status $?"
#!/bin/sh
tarry measure -t -o step1 -- srun ./end return 0 && srun tarry measure -t -o step2 ./end return 0
SH
is_whole step1 4
is_whole step2 4

# The time limit comes while all work.
batch limit -t 0:05 >/dev/null <<'SH'
#!/bin/sh
tarry measure -t -o limit1 -- srun -n 2 --overlap ./end hang 0 &
srun -n 2 --overlap tarry measure -t -o limit2 ./end hang 0 &
wait
SH
for name in limit1 limit2; do
  [ -e $name/definitions.tdef ] || tarry unify -q $name 2>$name.err || complain $name "cannot be closed"
  [ "$(tarry archive dump $name | grep -c ' ENTER .*"MPI_Barrier"')" = 40 ] || complain $name "not its rounds"
  grep -q 'complete="no"' $name/manifest.xml || complain $name "is not marked"
done

# A job that is put back into the queue has the same number.
batch again --requeue >/dev/null <<'SH' || complain again "status $?"
#!/bin/sh
srun tarry measure -t -o "again.${SLURM_RESTART_COUNT:-0}" ./end return 0
srun tarry measure -t ./end return 0
[ -n "$SLURM_RESTART_COUNT" ] || { scontrol requeue "$SLURM_JOB_ID"; sleep 60; }
SH
for name in again.0 again.1 tarry-end-1 tarry-end-2; do is_whole $name 4; done

batch array --array=1-2 >/dev/null <<'SH' || complain array "status $?"
#!/bin/sh
srun tarry measure -t -o "array.$SLURM_ARRAY_TASK_ID" ./end return 0
SH
for name in array.1 array.2; do is_whole $name 4; done
exit $failed
