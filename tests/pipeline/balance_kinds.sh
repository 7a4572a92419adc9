# balance_kinds.sh -- programs that are unbalanced in known ways, and for known reasons, have the names of these in the
# report: by kind and rank, not by time.
# timed
# timeout 180
set -u
. "$TARRY_ROOT/tests/cli/expect.bash"
failed=0
wrong() { echo "FAILED: $*"; failed=1; }
check() { "$PYTHON" "$TARRY_ROOT/tests/pipeline/check_balance.py" "$@" || failed=1; }
tarry instrument "$MPICC" -std=gnu11 -O1 "$TARRY_ROOT/tests/apps/balance_known.c" -o balance || exit 1
tarry instrument "$MPICC" -std=gnu11 -O1 "$TARRY_ROOT/tests/apps/outside_known.c" -o outside || exit 1

# A summary knows the kinds; an analysis also knows whether ranks wait between two regions.
tarry measure -q -s -t -o run -- mpirun -np 8 ./balance || exit 1
tarry replay -q run || wrong "replay"
kinds="slow_one=overloaded_minority:3 fast_one=underloaded_minority:5 two_groups=clusters linear=spread
       cancel_up=clusters cancel_down=clusters add_once=overloaded_minority:6 add_twice=overloaded_minority:6"
for report in run/summary.cubex run/analysis.cubex; do
  tarry report --json -o findings.json $report || wrong "report of $report"
  check findings.json $kinds cancel_up+cancel_down=cancelling add_once+add_twice=aggravating two_groups+add_once=none
done
check findings.json apart_up+apart_down=synchronised
tarry report run >report.txt
grep -q '^Load balance' report.txt || wrong "no heading"
grep -q 'overloaded minority   slow_one: rank 3 takes .*, the other 7 ' report.txt ||
  { wrong "the text does not name the rank"; cat report.txt; }

# What the program does not do itself: pages, files, sleep.
tarry measure -q -s -o causes --io --metrics ru_utime,ru_stime,ru_minflt,ru_majflt,ru_nvcsw,ru_nivcsw -- \
  mpirun -np 4 ./outside || exit 1
tarry report --json -o causes.json causes || wrong "report of causes"
check causes.json 'touch<page_faults:1' 'write<file_io:2' 'doze<blocked:3'

# A rank whose processor others take.
[ "$(nproc)" -ge 2 ] || exit $failed
first=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')
spinners=
trap 'kill $spinners 2>/dev/null' EXIT
for i in 1 2 3; do
  taskset -c "$first" sh -c 'while :; do :; done' &
  spinners="$spinners $!"
done
# A machine that is busy otherwise may hide it once: it takes the processor of the other rank, too.
blames_processor() {  # RUN OPTION...
  for try in 1 2 3; do
    tarry measure -q -s -o $1$try "${@:2}" -- mpirun -np 2 ./outside pin && tarry report --json -o $1.json $1$try || return 1
    "$PYTHON" "$TARRY_ROOT/tests/pipeline/check_balance.py" $1.json 'spin<preemption:0' && return
  done
  return 1
}
blames_processor counted --metrics ru_utime,ru_stime,ru_nvcsw,ru_nivcsw || wrong "the processor, by counters"
blames_processor plain || wrong "the processor, without counters"
# Where others wait for that rank, the first sentence tells why.
for try in 1 2 3; do
  tarry measure -q -t -o waits$try -- mpirun -np 2 ./outside pin wait && tarry replay -q waits$try || exit 1
  tarry report waits$try >preempted.txt
  told=$(sed -n '/^What to look at/{n;p}' preempted.txt |
    grep -Ec 'rank 0 spends .* in spin.*, at least [0-9.]+% of it ready to run without a processor')
  [ "$told" = 0 ] || break
done
kill $spinners
[ "$told" = 1 ] || { wrong "the first sentence does not tell of the processor"; cat preempted.txt; }
exit $failed
