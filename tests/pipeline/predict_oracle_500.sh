# predict_oracle_500.sh -- the same as predict_oracle.sh on 500 random traces.
# long
# timeout 3600
/usr/bin/python3 -B "$TARRY_ROOT/tests/oracle/compare_predictions.py" 1000 500 &&
  /usr/bin/python3 -B "$TARRY_ROOT/tests/oracle/compare_predicted_reports.py" 1000 500
