# unwritable.sh -- without an archive the command is not run; tools that cannot write say so and change nothing.
. "$TARRY_ROOT/tests/cli/expect.bash"
. "$TARRY_ROOT/tests/cli/small_disk.bash"
mkdir closed
record closed/run 5
cp -r closed/run dead && echo >dead/recording && rm dead/definitions.tdef && mv dead closed/dead
cp -r closed before
read_only closed
fails 'closed/new: Read-only file system' tarry measure -t -o closed/new -- touch ran
(cd closed && tarry measure -t -- touch ../ran) 2>err
status=$?
[ $status -eq 1 ] && grep -q 'tarry-touch-1: Read-only file system' err || complain "measure in a closed folder"
[ -e ran ] && complain "the command was run without an archive"
fails 'closed/dead/.*: Read-only file system' tarry unify closed/dead
fails 'closed/run/analysis.cubex: Read-only file system' tarry replay closed/run
works tarry replay closed/run -o out.cubex
works tarry archive verify closed/run
works tarry archive dump closed/dead
works tarry report closed/run
holds "nothing was changed" diff -r closed before
exit $wrong
