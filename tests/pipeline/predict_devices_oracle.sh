# predict_devices_oracle.sh -- on 60 random traces with accelerators and many machines the tool predicts what a slow
# simulator in Python does; the report of the unchanged run is that of tarry replay.
# no-san
/usr/bin/python3 -B -c 'import otf2' 2>/dev/null ||
  { echo 'no Python module otf2: the numbers cannot be checked (Debian: python3-otf2, which forgets python3-six)'; exit 1; }
/usr/bin/python3 -B "$TARRY_ROOT/tests/oracle/compare_device_predictions.py" 1 60
