# backtraces.sh -- at random recorded calls, gdb sees the functions on the stack that the call path has.
# no-san
# timeout 120
set -euo pipefail
. "$TARRY_ROOT/tests/pipeline/backtraces.bash"
build_own
same_backtraces blast_wave 40 4 2 ./blast_wave 40
same_backtraces heat_modules 40 4 2 ./heat_modules
same_backtraces openmp_calls 40 8 2 ./openmp_calls 20

# The comparison sees a frame too many.
python3 - blast_wave.json <<'PY' >wrong.json
import json, sys
for line in open(sys.argv[1]):
    call = json.loads(line)
    call["frames"].insert(2, call["frames"][-1] if len(call["frames"]) < 3 else call["frames"][2])
    print(json.dumps(call))
PY
if python3 "$TARRY_ROOT/tests/pipeline/check_backtraces.py" blast_wave.run 0 wrong.json 40 >wrong.txt; then
  cat wrong.txt && echo "any backtrace passes" && exit 1
fi
