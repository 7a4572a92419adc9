# dump_json.sh -- values as JSON.
"$PYTHON" "$TARRY_ROOT/tests/report/make_cubex.py" a.cubex
tarry cube dump --json -m mpi a.cubex
tarry cube dump --json a.cubex | "$PYTHON" -c 'import json, sys; print(len(json.load(sys.stdin)["values"]))'
