# damaged.sh -- what can be read is read; the last line says what cannot, and --strict fails.
make() { "$PYTHON" "$TARRY_ROOT/tests/report/make_cubex.py" "$@"; }
make a.cubex --anchor-first --cut 1600
tarry cube dump --csv a.cubex > a.csv; echo "status $?, $(wc -l < a.csv) lines"
tarry cube dump --csv --strict a.cubex > a.csv; echo "status $?"
make a.cubex --compressed --anchor-first --cut 4200
tarry cube info -v a.cubex; echo "status $?"
make b.cubex --drop 1.index
tarry cube dump --csv -m visits,time b.cubex | wc -l
