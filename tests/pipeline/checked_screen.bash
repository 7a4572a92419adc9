# checked_screen.bash -- what 'tarry report' says of a report, recomputed from its values; sourced by tests.

# check_screen RUN [REPORT]: of an archive, or of its report. Leaves the text in `screen`, the findings in `found.json`, all
# values in `dump.csv`.
check_screen() {
  tarry report "$1" >screen && tarry report --json "$1" >found.json && tarry cube dump --csv "${2:-$1}" >dump.csv &&
    /usr/bin/python3 "$TARRY_ROOT/tests/report/check_findings.py" found.json dump.csv &&
    /usr/bin/python3 "$TARRY_ROOT/tests/report/check_screen.py" screen found.json dump.csv
}
