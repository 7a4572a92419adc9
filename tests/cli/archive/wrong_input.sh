# wrong_input.sh -- what is no archive, or of another version, is refused with one line that names it.
. "$TARRY_ROOT/tests/cli/needs_full_device.bash"
. "$TARRY_ROOT/tests/cli/expect.bash"
record good
mkdir empty
echo text >file
for command in ls info dump verify; do
  fails 'nowhere: no such file' tarry archive $command nowhere
  fails 'empty: is no archive: it holds neither' tarry archive $command empty
  fails 'file: is a file, not an archive' tarry archive $command file
done
for command in info dump verify; do
  cp -r good newer && damage version newer/manifest.xml 3
  fails 'newer/manifest.xml: has format version 3.0, newer than 2.0 .use a newer' tarry archive $command newer
  rm -r newer
done
cp -r good newer && damage version "$(container newer)" 3
fails 'newer/events/.*: has format version 3.0, newer than 2.0' tarry archive dump newer
differs 'damaged' tarry archive verify newer
cp -r good older && damage version older/manifest.xml 1 && damage version "$(container older)" 1
works tarry archive dump older
works tarry archive verify older

run_it tarry archive verify good good
[ $status -eq 2 ] || complain "two archives are wrong usage"
run_it tarry archive verify
[ $status -eq 2 ] || complain "no archive is wrong usage"
run_it tarry archive nothing good
[ $status -eq 2 ] || complain "an unknown command is wrong usage"
fails 'nothing is written for 5|no such rank' tarry archive dump good --rank 5
for command in ls info verify dump; do
  tarry archive $command good >/dev/full 2>err
  status=$?
  [ $status -eq 1 ] && grep -q 'tarry-archive: standard output: ' err || complain "$command: a full disk is not said"
done
tarry archive dump good 2>err | head -1 >out
status=${PIPESTATUS[0]}
[ $status -eq 0 ] && [ "$(wc -l <out)" -eq 1 ] && [ ! -s err ] || complain "a reader that has seen enough is a failure"
exit $wrong
