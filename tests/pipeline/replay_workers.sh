# replay_workers.sh -- however many threads analyse a trace, the report is the same to the last bit.
# timeout 300
set -u
. "$TARRY_ROOT/tests/peer/unpack.bash"
unpack_peer_cases zoo-4 sp-mz-S-2x2 npb-cg-S-4 micro random >cases || exit 1
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

for case in $(grep -vE "/r10(0[1345679]|1[01345789]|2.|3[012356789]|40)$" cases); do
  tarry replay -q --workers 1 "$case/traces.otf2" -o "$case/one.cubex" || { echo "FAILED: $case"; failed=1; continue; }
  for workers in 2 3; do
    same "$case" "with $workers threads" tarry replay -q --workers $workers "$case/traces.otf2" -o other.cubex
  done
done

# With a time series, too.
case=peer/sp-mz-S-2x2
tarry replay -q --workers 1 --iterations compute_rhs "$case/traces.otf2" -o "$case/one.cubex" || failed=1
same "$case" "with 3 threads by iteration" \
  tarry replay -q --workers 3 --iterations compute_rhs "$case/traces.otf2" -o other.cubex
exit $failed
