# iterations_terminal.sh -- on a terminal the course of a metric is a line of small bars.
"$PYTHON" -c 'import os; os.openpty()' 2>/dev/null || { echo "no pseudo-terminals here"; exit 77; }
"$PYTHON" "$TARRY_ROOT/tests/report/make_analysis.py" a.cubex --iterations 12
show() { "$PYTHON" "$TARRY_ROOT/tests/cli/on_terminal.py" tarry report --iterations compute --metric mpi_wait_nxn a.cubex | grep 'most of a process'; }
TERM=xterm LC_ALL=C.UTF-8 show
TERM=xterm LC_ALL=C show
TERM=dumb show || echo "none"
