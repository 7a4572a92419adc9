# info.sh -- sizes, attributes and the metric tree.
"$PYTHON" "$TARRY_ROOT/tests/report/make_cubex.py" a.cubex
tarry cube info a.cubex
