# sampling_stress_30m.sh -- as sampling_stress.sh, for half an hour.
# long
# no-san
# timeout 3000
set -euo pipefail
. "$TARRY_ROOT/tests/pipeline/sampling_stress.bash"
stress 1800
