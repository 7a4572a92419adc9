# wrong_input.sh -- unify refuses what is no archive, mends what it can, and never makes anything worse.
. "$TARRY_ROOT/tests/cli/expect.bash"
record good
mkdir empty hollow hollow/events
echo text >file
fails 'nowhere: no such file' tarry unify nowhere
fails 'empty: is no archive' tarry unify empty
fails 'file: is a file, not an archive' tarry unify file
fails 'hollow: no process has recorded anything' tarry unify hollow
cp -r good newer && damage version newer/manifest.xml 3
fails 'newer/manifest.xml: has format version 3.0' tarry unify newer
skips 'good: the global definitions are there already, of 3 processes' tarry unify good
holds "nothing was changed" diff -r good newer --exclude manifest.xml
run_it tarry unify
[ $status -eq 2 ] || complain "no archive is wrong usage"

# While the recording goes on nothing is touched.
tarry measure -q -t -o running -- mpirun -np 2 sh -c './progress 20; touch done; while [ -e done ]; do sleep 0.1; done' &
while ! [ -e done ]; do sleep 0.05; done
fails 'running: is still being recorded .wait' tarry unify running
rm -f done
wait $!
works tarry archive verify running

# The definitions are made again from what the processes wrote; a damaged manifest is kept beside the new one.
tarry archive dump good >whole
cp -r good bad && damage flip bad/definitions.tdef 0.5
skips 'wrote the global definitions' tarry unify bad
tarry archive dump bad | cmp - whole || complain "the dump differs"
works tarry archive verify bad
rm -r bad && cp -r good bad && damage flip bad/manifest.xml 0.5 && cp bad/manifest.xml old
works tarry unify bad
holds "the damaged manifest is kept" cmp old bad/manifest.xml.damaged
works tarry archive verify bad
rm -r bad && cp -r good bad && damage drop "$(container bad)" 1
skips 'bad is incomplete: .*missing location' tarry unify bad
rm -r bad/definitions.tdef
skips 'bad is incomplete: 1 process left nothing' tarry unify bad
differs 'incomplete' tarry archive verify bad
grep -q ' missing="1 process left nothing' bad/manifest.xml || complain "the manifest does not say what is missing"
exit $wrong
