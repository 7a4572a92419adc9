# machine_forms.sh -- the same findings as CSV and JSON, to stdout and to a file.
"$PYTHON" "$TARRY_ROOT/tests/report/make_analysis.py" a.cubex
tarry report --csv a.cubex
tarry report --json -o a.json a.cubex
"$PYTHON" -c 'import json; found = json.load(open("a.json")); print(found["version"], found["waits"][0])'
