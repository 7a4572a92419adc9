# oracle_2000.sh -- the same on 2,000 traces that nobody has seen before.
# long
# timeout 7200
/usr/bin/python3 -B -c 'import otf2' 2>/dev/null ||
  { echo 'no Python module otf2: the numbers cannot be checked (Debian: python3-otf2, which forgets python3-six)'; exit 1; }
/usr/bin/python3 -B "$TARRY_ROOT/tests/oracle/compare_random.py" "${SEED:-$(date +%s)}" 2000
