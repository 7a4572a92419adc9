# wrong.sh -- merge refuses what makes no sense with 2, fails on what it cannot read or write, and overwrites nothing.
. "$TARRY_ROOT/tests/cli/needs_full_device.bash"
. "$TARRY_ROOT/tests/cli/expect.bash"

# refuses PATTERN COMMAND...: status 2, one line on stderr that matches PATTERN, nothing on stdout.
refuses() {
  local pattern=$1
  shift
  run_it "$@"
  if [ "$status" -ne 2 ] || [ "$(wc -l <err)" -ne 1 ] || [ -s out ] || ! grep -Eq "^tarry-merge: .*$pattern" err; then
    complain "'$*' is not refused with '$pattern'"
  else echo "refuses: $*"
  fi
}
refuses 'neither --to nor --from' tarry merge nowhere -o x
refuses 'no output' tarry merge nowhere --to csv
refuses 'xml' tarry merge nowhere -o x --to xml
refuses '--to' tarry merge nowhere -o x --to otf2 --from otf2
refuses "'5': is no window of time" tarry merge nowhere -o x --to csv --time 5
refuses "'3-1': is no list of numbers" tarry merge nowhere -o x --to csv --ranks 3-1
refuses 'needs --to csv' tarry merge nowhere -o x --to jsonl --safe-csv
refuses 'takes the whole trace' tarry merge --from otf2 nowhere -o x --ranks 1
refuses 'need --only-patterns' tarry merge nowhere -o x --to csv --patterns mpi_latesender
refuses 'need --only-patterns' tarry merge nowhere -o x --to csv --most 5
refuses '--patterns, --time, --ranks' tarry merge nowhere -o x --to csv --only-patterns --regions main
refuses 'needs --to otf2, paraver' tarry merge nowhere -o x --to tarry --only-patterns

record good
mkdir empty taken
fails 'nowhere: no such file' tarry merge nowhere -o x --to csv
fails 'empty: is no archive' tarry merge empty -o x --to csv
fails 'is no OTF2 trace' tarry merge --from otf2 good -o x
fails 'taken: exists already' tarry merge good -o taken --to otf2
fails 'taken: exists already' tarry merge good -o taken --to tarry
fails 'manifest.xml: is what is to be converted' tarry merge good -o good/manifest.xml --to csv
fails 'has none of these ranks' tarry merge good -o x --to csv --ranks 99
fails 'no region of the trace' tarry merge good -o x --to csv --regions 'nothing*'
fails 'there is no table of waits' tarry merge good -o x --to csv --around late-sender
fails 'three files' tarry merge good -o - --to paraver
fails 'taken: exists already' tarry merge good -o taken --to otf2 --only-patterns
fails 'three files' tarry merge good -o - --to paraver --only-patterns
fails "'mpi_latesander'" tarry merge good -o x --to csv --only-patterns --patterns mpi_latesander
fails 'has none of these ranks' tarry merge good -o x --to csv --only-patterns --ranks 99
tarry merge good -o - --to csv >/dev/full 2>err
status=$?
[ $status -eq 1 ] && grep -q 'standard output' err || complain 'a full disk is not noticed'
[ ! -e x ] || complain 'something was written'
ls | grep '\.tmp$' && complain 'temporary files are left'
exit $wrong
