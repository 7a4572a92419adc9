# known_causes.sh -- the first sentence of a report names the cause that a program has on purpose, and what it explains.
# no-san
# timeout 180
set -euo pipefail
source="$TARRY_ROOT/tests/apps/known_causes.c"
tarry instrument "$MPICC" -O1 -g -Wall -Werror -o known_causes "$source" -lpthread
"$PYTHON" "$TARRY_ROOT/tests/pipeline/known_causes.py" "$source" ./known_causes mpirun
