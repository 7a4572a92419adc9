# answers.sh -- runs come in, and are listed, shown, marked, asked for and removed.
"$TARRY_BUILD/bench/make_reports" . 3 2 3 3 1 0
try() { echo "\$ tarry store $*"; tarry store "$@" --store runs.db; echo "status $?"; }
try add 000001.cubex --param n=64 --param layout=blocked --tag baseline --commit c1 --date 2026-01-01T10:00:00Z
try add 000002.cubex --param n=128 --commit c2 --date 2026-01-02T10:00:00Z --program other
try add 000001.cubex
try list
try list --where 'n >= 100'
try list --where 'tag = baseline and commit = c1' --format csv | cut -d, -f1-12
try show baseline | grep -v -e sha256
try show -m time --region region_1
try show -m time --region region_1 --format csv
try show -m visits --call-path program/region_1 --format json
try query 'SELECT run, metric, unit, total FROM run_metrics ORDER BY run, metric'
try query 'SELECT run, name, number FROM run_parameters ORDER BY run, name' --format json
try tag 2 fast nightly --param n=256
try tag 2 nightly --remove
try list 2
try rm baseline
try gc | sed 's/^[0-9]* rows/N rows/'
try verify
