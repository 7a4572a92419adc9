# failures.sh -- status 1 for input that is no report, 2 for wrong usage, one line each.
. "$TARRY_ROOT/tests/cli/needs_full_device.bash"
make() { "$PYTHON" "$TARRY_ROOT/tests/report/make_cubex.py" "$@"; }
run() { tarry cube "$@"; echo "status $?"; }
make a.cubex
make b.cubex --drop anchor.xml
mkdir run && cp a.cubex run/other.cubex
mkdir empty
echo "no report" > c.cubex
run dump --csv missing.cubex
run dump --csv b.cubex
run info c.cubex
run info run
run info empty
run dump -m nothing a.cubex
run calltree -m time_per_visit a.cubex
run calltree -m nothing a.cubex
run
run dump
run dump a.cubex b.cubex
run dump --csv --json a.cubex
run calltree -t 101% a.cubex
run nothing a.cubex
run tree a.cubex
run dump --jsno a.cubex
run --strcit dump a.cubex
run dump --qiet a.cubex
run dump -x a.cubex
run --versoin
tarry cube dump a.cubex > /dev/full; echo "status $?"
