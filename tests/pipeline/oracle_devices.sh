# oracle_devices.sh -- on 200 random traces with accelerators the tool finds what a slow program finds that was written
# from the definitions.
# no-san
/usr/bin/python3 -B -c 'import otf2' 2>/dev/null ||
  { echo 'no Python module otf2: the numbers cannot be checked (Debian: python3-otf2, which forgets python3-six)'; exit 1; }
/usr/bin/python3 -B "$TARRY_ROOT/tests/oracle/compare_devices.py" 1 200
