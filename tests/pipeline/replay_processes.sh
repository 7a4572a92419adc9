# replay_processes.sh -- however many processes analyse a trace, the report is the same to the last bit.
# timeout 300
# no-san
# mpich
set -u
. "$TARRY_ROOT/tests/peer/unpack.bash"
unpack_peer_cases zoo-4 sp-mz-S-2x2 micro random >cases || exit 1
failed=0

# same CASE HOW COMMAND...: COMMAND writes other.cubex, which must equal the case's report.
same() {
  local case=$1 how=$2
  shift 2
  rm -f other.cubex
  "$@" >other.out 2>&1 && cmp "$case/one.cubex" other.cubex && return
  cat other.out
  echo "FAILED: $case $how"
  failed=1
}

for case in peer/zoo-4 peer/sp-mz-S-2x2 peer/micro/g4-lock peer/micro/g5-hybrid peer/random/r1012; do
  tarry replay -q --workers 1 "$case/traces.otf2" -o "$case/one.cubex" || exit 1
  for processes in 1 2 3 5; do
    same "$case" "on $processes processes" \
      mpirun -np $processes tarry replay -q --workers 1 "$case/traces.otf2" -o other.cubex
  done
done

# With a time series, too.
for case in peer/sp-mz-S-2x2 peer/zoo-4; do
  tarry replay -q --workers 1 --iterations 'MPI_*' "$case/traces.otf2" -o "$case/one.cubex" || exit 1
  same "$case" "on 3 processes by iteration" \
    mpirun -np 3 tarry replay -q --workers 1 --iterations 'MPI_*' "$case/traces.otf2" -o other.cubex
done
exit $failed
