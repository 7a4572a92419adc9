# oracle.sh -- on 200 random traces the tool finds what a slow analyser written from the definitions finds; on
# 25 of them by iteration, too.
# timeout 600
/usr/bin/python3 -B -c 'import otf2' 2>/dev/null ||
  { echo 'no Python module otf2: the numbers cannot be checked (Debian: python3-otf2, which forgets python3-six)'; exit 1; }
/usr/bin/python3 -B "$TARRY_ROOT/tests/oracle/compare_random.py" 1 200 &&
  /usr/bin/python3 -B "$TARRY_ROOT/tests/oracle/compare_iterations.py" 1 25
