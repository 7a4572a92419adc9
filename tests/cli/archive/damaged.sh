# damaged.sh -- any damage is found by verify; what can be read is read, with a last line about the rest.
. "$TARRY_ROOT/tests/cli/expect.bash"
record good
works tarry archive verify good
works tarry replay -q good
works tarry archive verify good
tarry archive dump good >whole

# with NAME FILE HOW WHERE: a copy of the archive with one damage.
with() {
  rm -rf bad && cp -r good bad
  damage "$3" "bad/$2" "$4"
  echo "- $1"
}
tev=events/$(basename "$(container good)")
files=$(cd good && find . -type f -printf '%P\n' | sort)
[ "$(echo "$files" | wc -l)" -eq 6 ] || complain "another number of files than expected: $files"
for file in $files; do
  for where in 0 0.25 0.5 0.75 -1; do
    with "$file flipped at $where" "$file" flip "$where"
    differs 'bad: damaged' tarry archive verify bad
    grep -qF "$file" out || complain "verify does not name $file"
  done
  with "$file cut" "$file" cut -1
  differs 'bad: damaged' tarry archive verify bad
  grep -qF "$file" out || complain "verify does not name $file"
  rm -r bad/"$file"
  run_it tarry archive verify bad
  [ $status -eq 1 ] || complain "$file is gone and verify does not mind"
done

with "a flipped byte in the events" "$tev" flip-event 100
skips 'damaged chunk.*first: rank [0-9] thread 0, event' tarry archive dump bad
[ "$(wc -l <out)" -lt "$(wc -l <whole)" ] && [ "$(wc -l <out)" -gt 100 ] || complain "the other chunks are not read"
with "a container that is cut off in its last chunk of events" "$tev" cut-after -10
skips 'skipped.*incomplete location' tarry archive dump bad
for bytes in 0 10 80; do
  with "a container that ends $bytes bytes behind its last chunk of events" "$tev" cut-after $bytes
  skips 'skipped.*incomplete location' tarry archive dump bad
done
with "a container whose index is cut off" "$tev" cut -1
skips '1 damaged chunk' tarry archive dump bad
cmp out whole || complain "chunks are lost without the index"
with "a container that is cut off in its header" "$tev" cut 20
fails 'bad: holds no events' tarry archive dump bad
with "no rank 1" "$tev" drop 1
differs 'bad: damaged' tarry archive verify bad
skips 'missing location.*rank 1' tarry archive dump bad
grep -v '^1 ' whole | cmp out - || complain "the other ranks are not all there"

# As a disk leaves them that was full before the definitions could be written.
with "no definitions of rank 1" "$tev" undefine 1
rm bad/definitions.tdef bad/analysis.cubex
works tarry unify bad
works tarry replay bad
works tarry cube info bad/analysis.cubex
with "no definitions at all" "$tev" undefine all
rm bad/definitions.tdef bad/analysis.cubex
works tarry unify bad
fails 'bad: has no event whose region is known .*archive verify' tarry replay bad
exit $wrong
