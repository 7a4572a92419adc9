# score_filter.sh -- the filter that score writes meets its targets in the following run, and drops no more than it must.
# timeout 240
set -u
failed=0
wrong() { echo "FAILED: $*"; failed=1; }
cat >program.c <<'PROGRAM'
#include <mpi.h>
volatile double sink;
__attribute__((noinline)) double tiny(double x) { return x * 1.000001; }
__attribute__((noinline)) double small(double x) { for (int i = 0; i < 200; ++i) x = x * 1.0001 + 1e-9; return x; }
__attribute__((noinline)) double large(double x) { for (int i = 0; i < 2000000; ++i) x = x * 0.9999 + 1e-9; return x; }
__attribute__((noinline)) double exchange(double x) { double sum; MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); return sum; }
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  double x = 1;
  for (int step = 0; step < 10; ++step) {
    for (int i = 0; i < 20000; ++i) x = tiny(x);
    for (int i = 0; i < 500; ++i) x = small(x);
    x = large(x);
    x = exchange(x) / 2;
  }
  sink = x;
  MPI_Finalize();
  return 0;
}
PROGRAM
tarry instrument $MPICC -O1 -o program program.c || exit 1
measure() { tarry measure "$@" -- mpirun -np 2 ./program >out 2>&1 || { cat out; exit 1; }; }
field() { awk -F, -v kind="$2" -v column="$3" '$1 == kind { printf "%.0f\n", $column; exit }' "$1"; }

measure -s -o full
tarry score full --csv --top 0 >full.csv || exit 1
tarry score full -g app.filter --max-buffer 64k --max-overhead 3% --csv --top 0 >plan.csv || exit 1
cat app.filter
grep -q ' tiny$' app.filter || wrong "the function that costs most for its time is not filtered"
grep -qE ' (large|exchange)$' app.filter && wrong "more is filtered than must be"
test "$(field plan.csv total 7)" -gt 65536 || wrong "there was nothing to do"
test "$(field plan.csv filtered 7)" -le 65536 || wrong "the plan misses its target"

# The next run: its buffers are as small as promised, and their sizes are those of the plan.
measure -t --filter app.filter -o less
tarry archive info less >info
bytes=$(awk '$1 == "events" { events = $2 } $1 == "per" && $2 == "event" { print events * $3 }' info)
planned=$(field plan.csv filtered 6)
echo "with the filter: planned $planned bytes, are $bytes"
awk -v planned="$planned" -v are="$bytes" 'BEGIN { exit !(planned <= 1.1 * are && planned >= 0.9 * are) }' ||
  wrong "the plan is off by more than 10 %"
awk -v are="$bytes" 'BEGIN { exit !(are / 2 <= 65536) }' || wrong "the target is missed in the run"
measure -s --filter app.filter -o again
tarry score again --csv >again.csv
test "$(field again.csv total 7)" -le 65536 || wrong "the largest buffer is above the target"
awk -F, '$1 == "total" { events = $5; time = $10 } END { exit !(events * 13e-9 / time <= 0.03) }' again.csv || wrong "dilation"
tarry cube calltree again/summary.cubex | grep -q ' tiny$' && wrong "tiny is still recorded"
tarry cube calltree again/summary.cubex | grep -q ' large$' || wrong "large is not recorded"

# Where the target holds already, score says so and writes a filter without rules.
tarry score full -g empty.filter --max-overhead 100000% >/dev/null 2>err || wrong "a target that holds"
grep -q 'the filter has no rules' err || { cat err; wrong "it is not said that the target holds already"; }
grep -q EXCLUDE empty.filter && wrong "rules where none are needed"

# Whatever can go, goes: MPI stays, and score names what forbids the target, and what would do.
tarry score full -g none.filter --max-buffer 1 >/dev/null 2>err || wrong "an impossible target"
grep -q -- '--max-buffer 1 B cannot be met: MPI_[A-Za-z_]* takes .* (MPI is never filtered); the least is --max-buffer [0-9]*k' err ||
  { cat err; wrong "what forbids the target is not named"; }
least=$(sed 's/.*the least is --max-buffer \([0-9]*k\).*/\1/' err)
tarry score full -g least.filter --max-buffer $least >/dev/null 2>err || wrong "-g $least"
grep -q 'cannot be met' err && wrong "the least size that score names is not enough"

# Costs are those of the machine of the run. A report without any gets those of this machine, which score says.
tarry cube info full/summary.cubex | grep -q 'recording_cost_function = [0-9.e-]*,[0-9.e-]*,[0-9.e-]*$' || wrong "no costs in the report"
tarry score full | grep -q 'measured on .* when the run was over' || wrong "where costs are from"
awk -F, '$1 == "total" { exit !($13 > $14 && $14 > 0 && $15 > $14 && $12 > 0) }' full.csv || wrong "dilation of trace, summary, both"
awk -F, '$1 == "filtered" { run = $13 } $1 == "filtered_at_compile_time" { compiled = $13 } $1 == "total" { all = $13 }
  END { exit !(all > run && run > compiled && compiled >= 0) }' plan.csv || wrong "filtered calls cost nothing, or as much as others"
exit $failed
