# calltree.sh -- exclusive, inclusive, above a threshold.
"$PYTHON" "$TARRY_ROOT/tests/report/make_cubex.py" a.cubex
tarry cube calltree a.cubex
tarry cube calltree -i -t 25% a.cubex
tarry cube calltree -i -t 25 a.cubex | diff - <(tarry cube calltree -i -t 25% a.cubex)
tarry cube calltree -m min_time a.cubex
tarry cube calltree -q --folded a.cubex
