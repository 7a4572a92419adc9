# colour.sh -- colour on a terminal that shows it, unless it is unwanted.
"$PYTHON" -c 'import os; os.openpty()' 2>/dev/null || { echo "no pseudo-terminals here"; exit 77; }
"$PYTHON" "$TARRY_ROOT/tests/report/make_analysis.py" a.cubex
on_terminal() { "$PYTHON" -c 'import pty, sys; pty.spawn(sys.argv[1:])' tarry report a.cubex | grep -c "$(printf '\033')"; }
TERM=xterm on_terminal
TERM=xterm NO_COLOR=1 on_terminal
TERM=dumb on_terminal || true
