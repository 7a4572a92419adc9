# sync_archive.sh -- corrections stand beside the events: taken back they leave no trace; a trace of one clock is left alone;
# violations of recorded cases vanish; the result does not depend on how many processes and threads work.
# timeout 300
set -u
. "$TARRY_ROOT/tests/peer/unpack.bash"
unpack_peer_cases random zoo-4 >cases || exit 1
failed=0
fail() { echo "FAILED: $*"; failed=1; }
count() { tarry sync "$1" --check | awk '{print $1}'; }
sums() { (cd "$1" && find . -type f -exec md5sum {} + | sort -k2); }

# The seeds divisible by 8. By docs/METRICS.md, "Timestamps", three of them have late ends of collectives.
found=
for seed in 1008 1016 1024 1032 1040; do
  trace=peer/random/r$seed/traces.otf2
  found+=" $(tarry sync "$trace" --check | sed 's/.*(\([0-9]*\) point-to-point, \([0-9]*\) collective.*/\1+\2/')"
  tarry sync -q "$trace" -o "r$seed" >/dev/null || fail "$trace: not imported"
  [ "$(count "r$seed")" = 0 ] || fail "$trace: violations remain"
  tarry archive verify "r$seed" >said || { fail "r$seed is damaged"; cat said; }
done
[ "$found" = " 0+0 0+0 0+1 0+3 0+2" ] || fail "violations counted:$found"

# Back and forth. Where nothing was to be done, nothing was done.
"$TARRY_BUILD/tests/sync/distort_trace" peer/zoo-4/traces.otf2 bad 4 1e-3 || exit 1
sums bad >before
tarry sync -q bad >/dev/null || fail "not corrected"
grep -q '<stage name="sync"' bad/manifest.xml || fail "no provenance"
[ -s bad/corrections.tcor ] || fail "no corrections"
cp bad/corrections.tcor first.tcor
tarry sync -q bad --plot shifts.csv >/dev/null && cmp first.tcor bad/corrections.tcor ||
  fail "another result the second time"
[ "$(head -1 shifts.csv)" = rank,thread,seconds,shift ] && [ "$(wc -l <shifts.csv)" -gt 1 ] || fail "no plot"
tarry sync -q --undo bad || fail "not taken back"
sums bad | diff before - || fail "taken back, and yet not as it was"
tarry sync -q peer/zoo-4/traces.otf2 -o good >/dev/null
tarry merge -q --from otf2 peer/zoo-4/traces.otf2 -o imported >/dev/null
[ -s good/otf2.tdef ] && [ "$(tarry merge --fingerprint good)" = "$(tarry merge --fingerprint imported)" ] &&
  [ "$(stat -c %s good/otf2.tdef)" = "$(stat -c %s imported/otf2.tdef)" ] || fail "not all that the trace says was imported"
sums good >before
tarry sync -q good | grep -q '^0 clock-condition violations' || fail "violations in a good trace"
sums good | diff before - || fail "a trace of one clock was changed"

# The analysis warns where corrections are needed and missing.
tarry replay bad -o no.cubex 2>&1 | grep -q 'tarry sync' || fail "no warning without corrections"
tarry sync -q bad >/dev/null
tarry replay bad -o yes.cubex 2>&1 | grep -q "tarry sync" && fail "a warning in spite of corrections"

# Any number of threads and processes.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
for how in "tarry-sync --workers 1" "tarry-sync --workers 3" "mpirun -np 3 tarry-sync --workers 1"; do
  tarry sync -q --undo bad
  $how -q bad >"said.$(echo "$how" | tr ' ' _)" && cmp first.tcor bad/corrections.tcor || fail "another result with $how"
done
[ "$(cat said.* | sort -u | wc -l)" = "$(cat said.tarry-sync_--workers_1 | wc -l)" ] || fail "another summary"

# The other reader sees the same times.
tarry archive dump bad >ours
"$PYTHON" "$TARRY_ROOT/tests/oracle/read_archive.py" bad >theirs && cmp ours theirs || fail "the other reader sees other times"

# Damaged corrections are not passed over.
printf 'X' | dd of=bad/corrections.tcor bs=1 seek=100 conv=notrunc 2>/dev/null
tarry replay -q bad -o no.cubex 2>said && fail "damaged corrections were used"
grep -q 'corrections.tcor' said || fail "damage was not named"
exit $failed
