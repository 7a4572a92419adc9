# changes_on_terminal.sh -- on a terminal, diff says what changed most without being asked.
"$PYTHON" -c 'import os; os.openpty()' 2>/dev/null || { echo "there are no pseudo-terminals here"; exit 77; }
make() { "$PYTHON" "$TARRY_ROOT/tests/report/make_program.py" "$@"; }
make old.cubex && make new.cubex --scale solve=1.25 --scale setup=40 --scale main=0
make one.cubex --ranks 1
on_terminal() { "$PYTHON" "$TARRY_ROOT/tests/cli/on_terminal.py" tarry cube "$@"; echo "status $?"; }
on_terminal diff new.cubex old.cubex
on_terminal diff new.cubex old.cubex -o change.cubex -n 1
on_terminal diff old.cubex one.cubex -m visits -o change.cubex
on_terminal diff old.cubex old.cubex -o change.cubex
