# iterations_failures.sh -- a region without a series, a metric that has none, and wrong usage.
make() { "$PYTHON" "$TARRY_ROOT/tests/report/make_analysis.py" "$@"; }
run() { tarry report "$@"; echo "status $?"; }
make with.cubex --iterations 6
make without.cubex
run --iterations heat with.cubex
run --iterations compute without.cubex
run --iterations compute --metric tim with.cubex
run --iterations compute --metric imbalance with.cubex
run --iterations compute --metric mpi_earlyreduce --csv with.cubex | tail -2
run --metric time with.cubex
