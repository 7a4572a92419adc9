# full_disk.sh -- unify and replay on a full disk fail with one line, lose nothing, and work when there is room again.
. "$TARRY_ROOT/tests/cli/expect.bash"
. "$TARRY_ROOT/tests/cli/small_disk.bash"
record good
tarry archive dump good >whole
cp -r good dead && echo >dead/recording && rm dead/definitions.tdef
small_disk disk 1m
cp -r dead disk/dead
fill disk
fails 'disk/dead/.*: No space left on device' tarry unify disk/dead
[ -z "$(find disk -name '*.tmp')" ] || complain "a temporary file is left"
tarry archive dump disk/dead 2>err | cmp - whole || complain "something is lost"
rm disk/filler
works tarry unify disk/dead
tarry archive dump disk/dead 2>err | cmp - whole || complain "something is lost"
works tarry archive verify disk/dead

cp -r disk/dead/. before
fill disk
fails 'disk/dead/analysis.cubex: No space left on device' tarry replay disk/dead
fails 'disk/out.cubex: No space left on device' tarry replay good -o disk/out.cubex
[ -z "$(find disk -name '*.tmp' -o -name 'out.cubex')" ] || complain "half a report is left"
fails 'disk/out.txt: No space left on device' tarry report good -o disk/out.txt
holds "the archive is as it was" diff -r disk/dead before
rm disk/filler
works tarry replay disk/dead
works tarry archive verify disk/dead
exit $wrong
