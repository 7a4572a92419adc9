# sync_processes.sh -- corrections do not depend on how many processes and threads compute them; damage is told
# whichever process finds it, and a process that fails leaves no other one waiting.
# timeout 240
set -u
. "$TARRY_ROOT/tests/peer/unpack.bash"
unpack_peer_cases zoo-4 random sweep3d-64 >cases || exit 1
distort=$TARRY_BUILD/tests/sync/distort_trace
failed=0
fail() { echo "FAILED: $*"; failed=1; }

# same TRACE WAY...: each way N:M is N processes of M threads; the first one is what the others must find.
same() {
  local trace=$1 way
  shift
  for way in "$@"; do
    rm -f "$trace/corrections.tcor"
    timeout 60 mpirun -np "${way%:*}" tarry-sync "$trace" --workers "${way#*:}" --plot shifts.csv >said 2>err ||
      fail "$trace: status of $way"
    grep '^tarry-sync: warning' err >>said
    [ "$way" = "$1" ] && { cp "$trace/corrections.tcor" one.tcor; cp shifts.csv one.csv; cp said one.said; continue; }
    cmp one.tcor "$trace/corrections.tcor" || fail "$trace: corrections of $way"
    cmp one.csv shifts.csv || fail "$trace: plot of $way"
    diff one.said said || fail "$trace: summary of $way"
  done
}

"$distort" peer/zoo-4/traces.otf2 zoo 4 1 --seed 3 || exit 1
same zoo 1:1 2:2 3:5 5:1
# Events that depend on each other in a circle.
"$distort" peer/random/r1024/traces.otf2 circle 3 1e-3 || exit 1
same circle 1:1 2:1 3:3
grep -q 'in a circle' one.said || fail "no circle: the test does not test"
# A clock for each process, and one for each of many nodes.
tarry merge -q --from otf2 peer/random/r1040/traces.otf2 -o process >/dev/null || exit 1
same process 1:1 2:2 3:1
grep -q 'one for each process' one.said || fail "no clock for each process: the test does not test"
"$distort" peer/sweep3d-64/traces.otf2 sweep 64 1e-2 --measured --seed 5 || exit 1
same sweep 1:1 3:2

# Damage that only the last process sees.
size=$(stat -c %s zoo/events/trace.tev)
printf 'XXXX' | dd of=zoo/events/trace.tev bs=1 seek=$((size / 2)) conv=notrunc 2>/dev/null
for np in 1 3; do
  rm -f zoo/corrections.tcor
  timeout 60 mpirun -np $np tarry-sync zoo --strict >said.$np 2>err.$np && fail "--strict on $np processes: status 0"
  grep '^tarry-sync: warning: zoo: [0-9]* record' err.$np >>said.$np || fail "no word of damage on $np processes"
done
diff said.1 said.3 || fail "other damage on three processes"

# Failures of one process.
ends() {
  timeout 60 "$@" >said 2>err
  [ $? = 1 ] || { cat err; fail "does not end with 1: $*"; }
}
mkdir there
ends mpirun -np 2 tarry-sync peer/zoo-4/traces.otf2 -o there
[ "$(grep -c '^tarry-sync: there: exists already' err)" = 1 ] || { cat err; fail "not said once that the folder exists"; }
ends mpirun -np 2 bash -c \
  '[ "${OMPI_COMM_WORLD_RANK-}${PMI_RANK-}" = 1 ] && export TMPDIR=/nowhere; exec tarry-sync sweep --memory 64M'
grep -q '^tarry-sync: --memory: another analysis process' err || { cat err; fail "no word of temporary files"; }
exit $failed
