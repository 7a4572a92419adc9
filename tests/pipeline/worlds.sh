# worlds.sh -- a trace of two worlds, of which one has spawned the other: an archive, OTF2 and other formats keep both,
# and however many processes analyse it, they find the same.
# timeout 300
# no-san
set -eu
TARRY_SPAWN_TRACE=$PWD/otf2 "$TARRY_BUILD/tests/unit/analysis_tests" \
  --gtest_filter='SpawnAndWait.Otf2KeepsAllThatTheAnalysisNeeds' >made.txt
tarry merge -q --strict --from otf2 otf2/traces.otf2 -o run
tarry archive verify run
tarry archive info run | grep -x 'ranks  *4'
tarry archive info run | grep -x 'worlds  *2: ranks 0-1; ranks 2-3'

# The critical path is as long as the run, and goes through MPI_Comm_spawn.
tarry replay -q --strict run --critical-path path.csv
cat path.csv
test "$(cut -d, -f1,2,3,5 path.csv | tail -n +2 | xargs)" = '0,27,0,init 27,70,3,spawn 70,80,0,late_sender'
tarry cube dump --csv run/analysis.cubex >one.csv
grep -q '^critical_path,main/MPI_Comm_spawn,0,0,17$' one.csv
"$PYTHON" "$TARRY_ROOT/tests/peer/check_invariants.py" run/analysis.cubex one.csv

tarry replay -q --strict run --window 20:50 -o window.cubex --critical-path window.csv
for processes in 2 3 4; do
  replay="mpirun -np $processes tarry replay -q --strict --workers 1 run -o other.cubex --critical-path other.csv"
  $replay
  cmp run/analysis.cubex other.cubex
  cmp path.csv other.csv
  $replay --window 20:50
  cmp window.cubex other.cubex
  cmp window.csv other.csv
done

tarry sync --check run | grep -q '^0 clock-condition violations'
tarry merge -q --strict run --to otf2 -o again
tarry replay -q --strict again/traces.otf2 -o again.cubex
tarry cube dump --csv again.cubex | cmp - one.csv
for format in csv paraver perfetto; do tarry merge -q --strict run --to $format -o "$format.out"; done
