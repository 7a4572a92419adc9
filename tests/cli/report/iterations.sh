# iterations.sh -- values by iteration: for people, as CSV and as JSON, in stretches where there are many.
make() { "$PYTHON" "$TARRY_ROOT/tests/report/make_analysis.py" "$@"; }
make few.cubex --iterations 8
tarry report --iterations compute --metric 'time,mpi_wait_nxn' few.cubex
tarry report few.cubex | tail -3
tarry report --iterations compute --metric mpi_wait_nxn --metric time --csv few.cubex | sed -n '1,4p;24,27p'
tarry report --iterations compute --json few.cubex >few.json
"$PYTHON" - <<'PYTHON'
import json
series = json.load(open("few.json"))
print(series["version"], series["region"], series["ranks"], series["iterations"][7])
print({name: value for name, value in series["metrics"][0].items() if name not in ("values", "spread")})
print(series["metrics"][0]["values"][0], series["metrics"][0]["spread"][0])
print(json.loads(open("few.json").read())["metrics"][0]["unit"])
PYTHON
tarry report --json few.cubex | grep -A 2 outlying
make many.cubex --iterations 3000
tarry report --iterations compute many.cubex | sed -n '1,6p;22,99p'
tarry report --iterations compute --csv many.cubex | wc -l
