# style.sh -- block characters where the locale has them, no colour in a pipe.
"$PYTHON" "$TARRY_ROOT/tests/report/make_analysis.py" a.cubex
LC_ALL=C.UTF-8 tarry report a.cubex | sed -n '/Where the time goes/,+3p'
TERM=xterm tarry report a.cubex | grep -c "$(printf '\033')"
# A narrow terminal cuts no sentence.
COLUMNS=50 tarry report a.cubex | sed -n 1,5p
exit 0
