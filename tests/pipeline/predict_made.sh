# predict_made.sh -- six changes of programs: what was predicted happens, within 3 %, once they are made.
# timed
# no-san
# timeout 300
set -euo pipefail
"$PYTHON" "$TARRY_ROOT/tests/pipeline/predict_made.py" "$TARRY_ROOT/tests/apps" mpirun
