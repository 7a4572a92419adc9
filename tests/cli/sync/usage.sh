# usage.sh -- what 'tarry sync' refuses, with which status.
status() { "$@"; echo "status $?"; }
tar -xJf "$TARRY_ROOT/tests/data/peer/micro.tar.xz"
trace=micro/g1-late-sender-chain/traces.otf2
status tarry sync
status tarry sync nothing
status tarry sync "$trace"
status tarry sync "$trace" --undo
status tarry sync "$trace" --check --undo
status tarry sync "$trace" --check -o out
status tarry sync "$trace" --check --plot shifts.csv
status tarry sync "$trace" --gamma 2 -o out
status tarry sync "$trace" --check
status tarry sync "$trace" -o out
status tarry sync "$trace" -o out
status tarry sync out -o other
status tarry sync out --check
status tarry sync out
status tarry sync out --undo
status tarry sync out --plot shifts.csv
[ ! -e shifts.csv ] || echo "a plot of nothing"
