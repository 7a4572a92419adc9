# no_waits.sh -- an analysis that found no wait state says so; an incomplete one says what is missing.
"$PYTHON" "$TARRY_ROOT/tests/report/make_analysis.py" --without-waits --incomplete "2 records skipped" a.cubex
tarry report a.cubex
