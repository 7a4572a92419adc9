# wrong_usage.sh -- options that make no sense are refused with 2 before anything is touched.
. "$TARRY_ROOT/tests/cli/expect.bash"

# refuses PATTERN COMMAND...: status 2, one line on stderr that matches PATTERN, nothing on stdout.
refuses() {
  local pattern=$1
  shift
  run_it "$@"
  if [ "$status" -ne 2 ] || [ "$(wc -l <err)" -ne 1 ] || [ -s out ] || ! grep -Eq "^tarry-replay: .*$pattern" err; then
    complain "'$*' is not refused with '$pattern'"
  else echo "refuses: $*"
  fi
}
refuses 'instances' tarry replay nowhere --instances 0
refuses 'instances' tarry replay nowhere --instances -1
refuses 'instances' tarry replay nowhere --instances many
refuses 'no input' tarry replay --instances 3
refuses "'5': is no window" tarry replay nowhere --window 5
refuses "'x': is no time" tarry replay nowhere --window x:5
refuses "'5:2': ends before it begins" tarry replay nowhere --window 5:2
refuses "'mpi_latesendr': .*did you mean mpi_latesender" tarry replay nowhere --patterns time,mpi_latesendr
refuses "'': is no metric" tarry replay nowhere --patterns time,

# What only the trace can tell is found out before anything is written.
record good
fails "'mian': is no region of good .*nearest" tarry replay good --phase mian
fails 'has nothing in the seconds 1000: of the run' tarry replay good --window 1000:
[ ! -e good/analysis.cubex ] || complain 'a report was written'

# Tables of single waits stand beside files only, and never replace the input.
run_it tarry replay good --instances 2 -o /dev/null
[ "$status" -eq 0 ] && [ ! -e /dev/null-instances.csv ] || complain 'tables beside a device'
ln -s good/manifest.xml report-instances.csv
fails 'report-instances.csv: is the input' tarry replay good --instances 2 -o report.cubex
[ ! -e report.cubex ] || complain 'a report was written'

# An analysis takes the place of an earlier one, and so do its tables.
works tarry replay good --instances 1
works tarry replay good --instances 2

# Parts of a run say so; only what was asked for is in them.
works tarry replay good --window 0: --phase 'MPI_*' --patterns mpi_barrier_wait,visits --instances 2
run_it tarry report good
grep -q 'covers only seconds 0: of the run, visits of MPI_\*, metrics mpi_barrier_wait,visits' out || complain 'not said'
run_it tarry cube dump --csv good/analysis.cubex
known='metric|time|execution|mpi|mpi_synchronization|mpi_sync_collective|mpi_barrier_wait|visits'
cut -d, -f1 out | sort -u | grep -vE "^($known)$" &&
  complain 'other metrics are there'

# A bar is drawn on terminals only, not for short jobs, and not if nothing is to be said.
if command -v script >/dev/null && "$PYTHON" -c 'import os; os.openpty()' 2>/dev/null; then
  TERM=xterm script -qec 'tarry replay good' /dev/null >typescript </dev/null
  grep -q 'analysed' typescript && ! grep -q 'reading events' typescript || complain 'a bar for a short job'
fi
exit $wrong
