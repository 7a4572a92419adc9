# wrong_input.sh -- replay refuses what it cannot read and analyses what it can; nothing is overwritten.
. "$TARRY_ROOT/tests/cli/needs_full_device.bash"
. "$TARRY_ROOT/tests/cli/expect.bash"
record good
mkdir empty
echo text >file
fails 'nowhere: no such file' tarry replay nowhere
fails 'empty: is no archive' tarry replay empty
fails 'file: is neither an archive' tarry replay file
cp -r good newer && damage version newer/manifest.xml 3
fails 'newer/manifest.xml: has format version 3.0' tarry replay newer
rm -r newer && cp -r good newer && damage version "$(container newer)" 3
fails 'newer/events/.*: has format version 3.0' tarry replay newer
cp -r good older && damage version older/manifest.xml 1 && damage version "$(container older)" 1
works tarry replay older
tarry measure -q -s -o summary -- mpirun -np 2 ./progress 5
fails 'summary: holds no events' tarry replay summary

# An anchor without the files that it belongs to, and a trace in which nothing happened.
works tarry merge good --to otf2 -o files
for gone in 'files/traces/*.evt' files/traces; do
  rm -r $gone
  missing='files/traces.otf2: its event files are missing, 3 of 3 .first: files/traces/0.evt of rank 0 thread 0'
  fails "$missing" tarry replay files/traces.otf2
  fails "$missing" tarry merge --from otf2 files/traces.otf2 -o imported
done
works /usr/bin/python3 -c '
import otf2
with otf2.writer.open("none") as trace:
    node = trace.definitions.system_tree_node("machine")
    group = trace.definitions.location_group("MPI Rank 0", system_tree_parent=node)
    trace.definitions.location("Master thread", group=group)'
fails 'none/traces.otf2: holds no events' tarry replay none/traces.otf2

# bad HOW WHERE: a copy of the archive with a damaged container; must be analysed with a last line, and fail if strict.
bad() {
  rm -rf bad && cp -r good bad
  damage "$1" "$(container bad)" "$2"
  skips 'skipped' tarry replay bad
  run_it tarry replay --strict bad -o strict.cubex
  [ $status -eq 1 ] || complain "--strict passes"
  run_it tarry report bad
  [ $status -eq 0 ] && grep -qi incomplete out || complain "the report is not flagged"
}
bad flip-event 100
bad cut 0.6
bad drop 1
rm -rf bad && cp -r good bad && damage cut "$(container bad)" 20
fails 'bad: ' tarry replay bad

# Output that cannot be written is an error, and what stood there stays.
works tarry replay good -o out.cubex
cp out.cubex before
fails '/dev/full: No space' tarry replay good -o /dev/full
[ -c /dev/full ] || complain "a device was replaced by a file"
tarry replay good -o - >/dev/full 2>err
status=$?
[ $status -eq 1 ] && grep -q 'tarry-replay: standard output: No space' err || complain "a full disk is not said"
tarry replay -q good -o - 2>err | cmp -n 1000 - before || complain "'-' is not standard output"
tarry replay -q good -o - 2>err | head -c 10 >/dev/null
status=${PIPESTATUS[0]}
[ $status -eq 0 ] && [ ! -s err ] || complain "a reader that has seen enough is a failure"
fails 'missing/out.cubex: No such file' tarry replay good -o missing/out.cubex
fails 'empty: ' tarry replay good -o empty
fails 'is the input and will not be overwritten' tarry replay good -o good
fails 'is the input and will not be overwritten' tarry replay good -o "$(container good)"
fails 'is the input and will not be overwritten' tarry replay good -o good/definitions.tdef
works tarry archive verify good
exit $wrong
