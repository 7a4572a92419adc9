# omp_target_devices.sh -- target constructs whose kernels run while their plug-in does not: calls, and the wait that is
# left of each construct. Nothing is said of when the device begins and ends.
set -u
failed=0
fail() { echo "FAILED: $1"; failed=1; }

${CC:-gcc} -O1 -g -Wall -Werror "$TARRY_ROOT/tests/apps/omp_target_runtime.c" -o omp_target_runtime -ldl || exit 1
[ "$(./omp_target_runtime 2>/dev/null)" = done ] || exit 1

for what in s t; do
  tarry measure -q -$what -o $what -- ./omp_target_runtime >$what.out 2>$what.err || fail "-$what: status $?"
  [ "$(cat $what.out)" = done ] || fail "-$what: other output"
  tarry archive verify $what >/dev/null || fail "-$what is not intact"
done
tarry replay -q --strict t || fail "the trace is not analysed"

check() { # REPORT
  tarry cube dump --csv "$1" >dump.csv
  awk -F, -v took="$(sed -n 's/constructs //p' "${1%/*}.err")" '
    function of(name) { return name ~ /target launch/ ? "launch" : name ~ /target wait/ ? "wait" : name ~ /target copy/ ? "copy" : "rest" }
    { n = split($2, part, "/"); what = of(part[n]) }
    $1 == "time" && part[n] ~ /omp target/ { time[what] += $5; all += $5 }
    $1 == "visits" { visits[what] += $5 }
    END {
      if (visits["launch"] != 5 || visits["copy"] != 10 || visits["wait"] != 10) { print "visits", visits["launch"], visits["copy"], visits["wait"]; exit 1 }
      if (time["wait"] < 0.099 || time["launch"] < 0.0049 || time["copy"] < 0.0099) { print "times", time["wait"], time["launch"], time["copy"]; exit 1 }
      if (all > took || all < 0.9 * took) { print "all", all, "of", took; exit 1 }
    }' dump.csv || fail "$1"
}
check s/summary.cubex
check t/analysis.cubex
tarry cube info t/analysis.cubex | grep -q '^queues' && fail "there is a queue"
exit $failed
