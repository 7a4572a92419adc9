# oracle_2000.sh -- the same on 2,000 traces that nobody has seen before.
# long
# timeout 7200
/usr/bin/python3 -B -c 'import otf2' 2>/dev/null || { echo "no Python module otf2"; exit 77; }
/usr/bin/python3 -B "$TARRY_ROOT/tests/oracle/compare_random.py" "${SEED:-$(date +%s)}" 2000
