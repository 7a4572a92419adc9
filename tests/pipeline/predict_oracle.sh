# predict_oracle.sh -- on 60 random traces and many machines the tool predicts what a slow simulator in Python does; on 24
# of them the report of the predicted run has the waits, causes and critical path that the reference analyser finds.
# timeout 300
/usr/bin/python3 -B -c 'import otf2' 2>/dev/null ||
  { echo 'no Python module otf2: the numbers cannot be checked (Debian: python3-otf2, which forgets python3-six)'; exit 1; }
/usr/bin/python3 -B "$TARRY_ROOT/tests/oracle/compare_predictions.py" 1 60 &&
  /usr/bin/python3 -B "$TARRY_ROOT/tests/oracle/compare_predicted_reports.py" 1 24
