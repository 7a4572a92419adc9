# replay_processes_waits.sh -- however many processes analyse a trace, times, waits and counts are exactly the same.
# (replay_processes.sh asks that of everything, root causes and critical path included.)
# timeout 300
# no-san
set -u
. "$TARRY_ROOT/tests/peer/unpack.bash"
unpack_peer_cases zoo-4 sp-mz-S-2x2 micro random >cases || exit 1
root_causes='^(delay|waitstates_|mpi_wait_(direct|indirect|propagating|terminal)'
root_causes+='|(non_)?critical_|performance_|int.*_partition_)'
metrics=$(tarry replay --list-patterns | awk '{print $1}' | grep -vE "$root_causes" | paste -sd,)
failed=0

# same CASE HOW COMMAND...: COMMAND writes other.cubex, which must equal the case's report.
same() {
  local case=$1 how=$2
  shift 2
  rm -f other.cubex
  "$@" >other.out 2>&1 &&
    tarry cube dump --csv "$case/one.cubex" >one.csv &&
    tarry cube dump --csv other.cubex >other.csv &&
    "$PYTHON" "$TARRY_ROOT/tests/peer/compare_reports.py" --rel 0 --abs 0 --only "$metrics" one.csv other.csv \
      >other.out && return
  cat other.out
  echo "FAILED: $case $how"
  failed=1
}

for case in peer/zoo-4 peer/sp-mz-S-2x2 peer/micro/g5-hybrid peer/random/r1012; do
  tarry replay -q --workers 1 "$case/traces.otf2" -o "$case/one.cubex" || exit 1
  for processes in 1 2 3 5; do
    same "$case" "on $processes processes" \
      mpirun -np $processes tarry replay -q --workers 1 "$case/traces.otf2" -o other.cubex
  done
done
exit $failed
