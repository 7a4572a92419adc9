# nothing_recorded.sh -- of an archive without a recording, JSON has the reason; the status is 1 in all forms.
tarry measure -q -o e -- true
run() { tarry report "$@" e; echo "status $?"; }
run
run --json > e.json
tail -n 1 e.json
"$PYTHON" -c 'import json
text = open("e.json").read()
found = json.loads(text[:text.rindex("status")])
print(found["version"], found["program"], found["processes"], found["wall"], found["incomplete"][:36], found["waits"])'
run --csv
run --json --files
