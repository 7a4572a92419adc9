# profile.sh -- a report without wait states is a profile: the largest call paths, and how to get wait states.
"$PYTHON" "$TARRY_ROOT/tests/report/make_cubex.py" a.cubex
tarry report a.cubex
