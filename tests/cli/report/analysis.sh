# analysis.sh -- findings of an analysis: classes, wait states with ranks, advice, next step.
"$PYTHON" "$TARRY_ROOT/tests/report/make_analysis.py" a.cubex
tarry report a.cubex
