# oracle.sh -- on 200 random traces the tool finds what a slow analyser written from the definitions finds.
# timeout 600
/usr/bin/python3 -B -c 'import otf2' 2>/dev/null || { echo "no Python module otf2"; exit 77; }
/usr/bin/python3 -B "$TARRY_ROOT/tests/oracle/compare_random.py" 1 200
