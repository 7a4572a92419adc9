# nasty_programs.sh -- some sixty programs that look at, limit or replace what a process consists of, end in unusual ways,
# or are built in unusual ways, and scripts of other languages: the same bare and measured.
# no-san
# timeout 600
chmod 755 .
exec "$PYTHON" "$TARRY_ROOT/tests/pipeline/nasty_programs.py"
