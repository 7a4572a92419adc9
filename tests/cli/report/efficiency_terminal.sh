# efficiency_terminal.sh -- efficiencies are coloured on a terminal, unless colour is unwanted; as many runs lie side by side
# as fit into a line. In a pipe nothing is coloured or cut.
"$PYTHON" -c 'import os; os.openpty()' 2>/dev/null || { echo "no pseudo-terminals here"; exit 77; }
"$PYTHON" "$TARRY_ROOT/tests/report/make_analysis.py" a.cubex
on_terminal() { "$PYTHON" "$TARRY_ROOT/tests/cli/on_terminal.py" tarry report --efficiency a.cubex a.cubex a.cubex; }
coloured() { grep -c "$(printf '\033')" || true; }
TERM=xterm on_terminal | coloured
TERM=xterm on_terminal | grep 'Load balance' | sed 's/\x1b/ESC/g'
TERM=xterm NO_COLOR=1 on_terminal | coloured
TERM=dumb on_terminal | coloured
tarry report --efficiency a.cubex a.cubex a.cubex | coloured
for columns in 40 60 70 200; do
  echo "$columns columns"
  TERM=dumb TERMINAL_COLUMNS=$columns on_terminal | grep 'Load balance'
done
TERM=dumb TERMINAL_COLUMNS=200 on_terminal >wide
tarry report --efficiency a.cubex a.cubex a.cubex | cmp - wide && echo "as in a pipe"
