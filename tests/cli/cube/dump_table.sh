# dump_table.sh -- values for people, of chosen metrics in the order asked for.
"$PYTHON" "$TARRY_ROOT/tests/report/make_cubex.py" a.cubex
tarry cube dump -m mpi,visits a.cubex
