# dump_csv.sh -- every value: escaped and quoted call paths, both stored flavours, neutral and zero values left out.
"$PYTHON" "$TARRY_ROOT/tests/report/make_cubex.py" a.cubex
tarry cube dump --csv a.cubex
