# unreceived.sh -- messages that a program never receives: told as what they are, and nothing of the run is missing.
# mpich-long
set -u
failed=0
complain() { echo "FAILED: $*"; failed=1; }
"$MPICC" -O1 -o unreceived "$TARRY_ROOT/tests/apps/unreceived.c" || exit 1
tarry measure -q -t -o run -- mpirun -np 2 ./unreceived || exit 1
tarry replay --strict run 2>err || complain "status $?"
grep -q 'run: 3 messages are sent and never received (first: rank 0, with rank 1, tag 7, at ' err || complain "$(cat err)"
tarry report run >screen
grep -q '^  UNRECEIVED: 3 messages are sent and never received ' screen || complain "$(cat screen)"
grep -q INCOMPLETE screen && complain "$(cat screen)"
[ "$(tarry report --json run | python3 -c 'import json, sys; print(json.load(sys.stdin)["unreceived"][:10])')" = '3 messages' ] ||
  complain 'not in --json'

# Where a process has been killed, nobody knows whether it would have received them.
tarry measure -q -t -o killed -- mpirun -np 2 ./unreceived killed >out 2>err
tarry replay --strict killed 2>err && complain 'an incomplete recording is accepted'
grep -q '3 unmatched sends' err || complain "$(cat err)"
[ $failed = 0 ]
